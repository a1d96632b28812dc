import { expect, test } from "vitest";
import { say } from "../messages/message.ts";
import { readScript } from "./read.ts";
import type { Script, Simple, Word } from "./script.ts";

/** `~x~` is a pattern, `$x$` a word that is known only at run time. */
const shown = (word: Word) => ({ plain: word.text, glob: `~${word.text}~`, open: `$${word.text}$` })[word.kind];
const line = (simple: Simple) => simple.words.map(shown).join(" ");
const lines = (text: string) => readScript(text).simples.map(line);
const folders = (text: string) => readScript(text).simples.map((simple) => [line(simple), simple.folders]);
const isReadable = (text: string) => readScript(text).readable;
const doubts = (text: string): Script["doubts"] => readScript(text).doubts;

test("every simple command is found, wherever it is in the script", () => {
  expect(lines("a; b && c || d | e & f")).toEqual(["a", "b", "c", "d", "e", "f"]);
  expect(lines("a\nb \\\n c")).toEqual(["a", "b c"]);
  expect(lines("if a; then b; elif c; then d; else e; fi")).toEqual(["a", "b", "c", "d", "e"]);
  expect(lines("while a; do b; done; until c; do d; done")).toEqual(["a", "b", "c", "d"]);
  expect(lines("case x in y) a;; *) b;; esac; { c; }; (d); ! e; time f; coproc g")).toEqual([..."abcdefg"]);
  expect(lines("f() { a; }; function g { b; }; f")).toEqual(["a", "b", "f"]);
});

test("the commands in a substitution run before the command that contains it", () => {
  expect(lines('echo $(a) "`b`" <(c) ${x:-$(d)} $((1 + $(e)))')).toEqual([
    ..."abcde",
    "echo $$(a)$ $`b`$ /dev/fd/63 $${x:-$(d)}$ $$((1 + $(e)))$",
  ]);
  expect(lines("x=$(a) b; y=(c $(d)); z[$(e)]=1")).toEqual(["a", "b", "d", "e"]);
  expect(lines("cat <<EOF\n$(a)\nEOF")).toEqual(["a", "cat"]);
  expect(lines("cat <<'EOF'\n$(a)\nEOF")).toEqual(["cat"]);
  expect(lines("cat <<< $(a) > $(b)")).toEqual(["b", "a", "cat"]);
  expect(lines("[[ $(a) == b ]] && (( $(c) ))")).toEqual(["a", "c"]);
  expect(lines("for x in $(a); do b; done > $(c)")).toEqual(["c", "", "a", "b"]);
});

test("quotes, escapes and pieces of a word are joined as the shell joins them", () => {
  expect(lines(`r"m" 'a b'c \\d $'\\x41' "e'f"`)).toEqual(["rm a bc d A e'f"]);
  expect(lines("{a,b}.ts {1..3}")).toEqual(["a.ts b.ts 1 2 3"]);
  expect(lines("ls *.ts a[bc] ?x '*'")).toEqual(["ls ~*.ts~ ~a[bc]~ ~?x~ *"]);
});

test("a variable has a known value only where that value is certain", () => {
  expect(lines('X=a; cat $X "$X/b" ${X}')).toEqual(["cat a a/b a"]);
  expect(lines("X=a; X=b; cat $X")).toEqual(["cat b"]);
  expect(lines("X='a b'; cat $X \"$X\"")).toEqual(["cat $$X$ a b"]);
  expect(lines("X=a true; cat $X")).toEqual(["true", "cat $$X$"]);
  expect(lines("test -f a && X=a; cat $X")).toEqual(["test -f a", "cat $$X$"]);
  expect(lines("X=a; (X=b); cat $X")).toEqual(["cat a"]);
  expect(lines("X=a; if b; then X=c; fi; cat $X")).toEqual(["b", "cat $$X$"]);
  expect(lines("X=a; read X; cat $X")).toEqual(["read X", "cat $$X$"]);
  expect(lines("X=a; eval b; cat $X")).toEqual(["eval b", "cat $$X$"]);
  expect(lines("X=a; while b; do cat $X; X=c; done")).toEqual(["b", "cat $$X$"]);
  expect(lines("X=a; IFS=x; cat $X")).toEqual(["cat $$X$"]);
  expect(lines('cat "$HOME/a" $HOME ~/b $PWD/c $? x$HOME')).toEqual(["cat ~/a ~ ~/b ./c $$?$ $x~$"]);
});

