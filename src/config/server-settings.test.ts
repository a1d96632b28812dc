import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SettingError } from "./environment.ts";
import { parseServerSettings, readServerSettings } from "./server-settings.ts";

const SECRET = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
const at = (line: number, column: number) => ({ file: "server.yaml", line, column });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "leeway-settings-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function refusal(act: () => unknown): SettingError {
  try {
    act();
  } catch (error) {
    if (error instanceof SettingError) return error;
    throw error;
  }
  throw new Error("it was taken");
}

test("each tool gets its runner, and omitted settings get safe defaults", () => {
  const text = `runners:
  shell:
    command: { env: { CI: "1" } }
  refund:
    http: { url: "https://pay.example.com/calls", secret: ${SECRET}, idempotent: true }
`;
  expect(parseServerSettings(text, "server.yaml")).toEqual({
    file: "server.yaml",
    runners: [
      { tool: "shell", at: at(2, 3), by: "command", env: { CI: "1" }, idempotent: false },
      {
        tool: "refund",
        at: at(4, 3),
        by: "http",
        url: "https://pay.example.com/calls",
        secret: SECRET,
        idempotent: true,
        nearby: false,
      },
    ],
  });
});

test.each([
  ["", []],
  ["runners: {}\n", []],
])("%j is refused because it names no runner", (text, runners) => {
  expect(parseServerSettings(text, "server.yaml").runners).toEqual(runners);
});

test.each([
  ["runner: {}\n", "server.yaml:1:1: unknown key `runner`; did you mean `runners`?"],
  ["runners:\n  shell: {}\n", "server.yaml:2:10: a tool has exactly one runner; write either `command` or `http`"],
  ["runners:\n  shell: { comand: {} }\n", "server.yaml:2:12: unknown key `comand`; did you mean `command`?"],
  ["runners:\n  pay:\n    http: { url: x }\n", "server.yaml:3:11: an HTTP runner needs the key `secret`"],
  [
    "runners:\n  shell: { command: { idempotent: maybe } }\n",
    "server.yaml:2:35: expected true or false, found `maybe`",
  ],
  [
    "runners:\n  shell: { command: { env: { A: 1 } } }\n",
    "server.yaml:2:33: expected the value of a variable, found the number 1",
  ],
  ["runners: [", "server.yaml:1:11: not valid YAML"],
])("%j is refused with the position of the mistake", (text, what) => {
  expect(refusal(() => parseServerSettings(text, "server.yaml")).message).toContain(what);
});

test("all mistakes are reported together, in the order of their lines", () => {
  const text = "runners:\n  a: { http: { url: x } }\n  b: { command: { env: 5 } }\n";
  const lines = refusal(() => parseServerSettings(text, "server.yaml")).message.split("\n");
  expect(lines.map((line) => line.split(" ")[0])).toEqual(["server.yaml:2:14:", "server.yaml:3:24:"]);
});

test("without a settings file there are no runners; a file that others can read or write, or that is a link, is refused", () => {
  expect(readServerSettings(folder)).toEqual({ file: join(folder, "server.yaml"), runners: [] });
  const file = join(folder, "server.yaml");
  writeFileSync(file, "runners: {}\n", { mode: 0o600 });
  expect(readServerSettings(folder).runners).toEqual([]);
  for (const mode of [0o640, 0o620, 0o604]) {
    chmodSync(file, mode);
    expect(refusal(() => readServerSettings(folder)).message).toBe(
      `${file} is open to others; close it: chmod 600 ${file}`,
    );
  }
  rmSync(file);
  symlinkSync("/dev/null", file);
  expect(refusal(() => readServerSettings(folder)).message).toBe(`${file} is a link; put the file itself there`);
});
