import fc from "fast-check";
import { expect, test } from "vitest";
import { ARGS_BYTES_MAX, type ToolCall } from "../call.ts";
import { EFFECT_CLASSES, type Effect, type EffectClass } from "../effect.ts";
import { textOf } from "../messages/text.ts";
import { paragraphsOf } from "../tables/facts.ts";
import { CLASS_DEFAULTS, TOOL_TABLES, toolFrom } from "../tables/tools.ts";
import { type Json, type JsonObject, toJson } from "../values/json.ts";
import { classify, namedPaths, namedSettings } from "./classify.ts";
import type { Knowledge } from "./knowledge.ts";
import { declaredTools, NOTHING_DECLARED } from "./known-tool.ts";
import { normalise, spellOut } from "./path.ts";
import { readCall } from "./reading.ts";
import { plainSettings } from "./settings.ts";

const TOOL_ROWS = TOOL_TABLES.flatMap(paragraphsOf).map(toolFrom);

const RUNS = process.env.LEEWAY_PROVE === undefined ? 2_000 : 500_000;

function callOf(tool: string, args: JsonObject, over: Partial<ToolCall> = {}): ToolCall {
  return {
    workspace: "default",
    agent: "coder",
    tool,
    args,
    cwd: "/project",
    callId: "c1",
    traceId: "trace_1",
    chain: [],
    claims: {},
    ...over,
  };
}

/** A machine without links, where every path was resolved. */
function seen(call: ToolCall, over: Partial<Knowledge> = {}, links: Record<string, string> = {}): Knowledge {
  const real: Record<string, string> = {};
  for (const path of ["/project", ...namedPaths(readCall(call))]) {
    const spelled = spellOut(path, { base: call.cwd ?? "/project", home: "/home/ana" });
    if (!spelled.ok) continue;
    const lexical = normalise(spelled.raw);
    real[lexical] = links[lexical] ?? lexical;
    real[spelled.raw] = links[spelled.raw] ?? links[lexical] ?? lexical;
  }
  const settings = plainSettings(namedSettings(readCall(call), "/project"));
  const facts = { real, home: "/home/ana", foldsCase: false, settings };
  return { declared: NOTHING_DECLARED, project: "/project", facts, ...over };
}

function effect(tool: string, args: JsonObject, links: Record<string, string> = {}): Effect {
  const call = callOf(tool, args);
  return classify(readCall(call), seen(call, {}, links));
}

const classes = (of: Effect) => of.parts.map((part) => part.class);
const places = (of: Effect) =>
  of.parts.flatMap((part) => part.targets.map((target) => (target.kind === "path" ? target.path : target.kind)));

test("every line of the tool table gives its example the stated class, under every name that it lists", () => {
  const wrong = TOOL_ROWS.flatMap((row) =>
    row.tools.split(" ").flatMap((name) => {
      const tool = (name.includes("/") ? `mcp__${name.replace("/", "__")}` : name).replace("*", "something");
      const found = effect(tool, row.example);
      const runs = row.foreign === true || row.code !== undefined;
      const fits =
        found.parts.some((part) => part.class === row.class) && found.understood === (runs ? "partly" : "fully");
      return fits
        ? []
        : [
            `${name}: ${classes(found).join(", ")} (${found.understood}: ${found.notes.map((note) => textOf(note, "en")).join("; ")})`,
          ];
    }),
  );
  expect(wrong).toEqual([]);
});

test("every class of effect is the class of some call", () => {
  const reached = new Set<EffectClass>(["unknown", ...TOOL_ROWS.map((row) => row.class)]);
  expect(EFFECT_CLASSES.filter((name) => !reached.has(name))).toEqual([]);
  expect(classes(effect("no_such_tool", {}))).toEqual(["unknown"]);
});

