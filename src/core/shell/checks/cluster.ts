import { graver } from "../../classify/protect.ts";
import type { EffectClass } from "../../effect.ts";
import { plain } from "../script.ts";
import { type Line, takeWord } from "../uses.ts";

function worsen(line: Line, kind: EffectClass): void {
  line.class = graver(line.class, kind);
}

/** Paths of a cluster's interface that tell how it is; any other may show a secret, or start something by a proxy. */
const RAW_READS =
  /^\/(version|metrics|apis?|healthz|livez|readyz|(healthz|livez|readyz)\/[\w-]+|apis\/metrics\.k8s\.io\/v1beta1(\/[a-z]+)?)\/?(\?verbose)?$/;
const SECRETS = /^secrets?([./].*)?$/i;

/** Resources whose names stand for keys, in any of the ways kubectl takes them. */
export function checkKubectl(line: Line, operands: () => void): void {
  operands();
  if (line.simple.more !== undefined) line.doubts.add("what is asked for is known only when the command runs");
  const asked = line.operands.flatMap((word) => word.text.split(","));
  const raw = line.given.get("--raw") ?? [];
  for (const word of line.given.get("-o") ?? []) {
    // `-o=name` is `-o name` to it.
    const [, file] = /^=?(?:[a-z-]+-file|templatefile)=?(.*)$/s.exec(word?.text ?? "") ?? [];
    if (file !== undefined) takeWord(line, "read", plain(file));
    if (file === "") line.doubts.add("what is shown stands in another file");
  }
  if (
    asked.some((text) => SECRETS.test(text)) ||
    raw.some((word) => word?.kind !== "plain" || !RAW_READS.test(word.text))
  ) {
    worsen(line, "secrets.read");
  }
}

/** `--dry-run=client` only prints what would be sent; every time it is given it has to say so, because the last one counts. */
export function checkDryRun(line: Line, operands: () => void): void {
  operands();
  const asked = line.given.get("--dry-run") ?? [];
  if (asked.length === 0 || asked.some((word) => word?.kind !== "plain" || word.text !== "client")) return;
  const files = line.given.get("-f") ?? [];
  if (line.given.has("-k") || line.given.has("--raw") || files.some((word) => word?.kind !== "plain")) return;
  line.class = "network.read";
  for (const word of files) {
    if (word === undefined || word.text === "-") continue;
    takeWord(line, /^https?:/i.test(word.text) ? "url" : "read", word, { deep: true });
  }
}

/** All that is known of a container has its variables in it; a format that names something else does not. */
export function checkInspect(line: Line, operands: () => void): void {
  operands();
  const [format] = line.given.get("-f") ?? [];
  const type = line.given.get("--type")?.at(-1);
  if (type?.kind === "plain" && /^(image|network|volume)$/.test(type.text)) return;
  if (format?.kind !== "plain" || TELLS_ALL.test(format.text)) worsen(line, "secrets.read");
}

/** Variables by their name, and things that hold them: the whole of it, or all of its settings. */
const TELLS_ALL = /env|\$|\.(Config|ContainerConfig|Spec|ProcessConfig)(?![.\w])|(?<![\w)\]])\.(?!\w)|^(?!.*\{\{)/is;

/** What of this machine a container gets to see, and whether it may write there. */
export function checkContainer(line: Line, operands: () => void): void {
  operands();
  for (const word of line.given.get("-v") ?? []) {
    const [, place = "", mode = ""] = /^([^:]*):[^:]*(?::(.*))?$/.exec(word?.text ?? "") ?? [];
    if (/^[./~]/.test(place)) takeWord(line, /\bro\b/.test(mode) ? "read" : "write", plain(place), { deep: true });
    if (word?.kind === "open") line.doubts.add("which folder a container sees is known only when it runs");
  }
  for (const word of line.given.get("--mount") ?? []) {
    const place = /(?:^|,)(?:source|src)=([^,]+)/.exec(word?.text ?? "")?.[1];
    const reads = /(?:^|,)(readonly|ro)(=true|,|$)/.test(word?.text ?? "");
    if (place !== undefined && /^[./~]/.test(place))
      takeWord(line, reads ? "read" : "write", plain(place), { deep: true });
  }
}

/** Services that move money: only what lists and shows is free of it. */
export function checkStripe(line: Line, operands: () => void): void {
  operands();
  const words = line.operands.map((word) => word.text);
  const does = words.some((word) => /^(post|delete|trigger|fixtures|samples|listen|serve|terminal)$/.test(word));
  const reads =
    words[0] === "get" ||
    /^(list|retrieve|search|tail)$/.test(words[1] ?? "") ||
    /^(version|help|status|resources|completion)$/.test(words[0] ?? "");
  // An option that is not known may take the verb for its value.
  const sure = line.doubts.size === 0 && line.operands.every((word) => word.kind === "plain");
  if (reads && !does && sure) line.class = "network.read";
  if (/^(login|logout|config)$/.test(words[0] ?? "")) line.class = "permissions.change";
}
