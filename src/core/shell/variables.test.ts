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
    "CARGO_TERM_COLOR=never cargo tree",
    "AWS_PROFILE=dev aws sts get-caller-identity",
    "PGPASSWORD=x psql -c 'select 1'",
    "PYTHONUNBUFFERED=1 python --version",
    "TF_IN_AUTOMATION=1 terraform version",
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