test("the functions of Harn scripts have the classes and capabilities that the scripts rely on", () => {
  const rows: [string, JsonObject, EffectClass, string][] = [
    ["write_file", { path: "a" }, "fs.write", "workspace.write_text"],
    ["write_file_bytes", { path: "a" }, "fs.write", "workspace.write_text"],
    ["append_file", { path: "a" }, "fs.write", "workspace.write_text"],
    ["mkdir", { path: "a" }, "fs.mkdir", "workspace.write_text"],
    ["copy_file", { src: "a", dst: "b" }, "fs.copy", "workspace.write_text"],
    ["move_file", { src: "a", dst: "b" }, "fs.move", "workspace.write_text"],
    ["delete_file", { path: "a" }, "fs.delete", "workspace.delete"],
    ["exec_at", { command: "make" }, "process.exec", "process.exec"],
    ["host_call", {}, "host.call", "host.call"],
    ["store_clear", {}, "store.write", "store.write"],
    ["invalidate_facts", {}, "metadata.write", "metadata.write"],
    ["checkpoint_delete", {}, "checkpoint.write", "checkpoint.write"],
    ["sse_server_mock_disconnect", {}, "network.sse.write", "network.sse"],
    ["__agent_state_handoff", {}, "agent_state.write", "agent_state.write"],
    ["mcp_release", {}, "mcp.release", "mcp.release"],
    ["git.worktree.create", {}, "git.write", "git.write"],
    ["git.push", {}, "git.write", "git.write"],
  ];
  const found = rows.map(([tool, args]) => {
    const [part] = effect(tool, args).parts;
    return [tool, args, part.class, part.capability];
  });
  expect(found).toEqual(rows);
});

test("a tool is recognised despite case, separators, host prefixes and decoration", () => {
  const spellings = [
    "Write_File",
    "write.file",
    "writeFile",
    "WRITE-FILE",
    "functions.write_file",
    "default_api:write_file",
  ];
  expect(spellings.map((tool) => classes(effect(tool, { path: "a" })))).toEqual(spellings.map(() => ["fs.write"]));
  for (const tool of ["write\u200b_file", "`write_file`", "write_\u2060file"]) {
    const found = effect(tool, { path: "a" });
    expect([classes(found), found.understood]).toEqual([["fs.write"], "partly"]);
  }
});

test("a tool of an MCP server is recognised in the spelling of every host", () => {
  const spellings = [
    "mcp__github__create_issue",
    "mcp:github/create_issue",
    "mcp_github_create_issue",
    "github/create_issue",
    "mcp__github-mcp-server__create_issue",
  ];
  expect(spellings.map((tool) => classes(effect(tool, { title: "x" })))).toEqual(spellings.map(() => ["message.send"]));
});

test("a known tool name from an unknown server is not fully understood", () => {
  const found = effect("mcp__stranger__read_file", { path: "a" });
  expect([classes(found), found.understood]).toEqual([["fs.read"], "partly"]);
});

test("a tool named like a property of the object prototype is unknown", () => {
  for (const tool of ["toString", "__proto__", "constructor", "hasOwnProperty", "valueOf", ""]) {
    const found = effect(tool, {});
    expect([tool, classes(found), found.understood]).toEqual([tool, ["unknown"], "not"]);
  }
});

test("a path is resolved by its text and by where links lead", () => {
  expect(places(effect("write_file", { path: "src/../lib/./a.ts" }))).toEqual(["/project/lib/a.ts"]);
  expect(places(effect("write_file", { path: "~/a" }))).toEqual(["/home/ana/a"]);
  const linked = effect("write_file", { path: "src/link" }, { "/project/src/link": "/etc/motd" });
  expect([places(linked), linked.parts[0].reach]).toEqual([["/project/src/link", "/etc/motd"], "host"]);
});

test("`link/../a` is judged both by its text and by where the link leads", () => {
  const call = callOf("write_file", { path: "link/../a" });
  const knowledge = seen(call, {}, { "/project/link/../a": "/etc/a" });
  expect(places(classify(readCall(call), knowledge))).toEqual(["/project/a", "/etc/a"]);
});

test("a project that is reached through a link keeps its own path", () => {
  const call = callOf("write_file", { path: "src/a" });
  const links = { "/project": "/data/p", "/project/src/a": "/data/p/src/a" };
  const found = classify(readCall(call), seen(call, {}, links));
  expect([places(found), found.parts[0].reach, found.understood]).toEqual([["/project/src/a"], "project", "fully"]);
});

test("every path of a call is a target: both ends of a move, every item of a list, every edit", () => {
  expect(places(effect("move_file", { source: "a", destination: "/tmp/b" }))).toEqual(["/project/a", "/tmp/b"]);
  expect(places(effect("read_files", { paths: ["a", "b", "c"] }))).toEqual(["/project/a", "/project/b", "/project/c"]);
  const edits = [
    { path: "a", old: "x" },
    { path: "b", old: "y" },
  ];
  expect(places(effect("file.edit", { edits }))).toEqual(["/project/a", "/project/b"]);
});

