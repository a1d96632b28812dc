import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Walls } from "../core/box.ts";
import { isObject, type Json, type JsonObject } from "../core/values/json.ts";
import { SettingError } from "./environment.ts";

// The key `box` of a server in `mcp.json`: the walls in which the server is started.

/** Where the key stands, and the folder in which the server is started. */
type Place = { at: string; file: string; cwd: string };

const KEYS = ["write", "network"];
const HOST = /^(\*\.)?[A-Za-z0-9.:[\]-]+$/;

/** `true`: it can change the folder in which it is started, and has no network. */
export function mcpBoxIn({ at, file, cwd }: Place, said: JsonObject): Walls | undefined {
  const box = said["box"];
  if (box === undefined || box === false) return undefined;
  if (box === true) return { write: [cwd], network: [], reveal: [] };
  if (!isObject(box))
    throw wrong(at, "`box` is not true and no object", 'write true, or { "write": […], "network": […] }');
  const odd = Object.keys(box).find((key) => !KEYS.includes(key));
  if (odd !== undefined) throw wrong(at, `unknown key \`${odd}\` in \`box\``, `use ${KEYS.join(", ")}`);
  const write = textsIn(at, box["write"] ?? [], "write").map((path) => resolve(dirname(file), path));
  const missing = write.find((path) => statSync(path, { throwIfNoEntry: false }) === undefined);
  if (missing !== undefined)
    throw wrong(at, `${missing} in \`box\` does not exist`, "name a file or folder that is there");
  const network = textsIn(at, box["network"] ?? [], "network");
  const bad = network.find((host) => !HOST.test(host));
  if (bad !== undefined) throw wrong(at, `\`${bad}\` in \`box\` is no host`, "write for example api.example.com");
  return { write, network, reveal: [] };
}

/** The walls as a person accepts them. */
export function mcpBoxLines(walls: Walls | undefined): readonly (readonly string[])[] {
  if (walls === undefined) return [];
  const network = walls.network === "any" ? ["any"] : walls.network;
  return [
    ["box", "can", "change", ...(walls.write.length === 0 ? ["no", "files"] : walls.write)],
    network.length === 0 ? ["box", "has", "no", "network"] : ["box", "can", "reach", ...network],
  ];
}

/** These change the programs that make the box, before there is one. */
const EARLY = /^(LD_|DYLD_|BASH|ENV$|SHELLOPTS$|GLIBC_|GCONV_PATH$|LOCPATH$|NLSPATH$|IFS$|PS4$|PATH$)/;

/** Variables that a server in a box cannot be given. */
export function refuseEarly(at: string, walls: Walls | undefined, names: readonly string[]): void {
  const early = walls === undefined ? undefined : names.find((name) => EARLY.test(name));
  if (early === undefined) return;
  throw wrong(
    at,
    `${early} cannot be set for a server in a box`,
    "it changes the programs that make the box; leave it out",
  );
}

function textsIn(at: string, value: Json, key: string): readonly string[] {
  if (Array.isArray(value) && value.every((one): one is string => typeof one === "string" && one !== "")) return value;
  throw wrong(at, `\`${key}\` in \`box\` is not a list of texts`, 'write for example ["data"]');
}

function wrong(where: string, what: string, hint: string): SettingError {
  return new SettingError(`${where}: ${what}`, hint);
}
