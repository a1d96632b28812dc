import { readFileSync } from "node:fs";
import { type Random, random } from "../model/random.ts";
import { mutated } from "./mutate.ts";

/** Words and phrases of bash by their kind, plain and unusual. */
const PIECES = JSON.parse(readFileSync(new URL("pieces.json", import.meta.url), "utf8")) as Record<
  | "programs"
  | "texts"
  | "joins"
  | "handed"
  | "settings"
  | "positions"
  | "arrays"
  | "declarations"
  | "folders"
  | "moves"
  | "steps"
  | "descriptors"
  | "redirections"
  | "variables"
  | "homes"
  | "specials"
  | "expansions"
  | "patterns"
  | "braces"
  | "escapes"
  | "counts"
  | "oddities"
  | "quotes"
  | "phrases",
  readonly string[]
>;

/** Random bash from a grammar, and the same with letters lost, doubled, inserted or spliced: as people and attackers write it. */
export function scriptsFrom(seed: number, count: number): readonly string[] {
  const chance = random(seed);
  const made: string[] = [];
  while (made.length < count) {
    const fresh = chance.chance(0.7) ? scriptOf(chance, 2 + chance.int(2)) : phraseOf(chance);
    const text = chance.chance(0.35) ? mutated(fresh, chance, made) : fresh;
    if (text.length <= 2_000 && !REACHING.test(text)) made.push(text);
  }
  return made;
}

/** Nothing that leaves its folder or touches other processes is run, however unlikely it is. */
const REACHING = /\/(tmp|var|proc|sys|home|root|etc|dev\/(tcp|udp|shm|pts|tty))|kill|ulimit|\0/;

const NAMES = PIECES.programs;
const VARIABLES = ["X", "Y", "Z", "f", "i", "REPLY", "_"] as const;
const TEXTS = PIECES.texts;

function scriptOf(c: Random, depth: number): string {
  const parts = Array.from({ length: 1 + c.int(3) }, () => statement(c, depth));
  return parts.reduce((held, part) => held + (held.endsWith("\n") ? "" : c.pick(JOINS)) + part);
}

const JOINS = PIECES.joins;

type Make = (c: Random, depth: number) => string;

function statement(c: Random, depth: number): string {
  if (depth <= 0 || c.chance(0.45)) return simple(c, depth);
  return c.pick(STATEMENTS)(c, depth - 1);
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const twice = (text: string) => `"${text.replace(/["\\$`]/g, "\\$&")}"`;
const body = (c: Random, depth: number) => {
  const text = scriptOf(c, depth);
  return text.endsWith("\n") ? text : `${text};`;
};
const name = (c: Random) => c.pick(VARIABLES);
const nested = (c: Random, depth: number) => (c.chance(0.7) ? quoted : twice)(scriptOf(c, depth));
const value: Make = (c, depth) => (c.chance(0.5) ? c.pick(TEXTS) : word(c, depth));