test("the files that a patch names are targets, and a patch that deletes a file is a deletion", () => {
  const found = effect("apply_patch", { input: "*** Begin Patch\n*** Update File: a\n+x\n*** Delete File: b\n" });
  expect([classes(found), places(found)]).toEqual([["fs.delete"], ["/project/a", "/project/b"]]);
});

test("a write to a path whose links were not resolved is only partly understood; a read is understood from its text", () => {
  const nobody: Knowledge = { declared: NOTHING_DECLARED, project: "/project" };
  expect(classify(readCall(callOf("write_file", { path: "a" })), nobody).understood).toBe("partly");
  expect(classify(readCall(callOf("read_file", { path: "a" })), nobody).understood).toBe("fully");
});

test("a known tool without its main argument is only partly understood", () => {
  expect(effect("write_file", { p: "a" }).understood).toBe("partly");
  expect(effect("WebFetch", { u: "https://example.com" }).understood).toBe("partly");
  expect(effect("write_file", { path: ["a"] }).understood).toBe("fully");
  expect(effect("write_file", { path: "a", output_file: "/etc/motd" }).understood).toBe("partly");
});

test("the reach says whether a call affects the project, this machine or the world", () => {
  const reaches = [
    effect("write_file", { path: "a" }),
    effect("write_file", { path: "/etc/motd" }),
    effect("WebFetch", { url: "https://example.com" }),
    effect("store_set", { key: "a" }),
    effect("WebFetch", { url: "http://127.0.0.1:8080/" }),
    effect("git.push", { remote: "origin", branch: "main" }),
    effect("git.rebase", {}),
  ].map((found) => found.parts[0].reach);
  expect(reaches).toEqual(["project", "host", "outside", "local", "host", "outside", "project"]);
});

test("the method of a request decides whether it reads or writes", () => {
  const of = (method: string) => {
    const [part] = effect("http_request", { url: "https://api.example.com", method }).parts;
    return [part.class, part.method, part.targets[0]?.level];
  };
  expect(["GET", "head", "POST", "put", "DELETE", "BREW"].map(of)).toEqual([
    ["network.read", "GET", "read"],
    ["network.read", "HEAD", "read"],
    ["network.write", "POST", "write"],
    ["network.write", "PUT", "write"],
    ["network.write", "DELETE", "execute"],
    ["network.write", "BREW", "execute"],
  ]);
});

test("a request with a body and no method counts as a write", () => {
  expect(classes(effect("http_request", { url: "https://example.com", json: { a: 1 } }))).toEqual(["network.write"]);
  expect(classes(effect("http_request", { url: "https://example.com", body: "x", method: "GET" }))).toEqual([
    "network.read",
  ]);
});

test("a `file:` address counts as a file", () => {
  expect(classes(effect("WebFetch", { url: "file:///home/ana/.ssh/id_rsa" }))[0]).toBe("secrets.read");
  expect(places(effect("browser_navigate", { url: "file:///etc/motd" }))).toEqual(["/etc/motd"]);
});

test("a pattern that leaves the folder adds the folder it leads to", () => {
  expect(places(effect("Glob", { pattern: "src/**/*.ts" }))).toEqual(["/project"]);
  expect(places(effect("Glob", { pattern: "/etc/*.conf" }))).toEqual(["/project", "/etc"]);
  expect(classes(effect("Glob", { pattern: "~/.ssh/*" }))).toEqual(["secrets.read", "fs.read"]);
  expect(classes(effect("read_many_files", { include: ["../../home/ana/.aws/*"] }))[0]).toBe("secrets.read");
});

test("a move or a copy without source or destination is only partly understood", () => {
  expect(effect("move_file", { source: "a", elsewhere: "/etc/x" }).understood).toBe("partly");
  expect(effect("copy_file", { destination: "a" }).understood).toBe("partly");
});

test("an address that gives out credentials counts as reading secrets in every notation", () => {
  const forms = [
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/",
    "http://0xa9fea9fe/",
    "http://0251.0376.0251.0376/",
    "http://[::ffff:169.254.169.254]/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://metadata.google.internal./computeMetadata/v1/",
    "http://user:x@169.254.169.254/",
  ];
  expect(forms.map((url) => classes(effect("WebFetch", { url }))[0])).toEqual(forms.map(() => "secrets.read"));
});

