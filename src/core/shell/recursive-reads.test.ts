import fc from "fast-check";
import { expect, test } from "vitest";
import { mayBeSecret } from "./recursive-reads.ts";
import { understand } from "./understand.ts";

/** Whether some program of the line shows every file below a folder that it is given. */
const showsAll = (line: string) =>
  understand({ line }).lines.some(({ paths }) => paths.some(({ all }) => all === true));

const secretly = (line: string) => understand({ line }).lines.some(({ besides }) => besides.has("secrets.read"));

test("a search for a specific text shows only the lines that contain it", () => {
  for (const pattern of ["KEY", "=>", "foo|bar", "(get|set)Value", "\\bmain\\b", "import .* from", "a{2}b\\.c"])
    expect([pattern, showsAll(`grep -rnE '${pattern}' .`)]).toEqual([pattern, false]);
});

test("a search for any text shows everything", () => {
  for (const pattern of ["", ".", "^", "$", ".*", "=", "a*", "foo|", "(foo|.)", "[A-Z_]+=", "\\w+", "x?y?z?", "[]a]"])
    expect([pattern, showsAll(`grep -rnE '${pattern}' .`)]).toEqual([pattern, true]);
});

test("the value of an option that looks like another option changes nothing", () => {
  expect(showsAll("grep -r -e . -e -l .")).toBe(true);
  expect(showsAll("grep -r -e '.*' -e -F .")).toBe(true);
  expect(showsAll("grep -rl . .")).toBe(false);
  expect(showsAll("grep -rec .")).toBe(true);
});

test("a search limited to files with secrets reads secrets, whatever it searches for", () => {
  for (const line of [
    "grep -r foo --include=.env .",
    "rg foo -g '.env*'",
    "rg foo -g '**/id_rsa'",
    "grep -r a --include '*' .",
  ])
    expect([line, secretly(line)]).toEqual([line, true]);
  for (const line of ["grep -r foo --include='*.ts' .", "rg foo -g '!.env'", "rg foo -g 'src/**'"])
    expect([line, secretly(line)]).toEqual([line, false]);
});

test("find may match everything, unless every branch of its expression requires a name that cannot be a secret's", () => {
  for (const expression of [
    "-type f",
    "! -name '*.ts'",
    "-name '*e*'",
    "-name '*.ts' -o -type f",
    "-regex '.*ts'",
    "-name '[.]env'",
  ])
    expect([expression, showsAll(`find . ${expression} -exec cat {} +`)]).toEqual([expression, true]);
  for (const expression of [
    "-name '*.ts'",
    "-type f -name '*.md'",
    "-name '*.ts' -o -iname '*.TSX'",
    "-path './src/*'",
  ])
    expect([expression, showsAll(`find . ${expression} -exec cat {} +`)]).toEqual([expression, false]);
});

test("commands that count, sum or list files do not show their content", () => {
  for (const program of ["wc -l", "sha256sum", "ls -l", "file", "stat"])
    expect([program, showsAll(`find . -type f | xargs ${program}`)]).toEqual([program, false]);
});

test("no pattern of names makes the parser throw", () => {
  fc.assert(fc.property(fc.string(), (pattern) => typeof mayBeSecret(pattern) === "boolean"));
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(..."*?[]{},.\\()|^$+a")),
      (signs) => typeof mayBeSecret(signs.join("")) === "boolean",
    ),
  );
});
