import { graver } from "../../effect.ts";
import { say } from "../../messages/message.ts";
import { type Line, takeWord } from "../path-uses.ts";
import { plain } from "../script.ts";

/** A filter may print the variables of the process, including tokens; `gh api` writes unless its method is GET. Glab is similar. */
export function checkGh(line: Line, operands: () => void): void {
  operands();
  const filters = [...(line.given.get("-q") ?? []), ...(line.given.get("-t") ?? [])];
  if (
    filters.some((word) => word !== undefined && (word.kind !== "plain" || /\benv\b|\$ENV|\binput/i.test(word.text)))
  ) {
    line.class = graver(line.class, "secrets.read");
  }
  const named = [...(line.given.get("-R") ?? []), ...line.operands];
  if (named.some((word) => word !== undefined && isAway(word.text, line.name))) line.doubts.add(AWAY);
  if (line.name === "gh api") takeRequest(line);
}

/** The person's token is sent to the named host. */
const AWAY = say("note.request_to_other_host");

/** `host/owner/name`, or an address: a repository on another host than the program's own. */
function isAway(text: string, program: string): boolean {
  const host =
    /^[a-z][\w+.-]*:\/\/(?:[^/@]*@)?([^/:?#]+)/i.exec(text)?.[1] ??
    /^[^/@\s]+@([^/:]+):/.exec(text)?.[1] ??
    /^([\w-]+(?:\.[\w-]+)+)(?::\d+)?\/[^/\s]+\/[^/\s]+/.exec(text)?.[1];
  if (host === undefined) return false;
  const home = program.startsWith("glab") ? /^(www\.)?gitlab\.com$/i : /^((www|gist|api)\.)?github\.com$/i;
  return !home.test(host);
}

function takeRequest(line: Line): void {
  if (line.simple.more !== undefined) line.doubts.add(say("note.request_known_only_at_run"));
  const fields = [...(line.given.get("-f") ?? []), ...(line.given.get("-F") ?? [])];
  for (const word of line.given.get("-F") ?? []) {
    const file = /^[^=]*=@(.+)$/.exec(word?.text ?? "")?.[1];
    if (file === undefined) continue;
    takeWord(line, "read", plain(file));
    // The content of the file is sent, with any method.
    line.class = graver(line.class, "network.write");
  }
  const method = line.given.get("-X")?.at(-1);
  const sends = fields.length > 0 || line.given.has("--input");
  const reads =
    method === undefined ? !sends || asks(line) : method.kind === "plain" && /^(get|head)$/i.test(method.text);
  const overrides = (line.given.get("-H") ?? []).some(
    (word) => word?.kind !== "plain" || /^x-(http-)?method/i.test(word.text),
  );
  if (!reads || overrides) line.class = graver(line.class, "network.write");
  const away = line.given.has("--hostname") || line.operands.some((word) => /^[a-z][\w+.-]*:\/\//i.test(word.text));
  if (away) line.doubts.add(AWAY);
}

/** GraphQL is always posted; a text without a mutation only reads. */
function asks(line: Line): boolean {
  const fields = [...(line.given.get("-f") ?? []), ...(line.given.get("-F") ?? [])];
  return (
    line.operands.length === 1 &&
    line.operands[0]?.text === "graphql" &&
    !line.given.has("--input") &&
    fields.every((word) => word?.kind === "plain" && !/mutation|=@/i.test(word.text))
  );
}

/** Downloads are put into the working folder, unless another is named. */
export function checkDownload(line: Line, operands: () => void): void {
  operands();
  if (line.operands.some((word) => word.text.startsWith("-"))) line.doubts.add(say("note.git_options_not_examined"));
  if (line.name === "gh repo clone") line.besides.add("git.write");
  if (line.given.has("--untar")) {
    line.doubts.add(say("note.files_named_in_archive"));
    line.brings.push(line.given.get("--untardir")?.at(-1) ?? plain("."));
  }
  line.paths = line.paths.filter((path) => path.act === "write");
  if (line.paths.length === 0) takeWord(line, "write", plain("."));
}
