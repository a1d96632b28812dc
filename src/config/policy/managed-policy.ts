import { lstatSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname } from "node:path";
import { say } from "../../core/messages/message.ts";
import type { FoundPolicies, FoundPolicy } from "../../ports.ts";
import { readText } from "../file.ts";
import { parsePolicyText } from "./policy-text.ts";

// The organisation's policy: a file that only the administrator of the machine can write. No variable names another
// place, because then everybody could replace the file.

/** Where the organisation's policy is, and whose it must be (where the system tells). */
export type ManagedPlace = { path: string; owner?: number };

export const MANAGED_PLACE: ManagedPlace =
  process.platform === "win32"
    ? { path: "C:\\ProgramData\\leeway\\leeway.yaml" }
    : { path: "/etc/leeway/leeway.yaml", owner: 0 };

/**
 * The file, if there is one. A file that others could have written is an error: then nothing runs. Its relative paths
 * start in `root`, and `~` is the home folder of the account: no variable and no other policy can change what they mean.
 */
export function managedIn(place: ManagedPlace | undefined, root: string): Pick<FoundPolicies, "managed"> {
  if (place === undefined) return {};
  const { path } = place;
  const read = readText(path, { followLinks: false });
  if (read === undefined) return {};
  const no = read.ok ? openTo(place) : { message: read.why, hint: read.hint };
  if (no !== undefined) return { managed: faulty(path, no) };
  const text = read.ok ? read.text : "";
  return { managed: { path, text, loaded: parsePolicyText(text, path, { root, home: userInfo().homedir }) } };
}

type Reason = Pick<Parameters<typeof faulty>[1], "message" | "hint">;

function openTo({ path, owner }: ManagedPlace): Reason | undefined {
  if (owner === undefined) return undefined;
  const isClosed = [path, dirname(path)].every((one) => {
    const { uid, mode } = lstatSync(one);
    return uid === owner && (mode & 0o022) === 0;
  });
  return isClosed ? undefined : { message: say("file.open_to_others"), hint: say("file.close_to_others", { path }) };
}

function faulty(path: string, reason: { message: ReturnType<typeof say>; hint: ReturnType<typeof say> }): FoundPolicy {
  return { path, text: "", loaded: { ok: false, faults: [{ file: path, line: 1, column: 1, ...reason }] } };
}
