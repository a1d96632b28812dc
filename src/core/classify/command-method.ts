import type { Line } from "../shell/path-uses.ts";
import { programOf } from "../tables/launchers.ts";

/** The method of the request that a command makes, as far as its words say so; for rules that deny one. */
export function methodOf(line: Line): string | undefined {
  const texts = line.simple.words.map(({ text }) => text);
  const program = programOf(texts[0] ?? "");
  const named = namedMethod(line, texts, program);
  if (named !== undefined) return named.toUpperCase();
  const by = line.name.startsWith("gh api") ? "gh api" : program;
  return Object.hasOwn(DEFAULTS, by) ? DEFAULTS[by]?.(line, texts) : undefined;
}

function namedMethod({ given, operands }: Line, texts: readonly string[], program: string): string | undefined {
  const option = given.get("-X")?.at(-1)?.text ?? given.get("--method")?.at(-1)?.text;
  if (option !== undefined) return option;
  if (HTTPIE.test(program)) {
    const [first] = operands;
    return METHOD.test(first?.text ?? "") ? first?.text : undefined;
  }
  if (!LOADING.test(program)) return undefined;
  const at = texts.findIndex((text) => /^(-m|--method|-X|--request)$/.test(text));
  return at < 0 ? undefined : texts[at + 1];
}

const METHOD = /^(get|post|put|patch|delete|head|options)$/i;
const HTTPIE = /^(http|https|xh|xhs|httpie|curlie)$/;
/** They send the same request many times. */
const LOADING = /^(hey|ab|oha|bombardier|wrk|vegeta|autocannon|k6|httpx|grpcurl)$/;

/** What a program sends where nobody names the method. */
const DEFAULTS: Readonly<Record<string, (line: Line, texts: readonly string[]) => string>> = {
  curl: ({ given }) => {
    if (given.has("-I")) return "HEAD";
    if (given.has("-T")) return "PUT";
    const sends = ["-d", "--data-urlencode", "-F", "--json"].some((option) => given.has(option));
    return sends && !given.has("-G") ? "POST" : "GET";
  },
  wget: (_, texts) => (texts.some((text) => /^--post-(data|file)/.test(text)) ? "POST" : "GET"),
  "gh api": ({ given }) => (["-f", "-F", "--input"].some((option) => given.has(option)) ? "POST" : "GET"),
  http: httpie,
  https: httpie,
  xh: httpie,
  xhs: httpie,
};

/** Fields of a body make it a post. */
function httpie({ operands }: Line): string {
  return operands.slice(1).some(({ text }) => /^[\w-]+(:?=)[^=]/.test(text)) ? "POST" : "GET";
}