test("a statement that changes data counts as a change, whatever the tool is called", () => {
  const of = (sql: string) => {
    const [part] = effect("mcp__postgres__query", { sql }).parts;
    return [part.class, part.reversible];
  };
  expect(of("select * from a where b = 'drop table a'")).toEqual(["db.read", true]);
  expect(of("with x as (delete from a returning *) select * from x")).toEqual(["db.write", false]);
  expect(of("select 1; drop table a")).toEqual(["db.write", false]);
  expect(of("select 1 /* ; */ ; insert into a values (1)")).toEqual(["db.write", true]);
  expect(of("grant all on a to b")).toEqual(["permissions.change", false]);
});

test("every program that a command starts is a part with its own class", () => {
  const found = effect("Bash", { command: "cd sub && frobnicate; echo $(rm -rf x)" });
  const words = found.parts.map(({ targets }) => targets.flatMap((one) => (one.kind === "command" ? one.words : [])));
  expect([classes(found), found.understood]).toEqual([["none", "process.exec", "fs.delete", "none"], "fully"]);
  expect(words.map((line) => line.slice(0, 2).join(" "))).toEqual([
    "cd sub",
    "frobnicate",
    "rm -rf",
    "echo $(rm -rf x)",
  ]);
});

test("a command target keeps its folder and the names of the variables that are set", () => {
  const [part] = effect("shell", { command: ["make", "all"], workdir: "sub", env: { GIT_SSH_COMMAND: "x" } }).parts;
  expect(part.targets).toEqual([
    { kind: "command", words: ["make", "all"], cwd: "/project/sub", env: ["GIT_SSH_COMMAND"], level: "execute" },
  ]);
  expect(effect("shell", { command: ["make", "all"], env: { GIT_SSH_COMMAND: "x" } }).understood).toBe("partly");
});

test("an agent that runs the gate's own program is refused", () => {
  const runs = [
    "leeway approve apr_1",
    "npx leeway approve apr_1",
    "npx -y leeway@1.0.0 approve apr_1",
    "./node_modules/.bin/leeway pause",
    "node bin/leeway.mjs approve apr_1",
    "node node_modules/leeway/bin/leeway.cjs approve apr_1",
    "cd /tmp && leeway policy accept",
    'bash -c "leeway approve apr_1"',
    "sudo -u ana leeway approve apr_1",
    "env X=1 leeway approve",
    "pnpm dlx leeway approve",
    "echo $(leeway approve apr_1)",
    "eval 'leeway approve apr_1'",
    "LEEWAY_DB=/tmp/x leeway grants add",
    "/usr/local/bin/leeway.mjs init",
    "timeout 5 leeway approve",
  ];
  const found = runs.map((command) => effect("Bash", { command }));
  expect(found.map((of) => [of.refused?.code, classes(of).includes("permissions.change")])).toEqual(
    runs.map(() => ["LEEWAY_DENIED", true]),
  );
  const others = [
    "grep leeway README.md",
    "git commit -m 'leeway approve'",
    "npm install leeway",
    "cd leeway",
    "cat leeway.yaml",
  ];
  expect(others.map((command) => effect("Bash", { command }).refused)).toEqual(others.map(() => undefined));
});

test("a declared class makes an unknown tool understood, except a tool that takes commands", () => {
  const at = { file: "leeway.yaml", line: 1, column: 1 };
  const declared = new Map([
    ["lookup_order", { name: "lookup_order", class: "db.read" as const, at }],
    ["run_it", { name: "run_it", class: "none" as const, at }],
    ["Bash", { name: "Bash", class: "none" as const, at }],
    ["refund", { name: "refund", class: "payments.move" as const, domain: "api.stripe.com", at }],
    ["save_note", { name: "save_note", class: "fs.write" as const, at }],
  ]);
  const of = (tool: string, args: JsonObject) => {
    const call = callOf(tool, args);
    const found = classify(
      readCall(call),
      seen(call, { declared: declaredTools([{ tools: [...declared.values()] }]) }),
    );
    return [classes(found).join(), found.understood];
  };
  expect(of("lookup_order", { id: 7 })).toEqual(["db.read", "fully"]);
  const acting = [
    "COPY t TO PROGRAM 'id'",
    "LOAD DATA INFILE '/a' INTO TABLE t",
    "KILL 1",
    "UNLOAD ('select 1') TO 's3://a'",
  ];
  for (const where of acting) expect(of("lookup_order", { where })).not.toEqual(["db.read", "fully"]);
  expect(of("lookup_order", { where: "load the order of Tuesday" })).toEqual(["db.read", "fully"]);
  expect(of("run_it", { command: "ls" })).toEqual(["fs.read,none", "partly"]);
  expect(of("Bash", { command: "make" })).toEqual(["process.exec", "fully"]);
  expect(of("refund", { amount: 5 })).toEqual(["payments.move", "fully"]);
  expect(of("save_note", { path: "a.md" })).toEqual(["fs.write", "fully"]);
  expect(of("save_note", { path: "leeway.yaml" })).toEqual(["permissions.change", "fully"]);
  expect(of("lookup_order", { file: "~/.ssh/id_rsa" })[0]).toBe("permissions.change,db.read");
});

