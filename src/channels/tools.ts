import { readFileSync } from "node:fs";
import { resolve, sep } from "node:path";
import type { SecretRef } from "../core/channel.ts";
import { ChannelFailure } from "../ports.ts";

/** What a channel needs from the process it runs in. */
export type ChannelTools = {
  /** Reads a secret each time it is needed, so that a replaced one counts at once. It is never kept or shown. */
  secret(ref: SecretRef): string;
  nowMs(): number;
  /** Where the server keeps its own keys. */
  stateFolder: string;
  /** Where the terminal channel writes. */
  write(line: string): void;
};

export function channelTools(
  env: Readonly<Record<string, string | undefined>>,
  given: Pick<ChannelTools, "stateFolder" | "write" | "nowMs"> & {
    /** Only files in this folder are read. */
    within?: string;
  },
): ChannelTools {
  const { within, ...rest } = given;
  const secret = (ref: SecretRef) => {
    if (within !== undefined) refuseOutside(ref, within);
    return readSecret(ref, env);
  };
  return { secret, ...rest };
}

/**
 * The variables of a server, and its other files, may hold secrets of other workspaces; whoever writes the policy of this one
 * must not be able to name them.
 */
function refuseOutside({ from, name }: SecretRef, folder: string): void {
  if (from === "file" && resolve(name).startsWith(folder + sep)) return;
  throw new ChannelFailure("down", `a secret of this workspace must be a file in ${folder}`);
}

/** If the secret cannot be read, the error says so without repeating it. */
function readSecret({ from, name }: SecretRef, env: Readonly<Record<string, string | undefined>>): string {
  const found = from === "env" ? env[name] : fileText(name);
  if (found !== undefined && found.trim() !== "") return found.trim();
  throw new ChannelFailure(
    "down",
    from === "env" ? `the variable ${name} is not set for the server` : `the file ${name} is empty`,
  );
}

function fileText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new ChannelFailure("down", `the file ${path} cannot be read (${code})`);
  }
}
