import { expect, test } from "vitest";
import { definitionHash, type ToolDefinition } from "../../src/core/classify/definition.ts";
import type { Refused } from "../../src/core/codes.ts";
import type { EffectClass } from "../../src/core/effect.ts";
import { say } from "../../src/core/messages/message.ts";
import type { DeclarationSubject } from "../../src/core/standing/declaration.ts";
import { removePerson } from "../../src/gate/people/people.ts";
import { verifyLedger } from "../../src/gate/record/ledger.ts";
import { setOwner } from "../../src/gate/standing/agents.ts";
import {
  addDeclaration,
  declareFromQuestion,
  forgetDeclaration,
  listDeclarations,
  toolQuestion,
} from "../../src/gate/standing/declarations.ts";
import { addGrant } from "../../src/gate/standing/grants.ts";
import { setPause } from "../../src/gate/standing/pause.ts";
import { type Office, office } from "./kit.ts";

// Nobody knows what a new tool does. A person says it once, and from then on its calls are judged by that.

const STANDARD = "version: 1\npreset: standard\napprovals: { assurance: any }\n";
const ANA = { by: "ana", assurance: "tty" } as const;
const WEATHER = { of: "tool", tool: "get_weather" } as const;

function must<T>(done: { ok: true; value: T } | Refused): T {
  if (!done.ok) throw new Error(done.reason.say);
  return done.value;
}

const declare = ({ deps }: Office, about: DeclarationSubject, cls: EffectClass, over = {}) =>
  addDeclaration(deps, { about, class: cls, because: "", ...ANA, ...over });

const tierOf = async ({ submit }: Office, ...call: Parameters<Office["submit"]>) =>
  (await submit(...call)).decision.tier;

test("an unknown tool asks until a person declares what it does, and asks again when the declaration is removed", async () => {
  const all = await office(STANDARD);
  expect(await tierOf(all, "get_weather", { city: "Rome" })).toBe("ask");
  const { id } = must(await declare(all, WEATHER, "network.read"));
  expect(await tierOf(all, "get_weather", { city: "Oslo" })).toBe("auto");
  expect(await tierOf(all, "getWeather", { city: "Kiel" })).toBe("auto");
  expect(await tierOf(all, "functions.get_weather", { city: "Bern" })).toBe("auto");
  expect(await tierOf(all, "mcp__other__get_weather", { city: "Oslo" })).toBe("ask");
  must(await forgetDeclaration(all.deps, id, { by: "ana" }));
  expect(await tierOf(all, "get_weather", { city: "Nice" })).toBe("ask");
  const said = (await all.kinds()).filter((kind) => kind.startsWith("tool."));
  expect(said).toEqual(["tool.declared", "tool.forgotten"]);
  expect(await verifyLedger(all.deps)).toMatchObject({ ok: true });
});

const DEFINITION: ToolDefinition = { server: { name: "sky" }, name: "get_weather", description: "Tells the weather." };

test("a declaration is for one definition of a tool, and another definition asks again", async () => {
  const all = await office(STANDARD);
  const tool = "mcp__sky__get_weather";
  const definition = definitionHash(DEFINITION);
  must(await declare(all, { of: "tool", tool, definition }, "network.read"));
  expect(await tierOf(all, tool, {}, { definition })).toBe("auto");
  expect(await tierOf(all, tool, {})).toBe("ask");
  const changed = definitionHash({ ...DEFINITION, description: "Tells the weather. Also deletes." });
  expect(await tierOf(all, tool, {}, { definition: changed })).toBe("ask");
});

test("a tool is judged by each class that a person declares", async () => {
  const all = await office(STANDARD);
  const expected: readonly (readonly [EffectClass, string, boolean])[] = [
    ["none", "auto", false],
    ["fs.write", "ask", false],
    ["message.send", "ask", false],
    ["process.exec", "ask", false],
    ["payments.move", "ask", true],
    ["permissions.change", "ask", true],
  ];
  for (const [cls, tier, human] of expected) {
    must(await declare(all, { of: "tool", tool: "mystery" }, cls));
    const { decision } = await all.submit("mystery", { id: cls });
    expect([cls, decision.tier, decision.needsHuman]).toEqual([cls, tier, human]);
  }
  expect((await listDeclarations(all.deps)).filter(({ state }) => state === "live")).toHaveLength(1);
});

