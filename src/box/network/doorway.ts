import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProgramStart } from "../../box-port.ts";
import type { PackageKind, PackageSource, WallRefusal, Walls } from "../../core/box.ts";
import {
  addressFor,
  CARGO_FOLDER,
  CARGO_SETTINGS,
  OWN_CACHES,
  portFor,
  variablesFor,
} from "../packages/manager-settings.ts";
import { makeReader } from "../packages/reader.ts";
import { FORWARDER, type Forwarding } from "./forwarder.ts";
import { makeProxy } from "./proxy.ts";

/** The way from a box to the proxy and to the readers of registries. */
export type Doorway = {
  /** Arguments of bubblewrap, which put the sockets into the box. */
  mounts: readonly string[];
  /** The program, started by the forwarder. */
  through(start: ProgramStart): ProgramStart;
  close(): Promise<readonly WallRefusal[]>;
};

const NEAR = ["localhost", "127.0.0.1", "::1"];

/** The box's own loopback address needs no proxy, unless the walls name the one outside. Readers are always asked directly. */
export function withoutProxy(domains: readonly string[], packages: readonly PackageSource[]): string {
  if (!domains.some((one) => NEAR.some((name) => one.includes(name)))) return NEAR.join(",");
  return packages.map(({ kind }) => new URL(addressFor(kind)).host).join(",");
}

const INSIDE = "/run/leeway";

/** Whether anything outside can be reached only through the gate. */
export function needsDoorway({ network, packages = [] }: Walls): boolean {
  return network !== "any" && (network.length > 0 || packages.length > 0);
}

type Opening = { keepsHome: boolean; authorities(kind: PackageKind): readonly string[] };
type Opened = { name: string; server: Server; refused: ReadonlySet<string>; close(): void };

/**
 * Opens a proxy for the domains, and a reader for each registry. They listen on sockets in a folder that only this user can
 * enter. `keepsHome`: the home folder can be changed in the box, so that package managers find their own caches. `authorities`: the
 * certificates that the settings of a package manager name.
 */
export async function openDoorway(walls: Walls, { keepsHome, authorities }: Opening): Promise<Doorway> {
  const domains = walls.network === "any" ? [] : walls.network;
  const packages = walls.packages ?? [];
  const folder = mkdtempSync(join(tmpdir(), "leeway-box-"));
  const opened: Opened[] = [
    ...(domains.length === 0 ? [] : [{ name: "proxy", ...makeProxy(domains) }]),
    ...packages.map((source) => ({
      name: source.kind,
      ...makeReader(source, addressFor(source.kind), { authorities: authorities(source.kind) }),
    })),
  ];
  await Promise.all(opened.map(({ name, server }) => listening(server, join(folder, name))));
  const forwarding: Forwarding = {
    ...(domains.length === 0 ? {} : { proxy: { socket: `${INSIDE}/proxy`, near: withoutProxy(domains, packages) } }),
    ports: packages.map(({ kind }) => ({ socket: `${INSIDE}/${kind}`, port: portFor(kind) })),
    env: Object.assign({}, packages.length > 0 && !keepsHome ? OWN_CACHES : {}, ...packages.map(variablesFor)),
  };
  const cargo = packages.some(({ kind }) => kind === "crates") ? cargoSettings(join(folder, "cargo.toml")) : [];
  return {
    mounts: [
      ...["--dir", INSIDE],
      ...opened.flatMap(({ name }) => ["--bind", join(folder, name), `${INSIDE}/${name}`]),
      ...cargo,
    ],
    through: ({ program, name, args, cwd, env }) => ({
      program: process.execPath,
      name: "node",
      args: ["-e", FORWARDER, "--", JSON.stringify(forwarding), program, name, ...args],
      cwd,
      env,
    }),
    close: async () => {
      for (const one of opened) one.close();
      rmSync(folder, { recursive: true, force: true });
      return opened.flatMap(({ refused }) => [...refused].map((domain) => ({ of: "network", domain }) as const));
    },
  };
}

/** An open proxy or reader does not keep the process from ending. */
async function listening(server: Server, socket: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(socket, resolve);
  });
  server.unref();
}

function cargoSettings(file: string): readonly string[] {
  writeFileSync(file, CARGO_SETTINGS, { mode: 0o600 });
  return ["--dir", CARGO_FOLDER, "--ro-bind", file, `${CARGO_FOLDER}/config.toml`];
}