test("an arithmetic expression is computed if its parts are known; otherwise it counts as some digits", () => {
  expect(lines("n=10; X=abc; cat f$((n+2)) $((2*(3-5))) ${#X} $[12]")).toEqual(["cat f12 -4 3 12"]);
  expect(lines("cat f$((7/2)) $$ $((010))")).toEqual(["cat $f$((7/2))$ $$$$ $$((010))$"]);
});

test("a variable that the shell sets by itself is never certain", () => {
  expect(lines("REPLY=a; read <<< b; cat $REPLY").at(-1)).toBe("cat $$REPLY$");
  expect(lines("REPLY=a; read X <<< b; cat $REPLY").at(-1)).toBe("cat a");
  expect(lines("REPLY=a; select X in b; do break; done; cat $REPLY").at(-1)).toBe("cat $$REPLY$");
  expect(lines("_=a; : b; cat $_").at(-1)).toBe("cat $$_$");
  expect(lines("X=a; X=b export X; cat $X").at(-1)).toBe("cat $$X$");
  expect(lines("X=a; if b; then X=c; else cat $X; fi").at(-1)).toBe("cat $$X$");
});

test("after a list, the folder may be any that the list enters, and $PWD is the current folder", () => {
  expect(folders("cd a && b && cd ..; c").at(-1)).toEqual(["c", ["", "a/..", "a"]]);
  expect(folders("cd a || cd b && c").at(-1)).toEqual(["c", ["a", "b", "a/b"]]);
  expect(folders("! cd a && c").at(-1)).toEqual(["c", ["", "a"]]);
  expect(folders("cd a && cat $PWD/x").at(-1)).toEqual(["cat ./x", ["a"]]);
  expect(lines("X=$PWD; cd a && cat $X/x").at(-1)).toBe("cat $$X/x$");
});

test("a loop over a few plain words is read once for each word", () => {
  expect(lines("for f in a b; do rm $f; done")).toEqual(["rm a", "rm b"]);
  expect(lines('for f in *.ts; do cat "$f" d/$f; done')).toEqual(["cat ~*.ts~ ~d/*.ts~"]);
  expect(lines("for f in; do cat $f; done")).toEqual(["cat $$f$"]);
  expect(lines("for f in $(ls); do cat $f; done")).toEqual(["ls", "cat ~**~"]);
  expect(lines("for f in $(find src -name '*.ts' | sort); do cat $f; done").slice(2)).toEqual([
    "cat ~src~",
    "cat ~src/**~",
    "cat ~src/**/*.ts~",
  ]);
  expect(lines('find src | while read -r f; do cat "$f" $f; done').slice(2)).toEqual([
    "cat ~src~ $$f$",
    "cat ~src/**~ $$f$",
  ]);
  expect(lines("for f in $(ls); do cat d/$f; done")).toEqual(["ls", "cat $d/**$"]);
  expect(lines("for f in $(cat names); do cat $f; done")).toEqual(["cat names", "cat $$f$"]);
  expect(lines("for f in $(ls; cat names); do cat $f; done")).toEqual(["ls", "cat names", "cat $$f$"]);
  expect(lines("for f in a b; do f=c; rm $f; done; cat $f")).toEqual(["rm c", "rm c", "cat $$f$"]);
  const words = Array.from({ length: 65 }, (_, i) => `f${i}`).join(" ");
  expect(lines(`for f in ${words}; do cat $f; done`)).toEqual(["cat $$f$"]);
});

test("the working folder is tracked, and if there are several possibilities, all of them count", () => {
  expect(folders("cd a && b; c")).toEqual([
    ["cd a", [""]],
    ["b", ["a"]],
    ["c", ["", "a"]],
  ]);
  expect(folders("(cd a; b); c")).toEqual([
    ["cd a", [""]],
    ["b", ["", "a"]],
    ["c", [""]],
  ]);
  expect(folders("cd a || b")).toEqual([
    ["cd a", [""]],
    ["b", ["", "a"]],
  ]);
  expect(folders("cd a && cd b && c")[2]).toEqual(["c", ["a/b"]]);
  expect(folders("cd && a")[1]).toEqual(["a", ["~"]]);
  expect(folders("cd $X && a")[1]).toEqual(["a", undefined]);
  expect(folders("cd - && a")[1]).toEqual(["a", undefined]);
  expect(folders("pushd a; b")[1]).toEqual(["b", ["", "a"]]);
  expect(folders("pushd a && b && popd && c")[3]).toEqual(["c", [""]]);
  expect(folders("pushd a && pushd b && popd && c")[3]).toEqual(["c", ["a"]]);
  expect(folders("pushd a; popd; b")[2]).toEqual(["b", ["", "a"]]);
  expect(folders("popd; a")[1]).toEqual(["a", undefined]);
  expect(folders("pushd +1 && a")[1]).toEqual(["a", undefined]);
  expect(folders("pushd $X && popd && a")[2]).toEqual(["a", undefined]);
  expect(folders("if a; then pushd b; fi; popd; c")[3]).toEqual(["c", undefined]);
  expect(folders("command cd a && b")[1]).toEqual(["b", ["a"]]);
  expect(folders("for d in a b; do cd $d; c; done")[1]?.[1]).toBeUndefined();
  expect(folders("cd a | b; c")[2]).toEqual(["c", [""]]);
});

