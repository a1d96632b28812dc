import { expect, test } from "vitest";
import { commandCall, knowing } from "../../../test/cases/trying.ts";
import { classify } from "../classify/classify.ts";
import { readCall } from "../classify/reading.ts";
import { isSecretVariable } from "./variables.ts";

function understood(command: string): string {
  const call = commandCall(command);
  return classify(readCall(call), knowing(call)).understood;
}

test("a variable that makes a program use other settings is in doubt, even for a harmless program", () => {
  const set = [
    "XDG_CONFIG_HOME=x git status",
    "AWS_CONFIG_FILE=x aws sts get-caller-identity",
    "CLOUDSDK_CONFIG=x gcloud projects list",
    "OPENSSL_CONF=x openssl version",
    "RUSTUP_TOOLCHAIN=x cargo --version",
    "CARGO_BUILD_RUSTC=x cargo tree",
    "YARN_YARN_PATH=x yarn --version",
    "npm_config_node_gyp=x npm ls",
    "GOENV=x go env",
    "PGSERVICEFILE=x psql -l",
    "KUBECONFIG=x kubectl get pods",
    "TF_CLI_ARGS=x terraform version",
    "HGRCPATH=x hg status",
    "GH_PAGER=x gh pr list",
    "PYTHONSTARTUP=x python --version",
    "export XDG_CONFIG_HOME=x; git status",
  ];
  expect(set.filter((command) => understood(command) === "fully")).toEqual([]);
});

test("a variable that only controls how much is shown, or selects one of several, is not in doubt", () => {
  const set = [
    "NODE_ENV=test npm ls",
    "CI=1 git status",
    "NO_COLOR=1 gh pr list",
    "CARGO_TERM_COLOR=never cargo test",
    "AWS_PROFILE=dev aws sts get-caller-identity",
    "PGPASSWORD=x psql -c 'select 1'",
    "PYTHONUNBUFFERED=1 python --version",
    "TF_IN_AUTOMATION=1 terraform fmt",
  ];
  expect(set.filter((command) => understood(command) !== "fully")).toEqual([]);
});

test("a variable set for one command is in doubt unless it is known to be harmless", () => {
  const open = [
    "AWS_PAGER=./x aws s3 ls",
    "MANOPT='-P ./x' man ls",
    "LESSKEYIN=x less a",
    "SSLKEYLOGFILE=a curl https://example.com",
    "ZIPOPT='-TT ./x' zip a.zip b",
    "SOMETHING_NEW=1 git status",
    "env SOMETHING_NEW=1 git status",
    "env 'x=() { :;}; rm a' bash -c ls",
  ];
  expect(open.filter((command) => understood(command) === "fully")).toEqual([]);
  const mild = ["LC_ALL=C sort a", "TZ=UTC date", "AWS_PAGER= aws s3 ls", "GH_PAGER=cat gh pr list", "IFS= read -r a"];
  expect(mild.filter((command) => understood(command) !== "fully")).toEqual([]);
});

test("a variable that can make a program run something is in doubt wherever it is set", () => {
  const open = [
    "export AWS_PAGER=./x; aws s3 ls",
    "BASH_ALIASES=([cat]=rm); cat a",
    "BASH_CMDS=([cat]=./x); cat a",
    "declare -A BASH_ALIASES=([ls]=rm); ls",
    "HISTFILE=a; ls",
    "export L$(printf D_PRELOAD)=./x; ls",
    'declare "P$(echo ATH)=x"; ls',
    "LEEWAY_STATE=x; ls",
  ];
  expect(open.filter((command) => understood(command) === "fully")).toEqual([]);
  expect(understood("BASE=src; VERSION=2; ls $BASE; echo $VERSION")).toBe("fully");
});

