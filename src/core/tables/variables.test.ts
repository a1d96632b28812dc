import { expect, test } from "vitest";
import { passedOn, runChanging } from "./variables.ts";

test("variables that change which code runs must be part of the call, and ordinary ones need not be", () => {
  const changing = {
    BASH_ENV: "./x",
    "BASH_FUNC_ls%%": "() { evil; }",
    DYLD_INSERT_LIBRARIES: "x.dylib",
    GIT_SSH_COMMAND: "ssh -i key",
    LD_PRELOAD: "/tmp/x.so",
    NODE_OPTIONS: "--require ./x.js",
    PAGER: "sh",
    PYTHONSTARTUP: "x.py",
  };
  const usual = {
    EDITOR: "vim",
    GIT_EDITOR: "true",
    GIT_TERMINAL_PROMPT: "0",
    HOME: "/home/ana",
    LESS: "-R",
    LS_COLORS: "di=34",
    NODE_ENV: "production",
    TERMINFO: "/opt/kitty/terminfo",
    PATH: "/usr/bin",
  };
  expect(runChanging({ ...usual, ...changing, GONE: undefined })).toEqual(changing);
});

test("options of Node that load nothing are ordinary, and any other option is not", () => {
  const isChanging = (value: string) => Object.keys(runChanging({ NODE_OPTIONS: value })).length > 0;
  const mild = ["--max-old-space-size=4096", "--no-warnings --max-old-space-size=8192", "--enable-source-maps", ""];
  const grave = [
    "--max-old-space-size=4096 --require ./x.js",
    "--import=./x.mjs",
    "--max-old-space-size=4096--require=./x.js",
    "--max-old-space-size=4096\n-r ./x.js",
    "--env-file=.env",
    "--inspect",
  ];
  expect([mild.filter(isChanging), grave.filter((value) => !isChanging(value))]).toEqual([[], []]);
});

test("a program that the gate starts gets variables such as PATH and LANG, and none of the gate's secrets", () => {
  const usual = { HOME: "/home/ana", LANG: "C", LC_ALL: "C", PATH: "/usr/bin", TERM: "dumb", TZ: "UTC" };
  expect(
    passedOn({ ...usual, AWS_SECRET_ACCESS_KEY: "x", LD_PRELOAD: "x", LEEWAY_KEY: "x", NODE_OPTIONS: "x" }),
  ).toEqual(usual);
});
