import { expect, test } from "vitest";
import { commandCall, knowing } from "../../../test/cases/trying.ts";
import { classify } from "../classify/classify.ts";
import { isSecretVariable } from "./secret-names.ts";

function shows(command: string): boolean {
  const call = commandCall(command);
  return classify(call, knowing(call)).parts.some((part) => part.class === "secrets.read");
}

test("a variable is a secret by the words of its name", () => {
  const names =
    "AWS_SECRET_ACCESS_KEY GITHUB_TOKEN PGPASSWORD DB_PASS apiKey NPM_TOKEN DATABASE_URL GHTOKEN OPENAI_KEY";
  expect(names.split(" ").filter((name) => !isSecretVariable(name))).toEqual([]);
  const others =
    "HOME PATH PWD OLDPWD KEYBOARD MONKEY PASSED key token TOKENIZERS_PARALLELISM SSH_AUTH_SOCK KEY_FILE USER";
  expect(others.split(" ").filter(isSecretVariable)).toEqual([]);
});

test("whoever shows a secret variable reads a secret, wherever the variable stands", () => {
  const commands = [
    "echo $GITHUB_TOKEN",
    'printf %s "$GITHUB_TOKEN"',
    "cat <<< $GITHUB_TOKEN",
    "cat <<E\n$GITHUB_TOKEN\nE",
    "sudo -u ana echo $GITHUB_TOKEN",
    "bash -c 'echo $GITHUB_TOKEN'",
    "echo $(echo $GITHUB_TOKEN)",
    'curl -H "Authorization: $GITHUB_TOKEN" https://example.com',
    "echo ${GITHUB_TOKEN:0:4}",
    "echo ${!X}",
  ];
  expect(commands.filter((command) => !shows(command))).toEqual([]);
});

test("a secret stays one under another name", () => {
  expect(shows("x=$GITHUB_TOKEN; echo $x")).toBe(true);
  expect(shows('x="a $GITHUB_TOKEN"; y=$x; echo "$y"')).toBe(true);
  expect(shows("for x in $GITHUB_TOKEN; do echo $x; done")).toBe(true);
  expect(shows("export x=$GITHUB_TOKEN; echo $x")).toBe(true);
});

test("a command that only checks whether a secret is set does not show it", () => {
  const commands = [
    '[ -n "$GITHUB_TOKEN" ] && echo yes',
    "test -z $GITHUB_TOKEN",
    "echo ${GITHUB_TOKEN:+set}",
    "echo ${#GITHUB_TOKEN}",
    "export GH_TOKEN=$GITHUB_TOKEN",
    "GH_TOKEN=$GITHUB_TOKEN ls",
    "for key in a b; do echo $key; done",
    "echo '$GITHUB_TOKEN'",
  ];
  expect(commands.filter(shows)).toEqual([]);
});

test("of several variables in one word each is looked at", () => {
  expect(shows('echo "$v=${!v}"')).toBe(true);
  expect(shows("echo $A$GITHUB_TOKEN")).toBe(true);
});