test("a program that no variable can control is understood, unless the loader or PATH is set", () => {
  const deaf = ["NODE_OPTIONS=x ls -la", "GIT_SSL_CAINFO=x wc -l a", "VISUAL='code --wait' cat a", "/bin/ls"];
  expect(deaf.filter((command) => understood(command) !== "fully")).toEqual([]);
  const open = [
    "LD_PRELOAD=x ls -la",
    "PATH=x ls",
    "LOCPATH=x wc -l a",
    "NODE_OPTIONS=x node --version",
    "GIT_DIR=x git status",
    "NODE_OPTIONS=x ./ls",
    "NODE_OPTIONS=x $ls",
    "BASH_ENV=x bash -c ls",
    "export LD_PRELOAD=x; ls",
  ];
  expect(open.filter((command) => understood(command) === "fully")).toEqual([]);
});

test("a program started from a list of words is checked with the variables that it is given", () => {
  const given = (argv: string[], env: Record<string, string>) => {
    const call = { ...commandCall(""), tool: "exec", args: { argv, env } };
    return classify(readCall(call), knowing(call)).understood;
  };
  expect(given(["ls", "-la"], { NODE_OPTIONS: "x", EDITOR: "code --wait" })).toBe("fully");
  expect(given(["ls", "-la"], { NODE_OPTIONS: "x", LD_PRELOAD: "x" })).toBe("partly");
  expect(given(["git", "status"], { GIT_DIR: "x" })).toBe("partly");
  expect(given(["env", "git", "status"], { GIT_DIR: "x" })).toBe("partly");
});

test("an inherited variable counts for the programs that read it, and for programs that can run anything", () => {
  const found = (command: string, name: string) => {
    const call = { ...commandCall(""), tool: "exec", args: { argv: command.split(" "), env: { [name]: "./x" } } };
    return `${command} ${name} ${classify(readCall(call), knowing(call)).understood}`;
  };
  const usual =
    "LESSOPEN KUBECONFIG DOCKER_HOST PYTHONPATH BROWSER JAVA_TOOL_OPTIONS NODE_OPTIONS GIT_SSL_CAINFO".split(" ");
  const heard: Record<string, string> = {
    "ls -la": "",
    "rg word src": "",
    "grep -r word src": "",
    "git status": "LESSOPEN BROWSER GIT_SSL_CAINFO",
    "/usr/bin/git log --oneline": "LESSOPEN BROWSER GIT_SSL_CAINFO",
    "kubectl get pods": "KUBECONFIG PYTHONPATH",
    "docker ps": "DOCKER_HOST",
    "curl https://example.com": "",
    "git commit -m done": usual.join(" "),
    "git log --ext-diff -p": usual.join(" "),
    "rg --pre ./y word": usual.join(" "),
    "env git status": usual.join(" "),
    "./git status": usual.join(" "),
  };
  for (const [command, names] of Object.entries(heard)) {
    const asked = usual.filter((name) => !found(command, name).endsWith("fully"));
    expect([command, asked]).toEqual([command, names === "" ? [] : names.split(" ")]);
  }
  for (const command of Object.keys(heard)) {
    for (const name of ["LD_PRELOAD", "LD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES", "PATH"])
      expect(found(command, name)).not.toContain("fully");
  }
  expect(found("git status", "NEVER_HEARD_OF")).not.toContain("fully");
});

function shows(command: string): boolean {
  const call = commandCall(command);
  return classify(readCall(call), knowing(call)).parts.some((part) => part.class === "secrets.read");
}

test("a variable counts as a secret by the words in its name", () => {
  const names =
    "AWS_SECRET_ACCESS_KEY GITHUB_TOKEN PGPASSWORD DB_PASS apiKey NPM_TOKEN DATABASE_URL GHTOKEN OPENAI_KEY";
  expect(names.split(" ").filter((name) => !isSecretVariable(name))).toEqual([]);
  const others =
    "HOME PATH PWD OLDPWD KEYBOARD MONKEY PASSED key token TOKENIZERS_PARALLELISM SSH_AUTH_SOCK KEY_FILE USER";
  expect(others.split(" ").filter(isSecretVariable)).toEqual([]);
});

test("a command that shows a secret variable reads a secret, wherever the variable is used", () => {
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

test("a secret that is copied to another variable is still a secret", () => {
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

test("if one word has several variables, each of them is checked", () => {
  expect(shows('echo "$v=${!v}"')).toBe(true);
  expect(shows("echo $A$GITHUB_TOKEN")).toBe(true);
});