test("a declared class can make the class of a known tool more serious, never less serious", () => {
  const at = { file: "leeway.yaml", line: 1, column: 1 };
  const of = (tool: string, kind: EffectClass) => {
    const call = callOf(tool, { path: "a.md", content: "x" });
    const found = classify(
      readCall(call),
      seen(call, { declared: declaredTools([{ tools: [{ name: tool, class: kind, at }] }]) }),
    );
    return [classes(found).join(), found.understood];
  };
  expect(of("write_file", "none")).toEqual(["fs.write", "fully"]);
  expect(of("write_file", "fs.read")).toEqual(["fs.write", "fully"]);
  expect(of("write_file", "deploy.write")).toEqual(["deploy.write", "fully"]);
  expect(of("mcp__stranger__write_file", "store.write")).toEqual(["store.write", "fully"]);
});

test("what an unknown tool seems to do can only make the decision stricter", () => {
  const found = effect("frobnicate", {
    where: { target_path: "~/.ssh/id_rsa" },
    url: "https://example.com",
    command: "ls",
  });
  expect([classes(found), found.understood]).toEqual([["permissions.change", "fs.read", "unknown"], "not"]);
  expect(found.parts.at(-1)?.targets.map((target) => target.kind)).toEqual(["domain"]);
});

test("a call over a megabyte is refused without being parsed", () => {
  const under = effect("write_file", { path: "a", content: "x".repeat(ARGS_BYTES_MAX - 100) });
  const over = effect("write_file", { path: "a", content: "x".repeat(ARGS_BYTES_MAX) });
  const wide = effect("write_file", { path: "a", content: "ä".repeat(ARGS_BYTES_MAX / 2) });
  expect([under.refused, over.refused?.code, wide.refused?.code]).toEqual([
    undefined,
    "LEEWAY_TOO_LARGE",
    "LEEWAY_TOO_LARGE",
  ]);
});

test("a call with very many targets is not understood, but all its targets are listed", () => {
  const found = effect("read_files", { paths: Array.from({ length: 1_500 }, (_, i) => `f${i}`) });
  expect([found.understood, found.parts[0].targets.length]).toEqual(["not", 1_500]);
});

const names = [...TOOL_ROWS.flatMap((row) => row.tools.split(" ")), "toString", "__proto__", "mcp__x__y"];
const keys = fc.constantFrom(
  ..."path file_path paths files edits command cmd args argv url method sql input patch cwd env recursive source destination __proto__ code name".split(
    " ",
  ),
);
const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }).map((text) => text.toWellFormed()),
  fc.constantFrom(
    "~",
    "~/",
    "..",
    "/",
    "",
    "file:///%ff",
    "file://%",
    "http://[::1",
    "$(x",
    "`",
    "'",
    '"',
    "a;b|c",
    "*** Delete File: ../../x",
    "http://[::ffff:1.2.3.4%25]/",
    "\\\\host\\x",
    "C:\\a",
    "~root/x",
    "--- a/x",
  ),
);
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    texts,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(keys, texts), tie("json"), { maxKeys: 5 }),
  ),
}));

test("the classifier never throws on any JSON, and an unknown call never counts as understood", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.constantFrom(...names), texts),
      fc.dictionary(fc.oneof(keys, texts), json, { maxKeys: 6 }),
      fc.option(texts, { nil: undefined }),
      fc.boolean(),
      (tool, given, cwd, known) => {
        const args = toJson(given);
        if (!args.ok) return;
        const { cwd: _, ...rest } = callOf(tool, args.value as JsonObject);
        const call: ToolCall = cwd === undefined ? rest : { ...rest, cwd };
        const found = classify(readCall(call), known ? seen(call) : { declared: NOTHING_DECLARED });
        const unknown = found.parts.some((part) => part.class === "unknown");
        expect(unknown && found.understood === "fully").toBe(false);
        expect(found.parts.every((part) => Object.hasOwn(CLASS_DEFAULTS, part.class))).toBe(true);
      },
    ),
    { numRuns: RUNS },
  );
});
