import { type HostChange, isMcpMissing, MCP, noServersText } from "../host-setup.ts";
import { type CommandInput, flag } from "../spec.ts";

// What `leeway init HOST` says about the files that it changed.

export function installedText(change: HostChange): string {
  return [`${change.host}: ${actText(change)}`, ...change.dangers.map((danger) => `warning: ${danger}`)].join("\n");
}

function actText(change: HostChange): string {
  const file = fileOf(change);
  if (!change.changed && change.wouldChange === undefined) return `${file} was not changed`;
  if (change.isTakenOut === undefined) return change.changed ? `wrote ${file}` : `would write ${file}`;
  const act = change.changed ? "took the hook" : "would take the hook";
  return `${act} out of ${file}, where an earlier version had written it: a project shares this file`;
}

function fileOf({ file, leadsTo }: HostChange): string {
  return leadsTo === undefined ? file : `${file}, which is the file ${leadsTo}`;
}

/** The hook names programs by their paths, which exist on this machine only. */
function notSharedText(given: CommandInput, host: string, changes: readonly HostChange[]): readonly string[] {
  if (flag(given, "user") || host === MCP) return [];
  const [written] = changes.filter((change) => change.host === host);
  if (written === undefined) return [];
  return [`Do not commit ${written.file}: it has paths of this machine. Each colleague runs \`leeway init ${host}\`.`];
}

/** For each host when it asks Leeway, and who answers. */
export function answeredTexts(
  given: CommandInput,
  changes: readonly HostChange[],
  server: string | undefined,
): readonly string[] {
  return given.args.flatMap((host) => {
    if (host === MCP) return [isMcpMissing(given.args, changes) ? noServersText(given) : BEHIND_GATEWAY];
    const isWarned = changes.some((change) => change.host === host && change.dangers.length > 0);
    const asks = isWarned
      ? `Before you have dealt with the warnings above, ${host} may run calls without asking Leeway. Then it asks before every tool call`
      : `${host} asks Leeway before every tool call`;
    const without = ASKING_NOBODY.includes(host)
      ? "without it, calls that need an answer are denied"
      : `without it, ${host} asks you itself`;
    const answers =
      server === undefined
        ? `\`leeway up\` starts the inbox where you answer; ${without}.`
        : `${server} decides, and people answer there. While it does not answer, no call runs.`;
    return [...notSharedText(given, host, changes), `${asks}, from its next start on. ${answers}`];
  });
}

const BEHIND_GATEWAY =
  "From the next start of their clients on, the MCP servers in these files run behind Leeway's gateway. `leeway mcp list` shows what people have accepted of them.";

/** Hosts that a hook cannot make ask their own user. */
const ASKING_NOBODY = ["codex", "opencode"];

export function removedText(change: HostChange): string {
  const { host, changed, wouldChange } = change;
  const [what, file] = [host === MCP ? "the gateway" : "the hook", fileOf(change)];
  if (wouldChange === true) return `${what} would be taken out of ${file}; this was a dry run, so nothing was changed`;
  return changed ? `${what} is out of ${file}` : `${file} was not changed`;
}
