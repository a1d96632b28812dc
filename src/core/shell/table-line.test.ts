import { expect, test } from "vitest";
import type { EffectClass } from "../effect.ts";
import { understand } from "./understand.ts";

/** What a command would do, and whether nothing about it is in doubt. */
function said(line: string): { classes: readonly EffectClass[]; sure: boolean } {
  const { lines, doubts, readable } = understand({ line });
  return {
    classes: lines.flatMap((one) => [one.class, ...one.besides]),
    sure: readable && doubts.length === 0 && lines.every((one) => one.doubts.size === 0),
  };
}

test("--version counts for the program itself, not for a program that it starts", () => {
  expect(said("apt --version")).toEqual({ classes: ["none"], sure: true });
  expect(said("apt install a --version")).toEqual({ classes: ["process.exec"], sure: true });
});

test("a long option is recognised by its shortest unique beginning", () => {
  const [line] = understand({ line: "sort --o=b a" }).lines;
  expect(line?.paths.map(({ act, word }) => [act, word.text])).toEqual([
    ["write", "b"],
    ["read", "a"],
  ]);
});

test("a command given to an option is read as a command, and the words before it keep their place", () => {
  const { lines } = understand({ line: "fd a src -x rm -f" });
  expect(lines.map((line) => line.simple.words.map((word) => word.text))).toEqual([
    ["fd", "a", "src", "-x", "rm", "-f"],
    ["rm", "-f", "src/**", "src/**/*a*"],
  ]);
});

test("files whose names are read from another file are in doubt", () => {
  expect(said("wc --files0-from=names")).toEqual({ classes: ["fs.read"], sure: false });
});

test("a variable that controls which programs run is in doubt, however it is set", () => {
  const ways = [
    "PATH=/tmp; ls",
    "for PATH in /tmp; do ls; done",
    "read PATH < a; ls",
    "printf -v PATH /tmp; ls",
    ": ${LD_PRELOAD:=a}; ls",
    "mapfile -t LD_PRELOAD; ls",
    "export LD_PRELOAD; ls",
    "env LD_PRELOAD=a ls",
  ];
  expect(ways.filter((line) => said(line).sure)).toEqual([]);
});

test("a variable that the shell may set by default is unknown afterwards", () => {
  expect(said('X=; : "${X:=.git/hooks/a}"; rm "$X"').sure).toBe(false);
  expect(said('X=a; rm "$X"').sure).toBe(true);
});

test("a subscript that a shell builtin may run is in doubt", () => {
  const ways = [
    "printf -v 'a[$(b)]' c",
    "read 'a[$(b)]'",
    "test -v 'a[$(b)]'",
    "unset 'a[$(b)]'",
    "declare 'a[$(b)]=c'",
  ];
  expect(ways.filter((line) => said(line).sure)).toEqual([]);
});

test("further arguments are the output of the program before, or unknown", () => {
  expect(said("find src | xargs wc -l").sure).toBe(true);
  expect(said("find src | grep a | sort | head -n 5 | xargs wc -l").sure).toBe(true);
  expect(said("grep a names | xargs wc -l").sure).toBe(false);
  expect(said("cat names | xargs hostname").sure).toBe(false);
  expect(said("echo of=a | xargs dd").sure).toBe(false);
  expect(said("ls | xargs sort").sure).toBe(false);
});

test("a single dash before the command of env is not a command", () => {
  expect(said("env - rm a")).toEqual({ classes: ["none", "fs.delete"], sure: false });
  expect(said("env - A=1 rm a")).toEqual({ classes: ["none", "fs.delete"], sure: false });
  expect(said("env - PATH=x ls").sure).toBe(false);
  expect(said("env - A=1").classes).toEqual(["secrets.read"]);
});

test("a setting that changes how the shell reads patterns, lists, folders or builtins leaves the command in doubt", () => {
  const open = [
    "shopt -s dotglob; cat *",
    "shopt -s cdable_vars; cd HOME; touch a",
    "set -k; ls LD_PRELOAD=x",
    "declare -a 'a=([$(rm b)]=1)'",
    "exec < a",
    "bash -O dotglob -c 'cat *'",
  ];
  expect(open.filter((line) => said(line).sure)).toEqual([]);
  expect(understand({ line: "trap 'cd /' DEBUG; touch a" }).lines.at(-1)?.folders).toBe(undefined);
});
