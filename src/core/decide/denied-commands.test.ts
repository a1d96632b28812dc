import { expect, test } from "vitest";
import { denied } from "../../../test/cases/denying.ts";

// A command is denied wherever it is: behind an unknown program, in a function or a setting that is passed on, and with
// options in between. A text that only looks like the command is not denied.

test("a denied command is also denied behind a program that the tables do not know", () => {
  const started = [
    "logsave /tmp/x rm -rf dist",
    "unknownwrap -- rm -rf dist",
    "mpirun -n 1 rm -rf dist",
    "ccache rm -rf dist",
    "autossh h rm -rf dist",
    "fzf --bind 'start:execute(rm -rf dist)' < README.md",
    "noglob rm -rf dist",
    "zsh -c 'nocorrect rm -rf dist'",
    "repeat 1 rm -rf dist",
    "mispipe 'rm -rf dist' cat",
    "repo forall -c 'rm -rf dist'",
    "rpm --eval '%(rm -rf dist)'",
    "dc -e '!rm -rf dist'",
    "m4 <<< 'syscmd(rm -rf dist)'",
    "cmake -E env A=1 rm -rf dist",
    "cmake -E chdir . rm -rf dist",
    "poetry -C . run rm -rf dist",
    "podman unshare rm -rf dist",
    "fly ssh console -C 'rm -rf dist'",
    "apt-get -o APT::Update::Pre-Invoke::='rm -rf dist' update",
    "hg --config alias.z='!rm -rf dist' z",
    "mosh h -- rm -rf dist",
    "scp -oProxyCommand='rm -rf dist' a h:b",
    "rsync --rsync-path='rm -rf dist' a h:b",
    "tar -F 'rm -rf dist' -cML1 -f x .",
    "newgrp root <<< 'rm -rf dist'",
    "echo 'rm -rf dist' | sudo -s",
    'awk \'BEGIN{print "x" | "rm -rf dist"}\'',
  ];
  expect(denied(started, { command: ["rm -rf *"] })).toEqual(started);
});

test("a word that only looks like a denied command is not denied", () => {
  const others = [
    "apt-get install curl",
    "brew install curl",
    "apk add curl jq",
    "unknowntool install curl",
    "pip download curl",
    "which curl",
    "man curl",
    "pytest -k 'curl and post'",
    "npx vitest run -t 'curl works'",
    "gh pr create --title 'curl a' --body 'curl b'",
    "git commit -m 'curl a'",
    "npm run build",
    "docker build -t curl .",
    "unknowntool --message 'curl it'",
    "cargo build --bin curl",
  ];
  expect(denied(others, { command: ["curl *"] })).toEqual([]);
});

test("a function passed to bash by the environment is denied if its body is denied", () => {
  const handed = [
    "env 'BASH_FUNC_ls%%=() { rm -rf dist; }' bash -c ls",
    "env 'BASH_FUNC_true%%=() { rm -rf dist\n}' bash -c true",
    "env 'BASH_FUNC_[%%=() { rm -rf dist; }' bash -c '[ a ]'",
    "env 'BASH_FUNC_ls%%=() { rm -rf dist; }' xargs -n1 bash -c ls < README.md",
    "env -S \"'BASH_FUNC_ls%%=() { rm -rf dist; }' bash -c ls\"",
  ];
  expect(denied(handed, { command: ["rm -rf *"] })).toEqual(handed);
  expect(denied(["env A=1 bash -c ls", "env 'BASH_FUNC_f%%=() { ls; }' bash -c f"], { command: ["rm -rf *"] })).toEqual(
    [],
  );
});

test("options between the words of a command, and combined short options, do not hide it", () => {
  const runs = [
    "docker --log-level debug container run y",
    "docker -l debug container run y",
    "docker --context x container run y",
    "docker --debug container run y",
  ];
  expect(denied(runs, { command: ["docker run *"] })).toEqual(runs);
  const deletes = ["minikube -p x kubectl -- delete pod y", "minikube --profile x kubectl -- delete pod y"];
  expect(denied(deletes, { command: ["kubectl delete *"] })).toEqual(deletes);
  const installs = [
    "npm install -gf x",
    "npm i -fg x",
    "npm install --location=global x",
    "npm install --location global x",
    "npm_config_global=true npm install x",
    "NPM_CONFIG_LOCATION=global npm install x",
  ];
  expect(denied(installs, { command: ["npm install -g *"] })).toEqual(installs);
  const others = ["npm install x", "npm install -D x", "npm install --location=project x", "npm ci"];
  expect(denied(others, { command: ["npm install -g *"] })).toEqual([]);
  const uninstalls = ["helm --qps 5 --registry-config r un x", "helm --kube-as-user u --kube-token t un x"];
  expect(denied(uninstalls, { command: ["helm uninstall *"] })).toEqual(uninstalls);
});

