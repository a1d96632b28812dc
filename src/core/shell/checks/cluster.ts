import { type EffectClass, graver } from "../../effect.ts";
import { say } from "../../messages/message.ts";
import { type Line, takeWord } from "../path-uses.ts";
import { plain } from "../script.ts";

function worsen(line: Line, kind: EffectClass): void {
  line.class = graver(line.class, kind);
}

/** Paths of a cluster's API that show its health; any other may show a secret, or start something through a proxy. */
const RAW_READS =
  /^\/(version|metrics|apis?|healthz|livez|readyz|(healthz|livez|readyz)\/[\w-]+|apis\/metrics\.k8s\.io\/v1beta1(\/[a-z]+)?)\/?(\?verbose)?$/;
const SECRETS = /^secrets?([./].*)?$/i;

/** A command that names secrets, in any form that kubectl accepts, shows them. */
export function checkKubectl(line: Line, operands: () => void): void {
  operands();
  if (line.simple.more !== undefined) line.doubts.add(say("note.request_known_only_at_run"));
  const asked = line.operands.flatMap((word) => word.text.split(","));
  const raw = line.given.get("--raw") ?? [];
  takeTemplates(line);
  if (
    asked.some((text) => SECRETS.test(text)) ||
    raw.some((word) => word?.kind !== "plain" || !RAW_READS.test(word.text))
  ) {
    worsen(line, "secrets.read");
  }
}

/** What is shown may be described in a file, whose content is shown if it cannot be parsed. */
function takeTemplates(line: Line): void {
  for (const word of line.given.get("-o") ?? []) {
    // For kubectl `-o=name` is the same as `-o name`.
    const [, file] = /^=?(?:[a-z-]+-file|templatefile)=?(.*)$/s.exec(word?.text ?? "") ?? [];
    if (file !== undefined) takeWord(line, "read", plain(file));
    if (file === "" || word?.kind === "open") line.doubts.add(say("note.shown_content_in_other_file"));
  }
}

/**
 * The new object contains the files from which it is made, and a dry run shows all of it. `name=path` gives a file a
 * name, and a comma separates two.
 */
function takeShown(line: Line): void {
  for (const word of [...(line.given.get("--from-file") ?? []), ...(line.given.get("--from-env-file") ?? [])]) {
    if (word?.kind === "open") line.doubts.add(say("note.shown_file_known_only_at_run"));
    for (const text of word?.text.split(",") ?? []) {
      const path = text.replace(/^[^=]*=(?=.)/s, "").replaceAll('"', "");
      if (/^\.*$|\/\.*$/.test(path)) line.doubts.add(say("note.folder_shown"));
      takeWord(line, "read", plain(path), { deep: true, all: true });
    }
  }
}

/** `--dry-run=client` only prints what would be sent. If the option is given several times, each must say `client`: the last one counts. */
export function checkDryRun(line: Line, operands: () => void): void {
  operands();
  const asked = line.given.get("--dry-run") ?? [];
  if (asked.length === 0 || asked.some((word) => word?.kind !== "plain" || word.text !== "client")) return;
  const files = line.given.get("-f") ?? [];
  // `--edit` starts an editor, which may run anything; the other two options are not examined here.
  if (["-k", "--raw", "--edit"].some((name) => line.given.has(name))) return;
  if (files.some((word) => word?.kind !== "plain")) return;
  line.class = "network.read";
  takeTemplates(line);
  takeShown(line);
  for (const word of files) {
    for (const text of word?.text.split(",") ?? [])
      if (text !== "-") takeWord(line, /^https?:/i.test(text) ? "url" : "read", plain(text), { deep: true });
  }
}

/** The complete data of a container contains its variables; a format that names something else does not. */
export function checkInspect(line: Line, operands: () => void): void {
  operands();
  const [format] = line.given.get("-f") ?? [];
  const type = line.given.get("--type")?.at(-1);
  if (type?.kind === "plain" && /^(image|network|volume)$/.test(type.text)) return;
  if (format?.kind !== "plain" || TELLS_ALL.test(format.text)) worsen(line, "secrets.read");
}

/** Variables by their name, and objects that contain them: the whole data, or all its settings. */
const TELLS_ALL = /env|\$|\.(Config|ContainerConfig|Spec|ProcessConfig)(?![.\w])|(?<![\w)\]])\.(?!\w)|^(?!.*\{\{)/is;

/** What a container can see of this machine, and whether it may write there. */
export function checkContainer(line: Line, operands: () => void): void {
  operands();
  for (const word of line.given.get("-v") ?? []) {
    const [, place = "", mode = ""] = /^([^:]*):[^:]*(?::(.*))?$/.exec(word?.text ?? "") ?? [];
    if (/^[./~]/.test(place)) takeWord(line, /\bro\b/.test(mode) ? "read" : "write", plain(place), { deep: true });
    if (word?.kind === "open") line.doubts.add(say("note.container_folder_known_only_at_run"));
  }
  for (const word of line.given.get("--mount") ?? []) {
    const place = /(?:^|,)(?:source|src)=([^,]+)/.exec(word?.text ?? "")?.[1];
    const reads = /(?:^|,)(readonly|ro)(=true|,|$)/.test(word?.text ?? "");
    if (place !== undefined && /^[./~]/.test(place))
      takeWord(line, reads ? "read" : "write", plain(place), { deep: true });
  }
}

/** Services that move money: only commands that list or show something move none. */
export function checkStripe(line: Line, operands: () => void): void {
  operands();
  const words = line.operands.map((word) => word.text);
  const does = words.some((word) => /^(post|delete|trigger|fixtures|samples|listen|serve|terminal)$/.test(word));
  const reads =
    words[0] === "get" ||
    /^(list|retrieve|search|tail)$/.test(words[1] ?? "") ||
    /^(version|help|status|resources|completion)$/.test(words[0] ?? "");
  // An unknown option may take the verb as its value.
  const sure = line.doubts.size === 0 && line.operands.every((word) => word.kind === "plain");
  if (reads && !does && sure) line.class = "network.read";
  if (/^(login|logout|config)$/.test(words[0] ?? "")) line.class = "permissions.change";
}

/** Values at another kind of address than http are read by a plugin, which may decrypt them. */
export function checkChart(line: Line, operands: () => void): void {
  operands();
  for (const text of (line.given.get("-f") ?? []).flatMap((word) => word?.text.split(",") ?? [])) {
    if (/^https?:/i.test(text)) takeWord(line, "url", plain(text));
    else if (/^[a-z][\w+.-]*:\/\//i.test(text)) line.doubts.add(say("note.plugin_values_not_examined"));
    else takeWord(line, "read", plain(text));
  }
}