test("a declaration does not loosen a deny, a rule or a needs-human mark about unknown tools", async () => {
  const policies: readonly (readonly [string, string, boolean])[] = [
    ["tiers: { unknown: deny }", "deny", false],
    ["tiers: { unknown: suggest }", "suggest", false],
    ["rules: [{ name: r, match: { class: unknown }, tier: ask, because: x }]", "ask", false],
    ["rules: [{ name: r, match: { understood: not }, tier: deny, because: x }]", "deny", false],
    ["rules: [{ name: r, match: { tool: get_weather }, tier: deny, because: x }]", "deny", false],
    ["human: { classes: [unknown] }", "auto", true],
    ["human: { tools: [get_weather] }", "auto", true],
    ["limits: [{ name: l, match: { class: unknown }, max: 0, per: 1h, by: agent, then: deny }]", "deny", false],
  ];
  for (const [line, tier, needsHuman] of policies) {
    const all = await office(`${STANDARD}${line}\n`);
    must(await declare(all, WEATHER, "network.read"));
    const { decision } = await all.submit("get_weather", { city: "Rome" });
    expect([line, decision.tier, decision.needsHuman]).toEqual([line, tier, needsHuman]);
  }
});

test("a tool that takes commands or code cannot be declared as something milder, and still asks", async () => {
  const all = await office(STANDARD);
  expect(await declare(all, { of: "tool", tool: "Bash" }, "none")).toMatchObject({ code: "LEEWAY_BAD_INPUT" });
  expect(await declare(all, { of: "tool", tool: "mcp__x__bash" }, "none")).toMatchObject({ code: "LEEWAY_BAD_INPUT" });
  must(await declare(all, { of: "tool", tool: "helper" }, "none"));
  expect(await tierOf(all, "helper", { command: "ls" })).toBe("ask");
  expect(await tierOf(all, "helper", { code: "print(1)" })).toBe("ask");
  expect(await tierOf(all, "helper", { nested: { script: "x" } })).toBe("ask");
  expect(await tierOf(all, "helper", { topic: "ls" })).toBe("auto");
});

test("a declared tool that names a protected file still asks", async () => {
  const all = await office(STANDARD);
  must(await declare(all, WEATHER, "network.read"));
  expect(await tierOf(all, "get_weather", { file: "~/.ssh/id_rsa" })).toBe("ask");
});

test("a declaration can make the class of a known tool more serious, never milder", async () => {
  const all = await office(STANDARD);
  must(await declare(all, { of: "tool", tool: "send_email" }, "none"));
  expect(await tierOf(all, "send_email", { to: "ben@example.com" })).toBe("ask");
  must(await declare(all, { of: "tool", tool: "web_search" }, "payments.move"));
  expect((await all.submit("web_search", { query: "x" })).decision).toMatchObject({ tier: "ask", needsHuman: true });
});

test("admins declare for everybody and owners for their own agents; others, auditors, programs and paused people cannot", async () => {
  const all = await office(STANDARD.replace("any", "person"));
  await all.submit("web_search", { query: "x" });
  must(await setOwner(all.deps, { agent: "coder", owner: "ben", ...ANA }));
  const by = (name: string) => ({ by: name });
  for (const over of [
    by("ben"),
    by("dan"),
    by("audrey"),
    by("coder"),
    { assurance: "process" },
    { agent: "coder", by: "dan" },
  ]) {
    const done = await declare(all, WEATHER, "network.read", over);
    expect([over, done.ok]).toEqual([over, false]);
  }
  must(await declare(all, WEATHER, "network.read", { by: "ben", agent: "coder" }));
  expect(await tierOf(all, "get_weather", {})).toBe("auto");
  expect(await tierOf(all, "get_weather", {}, { agent: "other" })).toBe("ask");
  must(await setPause(all.deps, { scope: { of: "reviewer", name: "ben" }, because: "away", ...ANA }));
  expect(await declare(all, WEATHER, "none", { by: "ben", agent: "coder" })).toMatchObject({
    code: "LEEWAY_FORBIDDEN",
  });
});

test("an owner's declaration cannot make milder what an admin declared for everybody", async () => {
  const all = await office(STANDARD);
  await all.submit("web_search", { query: "x" });
  must(await setOwner(all.deps, { agent: "coder", owner: "ben", ...ANA }));
  must(await declare(all, WEATHER, "message.send"));
  must(await declare(all, WEATHER, "network.read", { by: "ben", agent: "coder" }));
  expect(await tierOf(all, "get_weather", {})).toBe("ask");
});

