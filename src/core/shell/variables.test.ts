import { expect, test } from "vitest";
import { commandCall, knowing } from "../../../test/cases/trying.ts";
import { classify } from "../classify/classify.ts";

function understood(command: string): string {
  const call = commandCall(command);
  return classify(call, knowing(call)).understood;
}

test("a variable that leads a program to other settings is a doubt, however harmless the program is", () => {
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

test("a variable that only says how much is shown, or which of several is meant, is none", () => {
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

test("a variable that one command alone is given is a doubt unless it is known to be mild", () => {
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

test("a variable that programs take orders from is a doubt wherever it is set", () => {
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

test("a program that takes no orders from variables is understood whatever is set, unless the loader or the path is", () => {
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

test("a program started by its words alone is looked at with the variables it is given", () => {
  const given = (argv: string[], env: Record<string, string>) => {
    const call = { ...commandCall(""), tool: "exec", args: { argv, env } };
    return classify(call, knowing(call)).understood;
  };
  expect(given(["ls", "-la"], { NODE_OPTIONS: "x", EDITOR: "code --wait" })).toBe("fully");
  expect(given(["ls", "-la"], { NODE_OPTIONS: "x", LD_PRELOAD: "x" })).toBe("partly");
  expect(given(["git", "status"], { GIT_DIR: "x" })).toBe("partly");
  expect(given(["env", "git", "status"], { GIT_DIR: "x" })).toBe("partly");
});

test("what a program finds set counts for the programs that read it, and for whatever may run anything", () => {
  const found = (command: string, name: string) => {
    const call = { ...commandCall(""), tool: "exec", args: { argv: command.split(" "), env: { [name]: "./x" } } };
    return `${command} ${name} ${classify(call, knowing(call)).understood}`;
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