test("a redirection opens a file, but a copy of a descriptor does not", () => {
  const opened = (text: string) =>
    readScript(text).simples.flatMap(({ redirects }) =>
      redirects.map(({ writes, to }) => `${writes ? ">" : "<"}${shown(to)}`),
    );
  expect(opened("a > b >> c 2> d &> e >| f <> g < h")).toEqual([">b", ">c", ">d", ">e", ">f", ">g", "<g", "<h"]);
  expect(opened("a 2>&1 >&- <&3 3<&0-")).toEqual([]);
  expect(opened("a >& b; > c; { d; } > e")).toEqual([">b", ">c", ">e"]);
  expect(opened("a > $X")).toEqual([">$$X$"]);
});

test("the input of a command is known if it is written in the script", () => {
  const inputs = (text: string) => readScript(text).simples.map((simple) => simple.input);
  expect(inputs("a <<< b")).toEqual([{ text: "b" }]);
  expect(inputs("a <<'E'\nb $x\nE")).toEqual([{ text: "b $x\n" }]);
  expect(inputs("a <<E\nb $x\nE")).toEqual([{ written: "b $x\n" }]);
  expect(inputs("a <<E\n\\$x\nE")).toEqual([{ written: "\\$x\n" }]);
  expect(inputs("a < b")).toEqual(["unknown"]);
  expect(inputs("a | b")[1]).toMatchObject({ from: { words: [{ kind: "plain", text: "a" }] } });
});

test("text that bash refuses, or with invisible characters, is not readable", () => {
  expect(["ls", "echo 'ä'", "a\tb", "echo '⚠\ufe0f'"].map(isReadable)).toEqual([true, true, true, true]);
  const bad = [
    'echo "a',
    "ls;)rm",
    "ls \u202e",
    "ls\u200bx",
    "ls\u0000",
    "ls\rrm x",
    "a".repeat(70_000),
    "if a; then",
    "ls \u00a0x",
    "ls \ufe0fx",
    "l\u034fs",
  ];
  expect(bad.map(isReadable)).toEqual(bad.map(() => false));
});

test("nothing is trusted where the grammar and bash may split words differently", () => {
  const torn = [
    "a 1<(b)",
    "a {v}<(b)",
    "X=<(a) b",
    "a <(b)c",
    "X=>(a)b c",
    "a <(b)# c",
    "a $\\\nX",
    "a(b",
    "a && b( && c",
    "(a(b)",
    "a $[b",
    "a $[b[0]",
    'a "$[b"',
    'a x"$[[b" 2 ',
    "a 2>2>b",
    "time &",
    "a <\nb",
    "a; b (",
    "a \\",
    'a <<"E\nb',
    'a <<"E$(("\nb',
    "for f in; do a <\n b; done",
    "a >\\\n>b",
  ];
  expect(torn.map(isReadable)).toEqual(torn.map(() => false));
  const whole = [
    "a <(b) c",
    "a>b",
    "X=1 a<b",
    "a 'x<(b)'",
    'a \'$[b\' "\\$[b" "$[1]"',
    "a x\\;y",
    "diff <(a) <(b)",
    "(a)#b",
    "a <<E | b; c\nd (e\nE\nf",
    "a <<'E' && b\n(\nE\n",
    "a && # b\n c",
    "if a; then b; fi # c",
    "a &\nb",
    "a |\\\n b",
  ];
  expect(whole.map(isReadable)).toEqual(whole.map(() => true));
});