test("an admin can declare a whole server, and a tool of it whose name suggests something more serious still asks", async () => {
  const all = await office(STANDARD);
  const docs = { of: "server", server: "docs" } as const;
  expect(await declare(all, docs, "network.read", { by: "ben" })).toMatchObject({ code: "LEEWAY_FORBIDDEN" });
  must(await declare(all, docs, "network.read"));
  const tiers: Record<string, string> = {};
  for (const tool of ["search_pages", "get_page", "page_history", "delete_page", "get_page_and_delete", "run_query"])
    tiers[tool] = await tierOf(all, `mcp__docs__${tool}`, { q: "x" });
  expect(tiers).toEqual({
    search_pages: "auto",
    get_page: "auto",
    page_history: "auto",
    delete_page: "ask",
    get_page_and_delete: "ask",
    run_query: "ask",
  });
  expect(await tierOf(all, "mcp__docs-mcp-server__get_page", {})).toBe("ask");
  const destructive = { hints: { destructive: true }, arguments: [] };
  expect(await tierOf(all, "mcp__docs__get_page", {}, { described: destructive })).toBe("ask");
  must(await declare(all, { of: "tool", tool: "mcp__docs__run_query" }, "network.read"));
  expect(await tierOf(all, "mcp__docs__run_query", { q: "y" })).toBe("auto");
});

test("a person's declarations end when the person is removed", async () => {
  const all = await office(STANDARD);
  await all.submit("web_search", { query: "x" });
  must(await setOwner(all.deps, { agent: "coder", owner: "ben", ...ANA }));
  must(await declare(all, WEATHER, "network.read", { by: "ben", agent: "coder" }));
  must(await removePerson(all.deps, "ben", ANA));
  expect(await tierOf(all, "get_weather", {})).toBe("ask");
  expect(await verifyLedger(all.deps)).toMatchObject({ ok: true });
});

test("the question about an unknown tool suggests an answer, and the answer applies to that tool", async () => {
  const all = await office(STANDARD);
  const described = { description: "Searches flights.", hints: { readOnly: true }, arguments: ["from", "to"] };
  const over = { definition: definitionHash(DEFINITION), described };
  const { approvalId, id } = await all.submit("mcp__air__flights", { from: "ROM" }, over);
  const row = await all.callRow(id);
  const asked = await toolQuestion(all.deps, all.call("mcp__air__flights", { from: "ROM" }, over), row.effect);
  expect(asked).toEqual({
    tool: "mcp__air__flights",
    description: "Searches flights.",
    suggestion: { class: "network.read", because: say("suggestion.by_description") },
    takesCommands: false,
  });
  expect(row.described).toEqual(described);
  const said = { class: "network.read", because: "", everybody: true, ...ANA } as const;
  const declared = must(await declareFromQuestion(all.deps, approvalId ?? "", said));
  expect(declared).toMatchObject({ about: { of: "tool", ...{ tool: "mcp__air__flights" } }, fromApproval: approvalId });
  expect(await tierOf(all, "mcp__air__flights", { from: "OSL" }, over)).toBe("auto");
  expect(await toolQuestion(all.deps, all.call("mcp__air__flights", {}, over), row.effect)).toBe(undefined);
});

test("an approval that was given before the tool was declared still runs", async () => {
  const all = await office(STANDARD);
  const args = { path: "/tmp/somewhere", city: "Rome" };
  const { approvalId, id } = await all.submit("get_weather", args, { callId: "one" });
  must(await all.approve(approvalId));
  must(await declare(all, WEATHER, "network.read"));
  expect(await all.submit("get_weather", args, { callId: "one" })).toMatchObject({ id, outcome: "run" });
});

test("with `first: ask` a declared tool asks for every host until a person remembers that host", async () => {
  const all = await office(`${STANDARD}tools: { look_up: { class: network.read, first: ask } }\n`);
  const at = (address: string) => tierOf(all, "lookUp", { url: `https://${address}` });
  expect(await at("a.example/1")).toBe("ask");
  const covers = { class: "network.read", targets: [{ kind: "domain", pattern: "a.example" }], level: "read" } as const;
  must(await addGrant(all.deps, { ...ANA, subject: { agent: "coder" }, covers, tier: "auto", because: "docs" }));
  expect([await at("a.example/2"), await at("a.example/3"), await at("b.example/4")]).toEqual(["auto", "auto", "ask"]);
});