const STATEMENTS: readonly Make[] = [
  (c, d) => `if ${body(c, d)} then ${body(c, d)} fi`,
  (c, d) => `if ${body(c, d)} then ${body(c, d)} elif ${body(c, d)} then ${body(c, d)} else ${body(c, d)} fi`,
  (c, d) => `while no1; do ${body(c, d)} done`,
  (c, d) => `while ${body(c, d)} do ${body(c, d)} break; done`,
  (c, d) => `until ${simple(c, d)}; do ${body(c, d)} break; done`,
  (c, d) => `for ${name(c)} in ${words(c, d, 3)}; do ${body(c, d)} done`,
  (c, d) => `for ${name(c)} in ${words(c, d, 3)}; do ${c.pick(NAMES)} $${name(c)} "$${name(c)}"; done`,
  (c, d) => `for ${name(c)}; do ${body(c, d)} done`,
  (c, d) => `for ((i=0; i<2; i++)); do ${body(c, d)} done`,
  (c, d) => `for ${name(c)} in ${words(c, d, 2)}; { ${body(c, d)} }`,
  (c, d) => `case ${word(c, d)} in ${word(c, 0)}) ${body(c, d)};; *) ${body(c, d)};; esac`,
  (c, d) => `case ${word(c, d)} in (a|b) ${scriptOf(c, d)}\n;& x*) ${scriptOf(c, d)}\n;;& *) ${scriptOf(c, d)}\nesac`,
  (c, d) => `f() { ${body(c, d)} }; f ${words(c, d, 2)}`,
  (c, d) => `function g { ${body(c, d)} }\ng ${words(c, d, 1)}`,
  (c, d) => `${c.pick(NAMES)}() { ${body(c, d)} }; ${simple(c, d)}`,
  (c, d) => `f() ( ${body(c, d)} ) > ${c.pick(TEXTS)}; f`,
  (c, d) => `( ${scriptOf(c, d)} )`,
  (c, d) => `{ ${body(c, d)} }`,
  (c, d) => `{ ${body(c, d)} } ${redirect(c, d)}`,
  (c, d) => `( ${body(c, d)} ) ${redirect(c, d)}`,
  (c, d) => `! ${statement(c, d)}`,
  (c, d) => `time ${statement(c, d)}`,
  (c, d) => `coproc ${simple(c, d)}`,
  (c, d) => `coproc N { ${body(c, d)} }`,
  (c, d) => `[[ ${word(c, d)} ${c.pick(["==", "!=", "=~", "<", "-eq"])} ${word(c, d)} ]] && ${statement(c, d)}`,
  (c, d) => `[[ -n ${word(c, d)} || -f ${word(c, d)} ]] || ${statement(c, d)}`,
  (c, d) => `(( ${c.pick(["1", "0", "i++", "X > 1", "1 + $(p1)", "i[$(p2)]"])} )) && ${statement(c, d)}`,
  (c, d) => `[ ${word(c, d)} = ${word(c, d)} ] && ${statement(c, d)}`,
  (c) => `${c.pick(NAMES)} <<E\n${c.pick(PIECES.handed)}E\n`,
  (c) =>
    `${c.pick(NAMES)} <<${c.pick(["'E'", '"E"', "\\E", "-E", "-'E'"])}\n${c.pick(["", "a $X\n", "$(p1 h)\n", "`p2 h`\n", "\tE x\n"])}E\n`,
  (c, d) => `bash <<${c.pick(["E", "'E'"])}\n${scriptOf(c, d)}\nE\n`,
  (c, d) => `${c.pick(["bash", "cat", "sh", "xargs p1"])} <<< ${nested(c, d)}`,
  (c, d) => `eval ${nested(c, d)}`,
  (c, d) => `eval ${words(c, d, 3)}`,
  (c, d) => `bash -c ${nested(c, d)} ${words(c, 0, 2)}`,
  (c, d) => `bash -${c.pick(["e", "x", "u", "l", ""])}c ${nested(c, d)}`,
  (c, d) => `sh -c ${nested(c, d)}`,
  (c, d) => `${wrapper(c, d)} ${simple(c, d)}`,
  (c, d) => `${wrapper(c, d)} bash -c ${nested(c, d)}`,
  (c) =>
    `${scriptOf(c, 0)} | xargs ${c.pick(["", "-n1 ", "-I{} ", "-0 ", "-r ", "-t -n 2 "])}${c.pick(NAMES)} ${c.pick(["", "{}", "a {}"])}`,
  (c, d) => `printf '%s\\n' ${words(c, d, 2)} | xargs ${c.pick(["", "-n1 ", "-I% "])}${c.pick(NAMES)} %`,
  (c) =>
    `find . -name '*.ts' ${c.pick(["-exec", "-execdir"])} ${c.pick(NAMES)} ${c.pick(["{}", "a {}", "x{}"])} ${c.pick(["\\;", "+", "';'"])}`,
  (c, d) => `alias ${c.pick(NAMES)}=${quoted(simple(c, 0))}; ${simple(c, d)}`,
  (c, d) => `shopt -s ${c.pick(PIECES.settings)}\n${body(c, d)}`,
  (c, d) => `shopt -s expand_aliases\nalias ${c.pick(NAMES)}=${quoted(simple(c, 0))}\n${simple(c, d)}`,
  (c, d) => `set -- ${words(c, d, 3)}; ${c.pick(NAMES)} ${c.pick(PIECES.positions)}`,
  (c, d) => `set -${c.pick(["e", "u", "f", "x", "B", "k", "n", "a", "o noglob", "o posix"])}; ${statement(c, d)}`,
  (c, d) => `set +${c.pick(["B", "f", "e", "h"])}; ${statement(c, d)}`,
  (c, d) => `trap ${nested(c, d)} ${c.pick(["EXIT", "ERR", "DEBUG", "0", "RETURN", "INT"])}; ${statement(c, d)}`,
  (c, d) => `${name(c)}=${value(c, d)}; ${statement(c, d)}`,
  (c, d) => `${name(c)}=${value(c, d)}\n${c.pick(NAMES)} $${name(c)} "$${name(c)}"`,
  (c, d) => `${name(c)}+=${value(c, d)}; ${simple(c, d)}`,
  (c, d) => `${name(c)}=(${words(c, d, 3)}); ${c.pick(NAMES)} ${c.pick(PIECES.arrays)}`,
  (c, d) => `${c.pick(PIECES.declarations)} ${name(c)}=${value(c, d)}; ${simple(c, d)}`,
  (c, d) => `read ${c.pick(["", "-r "])}${name(c)} <<< ${word(c, d)}; ${simple(c, d)}`,
  (c, d) => `REPLY=${c.pick(NAMES)}; read ${c.pick(["", "-r"])} <<< ${c.pick(NAMES)}; $REPLY ${words(c, d, 1)}`,
  (c) => `REPLY=${c.pick(NAMES)}; select ${name(c)} in a b; do break; done <<< ${c.pick(NAMES)}; $REPLY`,
  (c, d) => `_=${c.pick(NAMES)}; ${simple(c, d)}; $_ ${words(c, d, 1)}`,
  (c, d) => `X=${c.pick(TEXTS)}; X=${value(c, d)} ${c.pick(PIECES.declarations)} X; ${c.pick(NAMES)} "$X"`,
  (c, d) =>
    `if ${simple(c, d)}; then X=${c.pick(TEXTS)}; else X=${c.pick(TEXTS)}; ${c.pick(NAMES)} $X; fi; ${simple(c, d)}`,
  (c) => `X=${c.pick(TEXTS)}; if ${c.pick(NAMES)}; then X=${c.pick(TEXTS)}; else ${c.pick(NAMES)} "$X"; fi`,
  (c, d) => `${movesOf(c)}; ${simple(c, d)}`,
  (c, d) => `${movesOf(c)} ${c.pick(["&&", "||"])} ${simple(c, d)} > ${c.pick(["out", "$PWD/out", '"$PWD"/../out'])}`,
  (c, d) => `{ ${body(c, d)} echo x > ${c.pick(PIECES.descriptors)}; } ${c.pick(["", "0", "1", "2", "3"])}< a`,
  (c) =>
    `${c.pick(["echo x", ":", "{ echo x; }"])} ${c.pick(["<a", "3<a", "2<b.ts", "4<a 3<&4", "<&2", "1>&3 3<a"])} ${c.pick([">", ">>", "&>", "2>"])} ${c.pick(PIECES.descriptors)}`,
  (c) => `echo x > ${c.pick(["", "d/", "x"])}${c.pick(PIECES.counts)}${c.pick(["", ".ts", "$((1))"])}`,
  (c, d) => `X=$PWD; ${movesOf(c)}; ${c.pick(NAMES)} "$X/a" ${word(c, d)}; echo x > $X/out`,
  (c, d) => `printf -v ${name(c)} ${word(c, d)}; ${simple(c, d)}`,
  (c, d) => `IFS=${c.pick([",", "a", "''", "/"])}; ${name(c)}=${value(c, d)}; ${simple(c, d)}`,
  (c, d) => `unset ${name(c)}; ${simple(c, d)}`,
  (c, d) => `cd ${c.pick(PIECES.folders)} ${c.pick(["&&", ";", "||", "\n"])} ${statement(c, d)}`,
  (c, d) => `${c.pick(PIECES.moves)} ${c.pick(["&&", ";"])} ${statement(c, d)}`,
  (c, d) => `mkdir n; cd n; ${simple(c, d)}`,
  (c, d) => `exec ${c.pick(["3>out", ">log", "2>&1", "<a", "p1 x", "-a p2 p3"])}; ${simple(c, d)}`,
  (c, d) => `${simple(c, d)} ${c.pick(["&", "& wait;", "&\n"])} ${simple(c, d)}`,
  (c, d) => `select ${name(c)} in a b; do ${body(c, d)} break; done`,
  (c, d) => `source ${c.pick(["/dev/stdin", "a", "<(p1)"])} <<< ${nested(c, d)}`,
  (c, d) => `mapfile -t X <<< ${word(c, d)}; ${c.pick(NAMES)} "\${X[0]}"`,
  (c, d) => `while read -r ${name(c)}; do ${body(c, d)} done < <(printf 'a\\nb\\n')`,
  (c, d) => `${simple(c, d)} > >(${simple(c, d)})`,
  (c, d) => `hash -p $PWD/../../bin/p3 ${c.pick(NAMES)}; ${simple(c, d)}`,
  (c, d) => `let ${c.pick(["i=1", "i++", "'i = 2'", "X=1+1"])}; ${simple(c, d)}`,
  (c, d) => `${name(c)}=${value(c, d)} ${simple(c, d)}`,
  (c, d) => `unset -f f; ${statement(c, d)}`,
  (c, d) => `if ((1)); then ${body(c, d)} fi`,
  (c, d) => `{ ${body(c, d)} } | while read -r ${name(c)}; do ${body(c, d)} done`,
];