test("a word that only the shell can expand stays unknown", () => {
  expect(lines("a ~+/b ~- ~ben ~ ~/c")).toEqual(["a $~+/b$ $~-$ $~ben$ ~ ~/c"]);
  expect(lines("a $PWD/b $PWD. b$PWD $HOME. b$HOME")).toEqual(["a ./b $..$ $b.$ $~.$ $b~$"]);
  expect(lines("X=~/q; a $X b$X; export Y=$HOME/q; a b$Y")).toEqual(["a ~/q $b~/q$", "export Y=~/q", "a $b~/q$"]);
  expect(lines("a {,} {b,} x{,y} $! $'\\x{61}'")).toEqual(["a ${,}$ ${b,}$ x xy $$!$ $$'\\x{61}'$"]);
});

test("the value of a variable that the shell sets or changes by itself is unknown", () => {
  expect(lines("X=a; exec {X}>b; c $X").at(-1)).toBe("c $$X$");
  expect(lines("X=a; coproc X { b; }; c $X").at(-1)).toBe("c $$X$");
  expect(lines("declare -u X; X=a; c $X").at(-1)).toBe("c $$X$");
  expect(lines("X=a; local X=b; c $X").at(-1)).toBe("c $$X$");
});

test("a setting that changes how words are split leaves the script in doubt", () => {
  const changed = ["set -k", "set +B", "set -o posix", "shopt -s nullglob", "set $X"];
  expect(changed.filter((text) => doubts(text).length === 0)).toEqual([]);
  const same = ["set -euo pipefail", "set -- a b", "set +x", "shopt -s globstar extglob", "set -f"];
  expect(same.filter((text) => doubts(text).length > 0)).toEqual([]);
});

test("a name that is a function or an alias no longer means a program", () => {
  expect([...readScript("a; ls() { rm x; }").shadowed]).toEqual(["ls"]);
  expect([...readScript("alias ls='rm x'").shadowed]).toEqual(["ls"]);
});

test("arithmetic over variables is in doubt, because bash runs commands in their subscripts", () => {
  expect(doubts("echo $((1 + 2))")).toEqual([]);
  const open = [
    "echo $((x))",
    "((x++))",
    "x=$(a); echo $((x))",
    "x=1; read x; echo $((x))",
    "x=1; read -ax; echo $((x))",
    "x=1; while a; do echo $((x)); x='b[$(c)]'; done",
    "x=1; printf -vx %s a; echo $((x))",
    "x=1; eval a; echo $((x))",
    "x=1; echo $((y[x]))",
    "read x; echo ${a[x]}",
    "read x; echo ${a:x}",
    "read x; a[x]=1",
    "x=a; echo $((x + 1))",
    "[[ $x -gt 0 ]] && ls",
    "[[ ! ( a == b || x -eq 1 ) ]]; ls",
    "[[ -v 'a[$(b)]' ]]; ls",
    "[[ $(a) -lt 3 ]]; ls",
  ];
  expect(open.filter((text) => !doubts(text).some((one) => one.say === "note.arithmetic_may_run"))).toEqual([]);
});

test("arithmetic over variables that can only be numbers is not in doubt", () => {
  const sure = [
    "i=0; while a; do i=$((i + 1)); done",
    "for ((i=0;i<3;i++)); do echo $i; done",
    "for i in 1 2 3; do echo $((i * 2)); done",
    "n=0; while read -r line; do ((n++)); done < a; echo $n",
    "echo $((RANDOM % 5)) $((UID))",
    "a=(1 2); echo ${a[@]} ${#a[@]} ${a[0]} ${a:1:2}",
    "x=5; y=$((x / 2)); echo $((x > y ? x : y))",
    '[[ $# -eq 0 || $? -ne 0 || "${#a[@]}" -gt 1 ]]',
    "n=5; [[ $n -gt -1 && -v n && -f a && $b == c ]]",
  ];
  expect(sure.filter((text) => doubts(text).length > 0)).toEqual([]);
});

test("a variable that is expanded as a prompt is in doubt, because a prompt can run commands", () => {
  expect(doubts("x='$(a)'; echo ${x@P}")).toEqual([say("note.prompt_runs_commands")]);
  expect(doubts('echo "${x[@]@P}"')).toEqual([say("note.prompt_runs_commands")]);
  expect(doubts("echo ${x@Q}")).toEqual([]);
});

test("nested loops are given up at a limit, however deep and however short they are", () => {
  const nested = (depth: number, body: string) => "for a in 1 2; do ".repeat(depth) + body + "; done".repeat(depth);
  expect(readScript(nested(3, "ls $a")).simples).toHaveLength(8);
  const many = [nested(60, "x=1"), nested(250, ":"), nested(400, ":"), nested(8, "x=1; ".repeat(500) + ":")];
  expect(many.map((text) => readScript(text).readable)).toEqual(many.map(() => false));
});
