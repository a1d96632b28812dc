import { expect, test } from "vitest";
import type { ToolCall } from "../call.ts";
import { classify, namedPaths, namedSettings } from "../classify/classify.ts";
import { NOTHING_DECLARED } from "../classify/known-tool.ts";
import { readCall } from "../classify/reading.ts";
import { plainSettings } from "../classify/settings.ts";
import type { Effect, Part, Target } from "../effect.ts";
import { EN } from "../say/en.ts";
import type { JsonObject } from "../values/json.ts";
import { sentenceOf } from "./sentence.ts";

function callOf(args: JsonObject, tool = "refund"): ToolCall {
  return {
    workspace: "default",
    agent: "coder",
    tool,
    args,
    cwd: "/project",
    callId: "c",
    traceId: "t",
    chain: [],
    claims: {},
  };
}

const path = (at: string): Target => ({ kind: "path", path: at, level: "admin", recursive: false });

function said(over: Partial<Part>, targets: readonly Target[], args: JsonObject = {}): string {
  const part: Part = {
    class: "fs.delete",
    capability: "x",
    level: "admin",
    targets,
    reversible: false,
    reach: "project",
    ...over,
  };
  const effect: Effect = { parts: [part], understood: "fully", notes: [] };
  return sentenceOf(effect, { call: callOf(args), project: "/project", say: EN });
}

test("each effect of a tool is described by a sentence", () => {
  const domain: Target = { kind: "domain", domain: "api.example.com", level: "write" };
  expect(said({}, [path("/project/src/a")])).toBe("deletes src/a, cannot be undone");
  expect(said({}, [path("/project/src/a"), path("/project/src/b"), path("/project/src/x/c")])).toBe(
    "deletes 3 files under src/, cannot be undone",
  );
  expect(said({ class: "fs.write", reversible: true }, [path("/etc/motd")])).toBe("writes /etc/motd");
  expect(said({ class: "network.write", reach: "outside", method: "POST" }, [domain])).toBe(
    "sends data to api.example.com (POST), cannot be undone",
  );
  expect(said({ class: "payments.move", reach: "outside" }, [domain], { amount: 12.5, currency: "EUR" })).toBe(
    "moves money through api.example.com: 12.5 EUR, cannot be undone",
  );
  expect(said({ class: "message.send", reach: "outside" }, [], { to: ["ana@shop.example"], text: "hi" })).toBe(
    "sends a message to ana@shop.example, cannot be undone",
  );
  expect(said({ class: "message.send", reach: "outside" }, [], { channel: "x; reads nothing", to: "a" })).toBe(
    'sends a message to "x; reads nothing" and a, cannot be undone',
  );
  expect(said({ class: "deploy.write", reach: "outside", reversible: true }, [])).toBe(
    "publishes or changes a deployment, outside this machine",
  );
  expect(said({ class: "git.write", reach: "outside", reversible: true }, [path("/project")])).toBe(
    "changes the git repository in the project folder, and outside this machine",
  );
  expect(said({ class: "unknown", reach: "outside" }, [domain], { amount: 40 })).toBe(
    "calls refund; Leeway does not know what this tool does with api.example.com",
  );
  expect(said({ class: "none", reversible: true }, [{ kind: "tool", tool: "think", level: "none" }])).toBe(
    "changes nothing",
  );
});

function ofCommand(command: string): string {
  const call = callOf({ command }, "Bash");
  const real = Object.fromEntries(
    namedPaths(readCall(call))
      .map((name) => (name.startsWith("/") ? name : `/project/${name}`))
      .map((name) => [name, name]),
  );
  const effect = classify(readCall(call), {
    declared: NOTHING_DECLARED,
    project: "/project",
    facts: { real, foldsCase: false, settings: plainSettings(namedSettings(readCall(call), "/project")) },
  });
  return sentenceOf(effect, { call, project: "/project", say: EN });
}

const COMMANDS: readonly (readonly [command: string, sentence: string])[] = [
  ["echo one", "runs echo one, which changes nothing"],
  ["date; whoami", "runs date and whoami, which change nothing"],
  ["cd src && git status", "runs git status, which only reads"],
  ["cat README.md", "reads README.md"],
  ["cat README.md | wc -l", "reads README.md"],
  ["npm test", "runs npm test"],
  ["npm run a && npm run b && npm run c", "runs npm run a and 2 more commands"],
  ["rm a b c", "deletes 3 files under the project folder, cannot be undone"],
  ["rm -rf build", "deletes build and everything below, cannot be undone"],
  ["cat a b; rm -rf build", "deletes build and everything below, cannot be undone; reads a and b"],
  ["cd build && rm x && echo done", "deletes build/x, cannot be undone"],
  [
    "find . -name '*.o' -delete",
    "deletes the project folder and everything below, cannot be undone; reads the project folder and everything below",
  ],
  ["cp a b", "copies a to b"],
  ["mv a b", "moves a and everything below to b"],
  ["echo hi > out.txt", "writes out.txt"],
  ["git commit -m 'a b'", 'changes the git repository with git commit -m "a b"'],
  ["git push origin main", "changes the git repository with git push origin main, outside this machine"],
  ["gh pr view 3", "reads from the network with gh pr view 3"],
  ["npm publish", "publishes or changes a deployment with npm publish, outside this machine, cannot be undone"],
  ["ssh web-8.example uptime", "runs commands on web-8.example"],
  ["ln -s /opt/data data", "makes a link with ln -s /opt/data data"],
  ["ln -s ../shared/config config", "makes a link with ln -s ../shared/config config"],
  ["docker rm web", "deletes something with docker rm web, cannot be undone"],
  ["useradd bob", "changes rights with useradd bob, cannot be undone"],
  ["cat .env", "reads keys or credentials in .env"],
  ["rm -rf a b c", "deletes 3 files under the project folder and everything in them, cannot be undone"],
  [
    "cp a /srv/a; rm -rf /a/x /b/y /c/z",
    "deletes 3 files in different places and everything in them, cannot be undone; copies a to /srv/a",
  ],
  ['eval "$X"', "runs eval $X"],
  ["curl https://example.com/x", "fetches from example.com"],
  ["sudo rm /srv/x", "runs sudo rm /srv/x, as another user; deletes /srv/x, cannot be undone"],
  ["bash -c 'rm x'", "deletes x, cannot be undone"],
];

test.each(COMMANDS)("%s: %s", (command, sentence) => {
  expect(ofCommand(command)).toBe(sentence);
});

test("files that have no folder in common are said to be in different places", () => {
  expect(said({}, [path("c:/a/x"), path("/a/x"), path("d:/a/x")])).toBe(
    "deletes 3 files in different places, cannot be undone",
  );
});

test("a long command is cut in the sentence, and the cut is visible", () => {
  expect(ofCommand(`mytool ${"x".repeat(200)}; rm a`)).toBe(
    `runs mytool ${"x".repeat(53)}…; deletes a, cannot be undone`,
  );
});
