import type { PackageKind, PackageSource } from "../../core/box.ts";
import { PUBLIC_REGISTRIES } from "../../core/tables/packages/package-managers.ts";

// How package managers are led to the reader: by variables, and for cargo by a settings file that a variable names.

/** Each box has a loopback address of its own, so the ports are always free at its start, and always the same. */
const PORTS: { readonly [kind in PackageKind]: number } = { npm: 48731, pypi: 48732, go: 48733, crates: 48734 };

export function portFor(kind: PackageKind): number {
  return PORTS[kind];
}

export function addressFor(kind: PackageKind): string {
  return `http://127.0.0.1:${PORTS[kind]}/`;
}

export const CARGO_FOLDER = "/tmp/.leeway-cargo";

/** The settings of cargo: no variable can replace its registry. */
export const CARGO_SETTINGS = `[source.crates-io]
replace-with = "leeway"
[source.leeway]
registry = "sparse+${addressFor("crates")}"
`;

type Variables = Readonly<Record<string, string>>;

export function variablesFor({ kind, from }: PackageSource): Variables {
  return VARIABLES[kind](addressFor(kind), from);
}

const VARIABLES: { readonly [kind in PackageKind]: (at: string, from: string) => Variables } = {
  npm: (at, from) => ({
    npm_config_registry: at,
    npm_config_replace_registry_host: from === PUBLIC_REGISTRIES.npm ? "npmjs" : mirrorHost(from),
    // Reports and news are sent to the registry, or asked of it.
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
  }),
  pypi: (at) => ({
    PIP_INDEX_URL: `${at}simple/`,
    PIP_DISABLE_PIP_VERSION_CHECK: "1",
    PIP_NO_INPUT: "1",
  }),
  // Without `direct`, Go asks nobody else. It asks for checksums through the same address.
  go: (at) => ({ GOPROXY: at.slice(0, -1) }),
  crates: () => ({ CARGO_HOME: CARGO_FOLDER }),
};

/** npm compares the host with its port in one place and without it in another. */
function mirrorHost(from: string): string {
  const { host, port } = new URL(from);
  return port === "" ? host : "always";
}

/** Where managers keep what they loaded, if the home folder cannot be changed in the box. */
export const OWN_CACHES: Variables = {
  npm_config_cache: "/tmp/.cache/npm",
  npm_config_store_dir: "/tmp/.cache/pnpm",
  PIP_CACHE_DIR: "/tmp/.cache/pip",
  GOPATH: "/tmp/.cache/go",
  GOCACHE: "/tmp/.cache/go-build",
};
