import { boxable, isInBackground } from "../boxed.ts";
import type { HostCall } from "../host.ts";
import { loadHost } from "./index.ts";

/**
 * The box in which these hosts would start a call, if this machine can make one; `live`: one in which files are changed where they are.
 * A host without a shell tool of this name starts none. Of several hosts that have one, all have to.
 */
export async function findHostBox(
  names: readonly string[],
  call: Pick<HostCall, "tool" | "args">,
): Promise<boolean | "live"> {
  const hosts = await Promise.all(names.map(loadHost));
  const own = hosts.filter((host) => host?.shell?.tools.includes(call.tool) === true);
  const shells = own.map((host) => (host === undefined ? undefined : boxable(host, call)));
  if (shells.length === 0 || shells.includes(undefined)) return false;
  return shells.some((shell) => shell !== undefined && isInBackground(shell, call.args)) ? "live" : true;
}

/** The name by which a host calls its shell tool. */
export async function shellToolOf(name: string): Promise<string | undefined> {
  return (await loadHost(name))?.shell?.tools[0];
}
