import { TEXT_MAX } from "../../src/core/shell/script.ts";

/** A little less than the longest text that is parsed. */
const LETTERS = TEXT_MAX - 100;

const filled = (piece: string, letters = LETTERS) => piece.repeat(Math.floor(letters / piece.length));

const numbered = (piece: (i: number) => string, letters = LETTERS) => {
  let text = "";
  for (let i = 0, next = piece(0); text.length + next.length <= letters; next = piece(++i)) text += next;
  return text;
};

const nested = (open: string, inner: string, close: string, depth: number) =>
  open.repeat(depth) + inner + close.repeat(depth);

/** Each is short and may be repeated a thousand times. */
const PIECES = [
  "cp a b;",
  "mv .a/ .b/;",
  "cp .a/b {c,d}*;",
  "rm -rf ~/.a $b;",
  "a=$a$a;",
  "a=1 b;",
  "export a=$(b);",
  "read a b;",
  "((a=b+c));",
  "[[ a -gt b ]];",
  ">a;",
  "{fd}<a ",
  "cat <<E\n$(a)\nE\n",
  "cd ../a&&",
  "cd a||cd b;",
  "pushd a;",
  "alias a='rm x';",
  "f(){ cd a; };",
  "eval 'cp a b';",
  'bash -c "cp $a b";',
  "trap 'rm a' EXIT;",
  "find a b c d -name x -exec rm {} + ;",
  "find a b|xargs -I{} cp {} {} x;",
  "find a b|while read f;do cp $f x;done;",
  "fd a b c -x rm {};",
  "env a=1 ",
  "sudo ",
  "xargs ",
  "git -c alias.a='!rm x' a;",
  "git log --a --b;",
  "rsync .{1..64} b;",
  "tee a*[b]*c;",
  "psql -c 'select a(b)';",
  "sed s/a/b/w;",
  "curl http://a.b;",
  "for a in 1 2 3 4 5 6 7 8;do cp $a b;done;",
  "case a in b|c)d;;esac;",
  "if a;then b;fi;",
  "(a);",
  "a|",
  "$(a) ",
  "`a` ",
  "<(a) ",
  ["$", "{a:=b} "].join(""),
  "{a,b}",
  "* ",
  "-a ",
  "a=1 ",
  "'a'\"b\" ",
];

/** Contexts for such pieces. */
const FRAMES: Readonly<Record<string, (piece: string) => string>> = {
  "all over": (piece) => filled(piece),
  "as words": (piece) => `cp ${filled(piece, LETTERS - 10)} x`,
  "behind variables": (piece) => numbered((i) => `v${i}=${i};`, 6_000) + filled(piece, 9_500),
  "in a loop": (piece) => `for a in 1 2 3 4 5 6 7 8; do ${filled(piece, LETTERS - 50)} done`,
  "in loops behind variables": (piece) =>
    `${numbered((i) => `v${i}=${i};`, 6_000)}for a in 1 2 3; do for b in 1 2 3; do ${filled(piece, 9_000)} done; done`,
  "in a text": (piece) => `bash -c '${filled(piece.replaceAll("'", ""), LETTERS - 20)}'`,
  "in texts within a loop": (piece) =>
    `for a in 1 2 3; do bash -c '${filled(piece.replaceAll("'", ""), 15_000)}'; done`,
  "in a substitution": (piece) => `echo "$(${filled(piece, LETTERS - 20)})"`,
  "behind folders": (piece) => `cd a; cd b || cd c; ${filled(piece, LETTERS - 30)}`,
};

/** Constructs that can be nested in themselves. */
const NESTED: readonly (readonly [open: string, close: string])[] = [
  ["for a in 1 2 3 4 5 6 7 8; do ", " done;"],
  ["for a in 1; do x=1; ", " done;"],
  ["while a; do x=$x; ", " done;"],
  ["if a; then b; elif c; then ", " fi;"],
  ["case a in b) ", ";; esac;"],
  ["f() { v=1; ", "; }; "],
  ["(x=1; ", ")"],
  ["{ ", "; } > a; "],
  ["a && { x=1; ", "; }"],
  ["find . | while read f; do ", " done"],
  ["for f in $(find a b c); do ", " done;"],
  ["echo $(", ")"],
  ['echo "$(', ')"'],
  ["cat <(", ")"],
  ["a=($(", "))"],
  ["a[$(", ")]=1"],
  [["echo $", "{a:-"].join(""), "}"],
  ["echo $((1+", "))"],
  ["[[ ( a && ", " ) ]]"],
  ["eval ", ""],
  ["bash -c '", "'"],
  ["find . -exec ", ""],
  ["xargs -I{} ", ""],
];

const DEPTHS = [8, 39, 300, 2_000];

/** Each one with another number, so that nothing can be cached for all of them. */
const NUMBERED: Readonly<Record<string, (i: number) => string>> = {
  "files copied": (i) => `cp f${i} g${i};`,
  "files deleted": (i) => `rm f${i};`,
  "variables joined": (i) => `v${i}=${i}&&`,
  "variables handed on": (i) => `v${i + 1}=$v${i};`,
  "variables in branches": (i) => `if v${i}=1;then b;fi;`,
  functions: (i) => `f${i}(){ a; };f${i};`,
  folders: (i) => `cd d${i}&&`,
  "commands in folders": (i) => `(cd d${i};rm x);`,
  "files written": (i) => `>f${i} `,
  patterns: (i) => `cat {a,b}${i}*;`,
  "options never heard of": (i) => `git log --o${i};`,
};

/** Single words that are very long. */
const LONG = ["a/", "../", ".env/", "*", "a*b/", "[a", "a=", "é", "1-2-3-4.", "--a", "~/", "\\\\", '""'];
const GIVEN_TO = ["cat", "rm", "cp x", "find", "curl", "git log", "sed", "awk", "psql -c", "cd", "tee", "ssh"];

/** Texts of an attacker who wants to keep the parser busy. */
export function hostileTexts(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const put = (name: string, text: string) => {
    if (text.length <= TEXT_MAX) found.set(name, text);
  };
  for (const piece of PIECES) for (const [name, frame] of Object.entries(FRAMES)) put(`${piece} ${name}`, frame(piece));
  for (const [open, close] of NESTED)
    for (const depth of DEPTHS) put(`${open}, ${depth} deep`, nested(open, "x=1; cp a b", close, depth));
  for (const [name, piece] of Object.entries(NUMBERED)) {
    put(name, numbered(piece));
    put(`${name} in loops`, `for x in 1 2 3; do for y in 1 2 3; do ${numbered(piece, 16_000)} done; done`);
  }
  for (const letters of LONG)
    for (const program of GIVEN_TO) put(`${program} a word of ${letters}`, `${program} ${filled(letters, 16_000)}`);
  return found;
}