/** Several folders that a list enters, any of which may not exist. */
function movesOf(c: Random): string {
  const steps = Array.from({ length: 2 + c.int(3) }, () => c.pick(PIECES.steps));
  return steps.reduce((held, step) => `${held} ${c.pick(["&&", "&&", "||"])} ${step}`);
}

function wrapper(c: Random, depth: number): string {
  return c.pick([
    "env",
    "env -i",
    `env ${name(c)}=${value(c, depth)}`,
    "env -u X",
    "env -C d",
    "timeout 2",
    "timeout -s INT 2",
    "nice",
    "nice -n 5",
    "nohup",
    "command",
    "command -p",
    "exec",
    "builtin",
    "stdbuf -oL",
    "env -S",
    "time",
    "time -p",
    "env -",
    "xargs",
    "xargs -n 1",
    "setsid",
    "env --",
    "command --",
    "command -v",
    "eval",
    "coproc",
  ]);
}

function simple(c: Random, depth: number): string {
  const sets = c.chance(0.12) ? `${name(c)}=${value(c, depth)} ` : "";
  const first = c.chance(0.85)
    ? c.pick(NAMES)
    : c.chance(0.5)
      ? spelled(c.pick(NAMES), c)
      : c.pick(["echo", ":", "true", "false", "printf %s", "pwd", "test", word(c, depth)]);
  const rest = words(c, depth, 3);
  const aside = c.chance(0.25) ? ` ${redirect(c, depth)}` : "";
  return c.chance(0.05) ? `${redirect(c, depth)} ${sets}${first} ${rest}` : `${sets}${first} ${rest}${aside}`;
}