test("a text given to a shell or to xargs is denied if a command in it is denied", () => {
  const handed = [
    "bash -s x <<< 'rm -rf dist'",
    "echo 'rm -rf dist' | bash -s -- a",
    "sh -s a <<< 'rm -rf dist'",
    "echo 'rm -rf dist' | busybox sh -s a",
    "echo 'rm -rf dist' | xargs nice",
    "echo 'rm -rf dist' | xargs -L1 time",
    "echo 'rm -rf dist' | xargs env",
    "echo 'rm -rf dist' | xargs find . -maxdepth 0 -exec",
    "echo 'dist -exec rm -rf {} ;' | xargs find",
    'env -S"rm" -rf dist',
    "env -S'rm\\_-rf\\_dist'",
    "history -s 'rm -rf dist'; fc -s",
    "hash -p /bin/rm zz; zz -rf dist",
  ];
  expect(denied(handed, { command: ["rm -rf *"] })).toEqual(handed);
  const others = ["echo 'rm -rf dist' | cat", "echo src | xargs ls", "echo a b | xargs -n1 echo rm", "hash -r; ls"];
  expect(denied(others, { command: ["rm -rf *"] })).toEqual([]);
});

test("a text that the shell evaluates a second time is denied if a command in it is denied", () => {
  const twice = [
    "PS4='$(rm -rf dist)'; set -x; ls",
    `x='$(rm -rf dist)'; echo \${x@P}`,
    "[[ -v 'a[$(rm -rf dist)]' ]]",
    "x='a[$(rm -rf dist)]'; ((x))",
    "x='a[$(rm -rf dist)]'; let x",
    "declare -i z; z='a[$(rm -rf dist)]'",
  ];
  expect(denied(twice, { command: ["rm -rf *"] })).toEqual(twice);
  expect(denied(["x='$(rm -rf dist)'; echo \"$x\"", "echo '$(rm -rf dist)'"], { command: ["rm -rf *"] })).toEqual([]);
});

test("a git alias in settings or variables is denied as the command that it stands for", () => {
  const aliased = [
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.p GIT_CONFIG_VALUE_0=push git p",
    "export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.p GIT_CONFIG_VALUE_0=push; git p",
    "GIT_CONFIG_PARAMETERS=\"'alias.p=push'\" git p",
    "GIT_CONFIG_PARAMETERS=\"'alias.p'='push'\" git p",
    "A=push git --config-env=alias.p=A p",
    "A='!git push' git --config-env alias.p=A p",
    "git -c help.autocorrect=immediate puhs",
    "git config help.autocorrect -1; git puhs",
    "git -c x.repo=. for-each-repo --config=x.repo push",
  ];
  expect(denied(aliased, { command: ["git push *"] })).toEqual(aliased);
  const others = [
    "git -c help.autocorrect=1 status",
    "GIT_CONFIG_COUNT=0 git log",
    "git -c user.name=push commit -m a",
  ];
  expect(denied(others, { command: ["git push *"] })).toEqual([]);
});

test("a rule about the method of a request denies commands as well as tools", () => {
  const posts = [
    "curl -X POST http://good.example/",
    "curl -XPOST http://good.example/",
    "curl --request=POST http://good.example/",
    "curl -d a http://good.example/",
    "curl -F a=b http://good.example/",
    "curl --json '{}' http://good.example/",
    "wget --post-data a http://good.example/",
    "http POST good.example",
    "xh post good.example",
    "gh api -X POST x",
    "gh api x -f a=b",
    "hey -m POST http://good.example",
  ];
  expect(denied(posts, { method: ["POST"] })).toEqual(posts);
  const others = ["curl http://good.example/", "curl -X GET http://good.example/", "curl -G -d a http://good.example/"];
  expect(denied([...others, "gh api x", "wget http://good.example/a", "ls"], { method: ["POST"] })).toEqual([]);
  expect(denied(["curl -X DELETE http://good.example/"], { method: ["DELETE"] })).toHaveLength(1);
});
