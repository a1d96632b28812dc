import { expect, test } from "vitest";
import type { EffectClass } from "../effect.ts";
import { understand } from "./understand.ts";

/** What a command would do, and whether nothing about it is open. */
function said(line: string): { classes: readonly EffectClass[]; sure: boolean } {
  const { lines, doubts, readable } = understand({ line });
  return {
    classes: lines.flatMap((one) => [one.class, ...one.besides]),
    sure: readable && doubts.length === 0 && lines.every((one) => one.doubts.size === 0),
  };
}

test("a version is asked of the program itself, not of what it starts", () => {
  expect(said("apt --version")).toEqual({ classes: ["none"], sure: true });
  expect(said("apt install a --version")).toEqual({ classes: ["process.exec"], sure: true });
});

test("the shortest beginning of a long option is that option", () => {
  const [line] = understand({ line: "sort --o=b a" }).lines;
  expect(line?.paths.map(({ act, word }) => [act, word.text])).toEqual([
    ["write", "b"],
    ["read", "a"],
  ]);
});

test("a command that an option is given is read as a command, and the words before it stay where they are", () => {
  const { lines } = understand({ line: "fd a src -x rm -f" });
  expect(lines.map((line) => line.simple.words.map((word) => word.text))).toEqual([
    ["fd", "a", "src", "-x", "rm", "-f"],
    ["rm", "-f", "src/**", "src/**/*a*"],
  ]);
});

test("files that another file names are a doubt", () => {
  expect(said("wc --files0-from=names")).toEqual({ classes: ["fs.read"], sure: false });
});

test("a variable by which programs are led is a doubt however it is set", () => {
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

test("what a shell sets where nothing was set is not known afterwards", () => {
  expect(said('X=; : "${X:=.git/hooks/a}"; rm "$X"').sure).toBe(false);
  expect(said('X=a; rm "$X"').sure).toBe(true);
});

test("a subscript that a word of the shell may run is a doubt", () => {
  const ways = [
    "printf -v 'a[$(b)]' c",
    "read 'a[$(b)]'",
    "test -v 'a[$(b)]'",
    "unset 'a[$(b)]'",
    "declare 'a[$(b)]=c'",
  ];
  expect(ways.filter((line) => said(line).sure)).toEqual([]);
});

test("further words are what the program before prints, or anything", () => {
  expect(said("find src | xargs wc -l").sure).toBe(true);
  expect(said("find src | grep a | sort | head -n 5 | xargs wc -l").sure).toBe(true);
  expect(said("grep a names | xargs wc -l").sure).toBe(false);
  expect(said("cat names | xargs hostname").sure).toBe(false);
  expect(said("echo of=a | xargs dd").sure).toBe(false);
  expect(said("ls | xargs sort").sure).toBe(false);
});

test("a lone dash in front of what env starts is no command", () => {
  expect(said("env - rm a")).toEqual({ classes: ["none", "fs.delete"], sure: false });
  expect(said("env - A=1 rm a")).toEqual({ classes: ["none", "fs.delete"], sure: false });
  expect(said("env - PATH=x ls").sure).toBe(false);
  expect(said("env - A=1").classes).toEqual(["secrets.read"]);
});

test("what makes the shell read patterns, lists, folders or its own commands in another way is a doubt", () => {
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