/** One name, written in unusual ways. */
function spelled(text: string, c: Random): string {
  const cut = 1 + c.int(text.length - 1);
  const [head, tail] = [text.slice(0, cut), text.slice(cut)];
  return c.pick([
    `${head}''${tail}`,
    `'${head}'"${tail}"`,
    `\\${text}`,
    `${head}\\${tail}`,
    `$'${text}'`,
    `${head}\\\n${tail}`,
    `$'\\x70'1`,
    `{${text},a}`,
    `$"${text}"`,
    `"${head}"${tail}`,
    `${head}$Q${tail}`,
    `\${Q:-${text}}`,
    `$(echo ${text})`,
  ]);
}

function redirect(c: Random, depth: number): string {
  return `${c.pick(["", "", "", "2", "3", "{v}"])}${c.pick(PIECES.redirections)}${c.pick(["out", "log", "d/new", "&1", "/dev/null", "1", "-", word(c, depth), "$X", '"o p"', "out{1,2}", "*.new", "~/h", "2", "a"])}`;
}

function words(c: Random, depth: number, most: number): string {
  return c.upTo(most, () => word(c, depth)).join(c.chance(0.95) ? " " : c.pick(["  ", "\t", " \\\n "]));
}

function word(c: Random, depth: number): string {
  if (c.chance(0.45)) return c.pick(TEXTS);
  if (c.chance(0.12)) return word(c, depth) + word(c, depth);
  return c.pick(WORDS)(c, depth);
}

const inline = (c: Random, depth: number) =>
  depth <= 0 ? `${c.pick(NAMES)} ${c.pick(TEXTS)}` : scriptOf(c, depth - 1);

const WORDS: readonly Make[] = [
  (c) => `'${c.pick(TEXTS)} ${c.pick(["", "$X", "*", ";", "p1"])}'`,
  (c) => `"${c.pick(TEXTS)}${c.pick([" ", "$X", "*", ";", "\\\\", '\\"', "'", "\\$X", "`p1`", "\\\n"])}"`,
  (c, d) => `$(${inline(c, d)})`,
  (c, d) => `"$(${inline(c, d)})"`,
  (c) => `\`${c.pick(NAMES)} ${c.pick(TEXTS)}\``,
  (c) => `"\`${c.pick(NAMES)} \\\`p3 z\\\`\`"`,
  (c, d) => `<(${inline(c, d)})`,
  (c, d) => `>(${inline(c, d)})`,
  (c) => c.pick(PIECES.variables),
  (c) => c.pick(PIECES.homes),
  (c) => c.pick(PIECES.specials),
  (c, d) => `\${X:-${word(c, d - 1)}}`,
  (c, d) => `"\${X:+${word(c, d - 1)}}"`,
  (c, d) => `\${Y:=${word(c, d - 1)}}`,
  (c) => c.pick(PIECES.expansions),
  (c) => c.pick(PIECES.patterns),
  (c) => c.pick(["@(a|b.ts)", "!(a)", "+(a)", "?(x)a", "*(z)"]),
  (c) => c.pick(PIECES.braces),
  (c) => c.pick(PIECES.escapes),
  (c) => c.pick(PIECES.counts),
  (c) => c.pick(PIECES.oddities),
  (c) => c.pick(PIECES.quotes),
];

/** Known tricks of attackers. */
function phraseOf(c: Random): string {
  return c.pick(PHRASES).replaceAll("@", () => c.pick(NAMES));
}

const PHRASES = PIECES.phrases;
