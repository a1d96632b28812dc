import { realpathSync } from "node:fs";
import { expect, test } from "vitest";
import { say } from "../../src/core/messages/message.ts";
import { understand } from "../../src/core/shell/understand.ts";
import { isFully, unseen } from "./compare.ts";
import { placeOf, traceAll } from "./sandbox.ts";
import { scriptsFrom } from "./scripts.ts";

const SCRIPTS = process.env["LEEWAY_PROVE"] === undefined ? 120 : 6_000;
const SEED = 20_261_117;

/** Shells that a command may name, and how it starts them. */
const SHELLS: readonly (readonly [command: string, program: string])[] = [
  ["sh", "sh"],
  ["dash", "dash"],
  ["busybox sh", "busybox"],
  ["zsh", "zsh"],
  ["ksh", "ksh"],
  ["mksh", "mksh"],
];

/** Texts that mean one thing to bash and another to some other shell. `p1` must not be started unnoticed. */
const PARTING: readonly string[] = [
  "X='p1 a'; if [[ b || $X ]]; then p2; fi",
  "X='p1 a'; if [[ b && $X ]]; then p2; fi",
  "[[ a > b ]] && p2",
  "p2 a &> out",
  "p2 a >& out",
  "rm 10> out",
  "X=a; X=b :; p2 $X",
  "X=a; X=b export Y; p2 $X",
  "X=a; X=b eval :; p2 $X",
  "X=a; X=b set --; p2 $X",
  "X=a; X=b command :; p2 $X",
  "X=a; time X=b; p2 $X",
  "p2() { :; }; time p2 a",
  "UID=b; p2 $UID",
  "RANDOM=b; p2 $RANDOM",
  "PPID=b; p2 $PPID",
  "SECONDS=b; p2 $SECONDS",
  "p2 {a,b}",
  'p2 {a,"c d"}',
  "p2 {1..3}",
  "p2 $'a\\nb'",
  'p2 $"a"',
  "X=a; X+=b; p2 $X",
  "p2 {fd}> out",
  "A[1]=b; p2 $A",
  "function f { p1; }; p2",
  "pushd d; p2",
  "((1 > 2)) && p1; p2",
  "for ((i=0;i<2;i++)); do p2; done",
  "local X=a; p2 $X",
  "X='a b'; export Y=$X; p2 $Y",
  "X='a b'; p2 $X",
  "X=a/b; p2 $X:h",
  "p2 <1-9> out",
  "cd a b; p2",
  "p2 $+X",
  "p2 =p1",
  "p2 (a|b)",
  "p2 ~+",
  "p2 a=~",
  "echo a |& p2",
  "p2 <(p1)",
  "X=p1; p2 ${X/p1/a}",
  "X=abc; p2 ${X:1}",
  "p2 $((2 ** 3))",
  "p2 `echo \\`echo a\\``",
  "time p2",
  "! p2",
  "p2 a # b",
  "case a in a) p2;; esac",
  "p2 > out 2>&1",
  "cd d && p2 b",
  "if test -f a; then p2; else p1; fi",
  "p2 'a b' \"c d\"",
  "for x in a b; do p2 $x; done",
  "(cd d; p2)",
  "p2 a | cat",
];

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** What a shell did with fully understood texts that the parser did not find. */
async function surprises(shell: string, texts: readonly string[]) {
  const commands = texts.map((text) => `${shell} -c ${quoted(text)}`).filter(isFully);
  const traces = await traceAll(commands);
  const wrong = commands.flatMap((command, i) => {
    const trace = traces[i];
    const why = trace === undefined ? ["it left no trace"] : unseen(command, trace);
    return why.length === 0 ? [] : [{ command, why }];
  });
  return { wrong, fully: commands.length, starting: traces.filter(({ starts }) => starts.length > 0).length };
}

const here = SHELLS.filter(([, program]) => placeOf(program) !== undefined);
const missing = SHELLS.filter((one) => !here.includes(one)).map(([, program]) => program);

test(`the shells that are compared with bash: ${missing.length === 0 ? "all" : `all but ${missing.join(", ")}, not installed here`}`, () => {
  if (missing.length > 0) console.warn(`not compared, because not installed: ${missing.join(", ")}`);
  // Nearly every system has one of the small shells as its sh; without any this file would prove nothing.
  expect(here.map(([, program]) => program)).toContain("sh");
});

for (const [shell] of here) {
  test(`for a text that is fully understood, ${shell} does only what the parser found`, async () => {
    const { wrong, starting } = await surprises(shell, [...PARTING, ...new Set(scriptsFrom(SEED, SCRIPTS))]);
    expect(wrong).toEqual([]);
    // If everything were in doubt, this would prove nothing.
    expect(starting).toBeGreaterThan(SCRIPTS / 50);
  });
}

test("every text with which sh does something else is marked as doubtful", async () => {
  const commands = PARTING.map((text) => `sh -c ${quoted(text)}`);
  const traces = await traceAll(commands);
  const other = commands.filter((command, i) => {
    const trace = traces[i];
    return trace !== undefined && unseen(command, trace).length > 0;
  });
  // If sh is bash itself, it does the same.
  expect(other.length > 5 || realpathSync(placeOf("sh") ?? "").endsWith("bash")).toBe(true);
  expect(other.filter(isFully)).toEqual([]);
});

test("a text inside a text is read in the dialect of the shell that gets it", () => {
  const doubts = (line: string) => understand({ line }).doubts;
  const parting = "[[ a || b ]]";
  const said = say("note.shell_reads_differently", { shell: "sh" });
  expect(doubts(`bash -c '${parting}'`)).toEqual([]);
  expect(doubts(`eval '${parting}'`)).toEqual([]);
  expect(doubts(`sh -c '${parting}'`)).toContainEqual(said);
  expect(doubts(`bash -c "sh -c '${parting}'"`)).toContainEqual(said);
  expect(doubts(`sh -c "eval '${parting}'"`)).toContainEqual(said);
  expect(doubts(`sh -c "bash -c '${parting}'"`)).toContainEqual(said);
  expect(doubts(`watch '${parting}'`)).toContainEqual(said);
  expect(doubts(`flock a -c '${parting}'`)).toContainEqual(said);
  expect(doubts(`zsh -c '${parting}'`)).toContainEqual(say("note.shell_reads_differently", { shell: "zsh" }));
});
