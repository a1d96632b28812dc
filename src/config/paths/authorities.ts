import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { PackageKind } from "../../core/box.ts";
import { isUnder } from "../../core/classify/path.ts";
import type { Environment } from "../../core/tables/variables.ts";
import { plainFile } from "../plain-file.ts";
import { whereItLeads } from "./disk.ts";
import { npmFiles, pipFiles, type Setting, settingsIn } from "./registries.ts";

// Which authorities for certificates the settings of this machine name: what reads a registry for a program in a box believes
// the same ones as the package manager would outside.

type Around = { home: string; project: string; env: Environment };

/** Whatever program they are for, a person of this machine has named them. */
const VARIABLES =
  /^(NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|PIP_CERT|CARGO_HTTP_CAINFO|npm_config_cafile)$/i;

const FILE_BYTES_MAX = 4 * 1024 * 1024;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** Certificates as text. A file that is missing or in the project, where a program could have written it, says nothing. */
export function authoritiesFor(kind: PackageKind, around: Around): readonly string[] {
  const named = Object.entries(around.env).flatMap(([name, path]) =>
    VARIABLES.test(name) && path !== undefined ? [path] : [],
  );
  const all = new Set([...named, ...(SETTINGS[kind]?.(around) ?? [])].map((path) => withHome(path, around.home)));
  return [...new Set([...all].flatMap((path) => certificatesIn(path, around.project)))];
}

const SETTINGS: { readonly [kind in PackageKind]?: (around: Around) => readonly string[] } = {
  npm: (around) => {
    const { project } = around;
    // Whoever can write in the project can write that file too, so it can name only what they cannot write.
    const own = valuesOf(settingsIn(join(project, ".npmrc")), "cafile").filter((path) => !isUnder(path, tmpdir()));
    const { user, files } = npmFiles([], around);
    return [...own, ...[user, ...files].flatMap((file) => valuesOf(settingsIn(file), "cafile"))];
  },
  pypi: (around) => pipFiles(around).flatMap((file) => valuesOf(settingsIn(file), "cert")),
};

function valuesOf(settings: readonly Setting[] | undefined, wanted: string): readonly string[] {
  return settings?.flatMap(({ name, value }) => (name.toLowerCase() === wanted ? [value] : [])) ?? [];
}

function withHome(path: string, home: string): string {
  return path.replace(/^(~|\$\{HOME\})(?=\/)/, () => home);
}

function certificatesIn(path: string, project: string): readonly string[] {
  const place = isAbsolute(path) ? whereItLeads(path) : undefined;
  if (place === undefined || isUnder(place, project)) return [];
  try {
    return plainFile(place, FILE_BYTES_MAX).toString("latin1").match(CERTIFICATE) ?? [];
  } catch (error) {
    // Without it a certificate is refused, and the program in the box is told why.
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}
