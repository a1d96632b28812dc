import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hostFiles } from "../../../src/hooks/install/host-files.ts";
import { setUpAna } from "../../cli/person.ts";
import { leeway, type Machine, machine } from "../../cli/program.ts";
import { type HostDriver, startHost } from "./drive.ts";
import { type Answers, type Inbox, openInbox } from "./inbox.ts";
import { type Model, type Script, scriptedModel, type ToolUse } from "./model.ts";
import { POLICY } from "./policy.ts";
import { killHooks } from "./processes.ts";

// Drives a host through calls of every tier, and looks at the disk and at the record for what really happened.

export type Facts = { readonly [what: string]: string };

export type Observed = {
  tiers: Facts;
  tools: Facts;
  faults: Facts;
  /** What the model was told about calls that were not run. */
  told: { deny: string; suggest: string; rejected: string; late: string };
};

/** How long the hook waits for an answer: enough for ana, who answers at once. */
const HOOK_SECONDS = 12;

type Driven = { driver: HostDriver; on: Machine; model: Model };

export async function observe(driver: HostDriver): Promise<Observed> {
  const on = machine();
  const model = await scriptedModel(scriptOf(driver, on));
  try {
    await setUpAna(on, POLICY);
    writeFileSync(join(on.project, "read.txt"), "text of read.txt");
    await install({ driver, on, model });
    return await observed({ driver, on, model });
  } finally {
    await model.stop();
    on.remove();
  }
}

async function observed(driven: Driven): Promise<Observed> {
  const { on, model } = driven;
  changeHook(driven, hookLimit);
  const inbox = await openInbox(on, answers(driven));
  try {
    await run(driven, "leeway-main");
    await approvedAfterTheEnd(driven, inbox);
    await run(driven, "leeway-again");
    const limited = changeHook(driven, (text) => hostLimit(hookLimit(text)));
    if (limited) await run(driven, "leeway-slow");
    await inbox.stop();
    changeHook(driven, hookLimit);
    await run(driven, "leeway-alone");
    changeHook(driven, (text) => text.replaceAll(process.execPath, "/usr/bin/no-such-node"));
    await run(driven, "leeway-missing");
    const heard = model.heard("leeway-main");
    return { ...(await facts(driven, limited)), told: toldIn(heard) };
  } finally {
    await inbox.stop();
  }
}

/** The calls of the main conversation, in their order. */
const MAIN = [
  "touch auto.txt",
  "touch notify.txt",
  "touch suggest.txt",
  "touch shadow.txt",
  "touch deny.txt",
  "touch human.txt",
  "touch ask-yes.txt",
  "touch ask-no.txt",
  "touch ask-edit.txt",
  "touch ask-down.txt",
  "touch ask-killed.txt",
  "touch ask-late.txt",
] as const;

function scriptOf(driver: HostDriver, on: Machine): Script {
  const each = (...calls: ToolUse[]) => calls.map((call) => ({ calls: [call] }));
  const shell = (command: string) => driver.shell(command);
  return {
    "leeway-main": each(
      ...MAIN.map(shell),
      driver.read(join(on.project, "read.txt")),
      driver.write(join(on.project, "written.txt"), "text"),
      driver.note("write_note", "note.txt"),
      driver.note("erase_note", "erased.txt"),
      driver.spawn("leeway-part: follow the script"),
      // A sub-agent may run beside its parent, which must not end before it.
      shell("sleep 6"),
    ),
    "leeway-part": each(shell("touch part.txt"), shell("touch deny-part.txt")),
    "leeway-again": each(shell("touch ask-again.txt")),
    "leeway-slow": each(shell("touch ask-slow.txt")),
    "leeway-alone": each(shell("touch ask-alone.txt")),
    "leeway-missing": each(shell("touch missing.txt")),
  };
}

function toldIn(heard: readonly string[]): Observed["told"] {
  const about = (command: (typeof MAIN)[number]) => heard[MAIN.indexOf(command)] ?? "";
  return {
    deny: about("touch deny.txt"),
    suggest: about("touch suggest.txt"),
    rejected: about("touch ask-no.txt"),
    late: about("touch ask-late.txt"),
  };
}

/** What ana does about each question. Nobody answers about `ask-late` and `ask-slow`. */
function answers({ driver, on, model }: Driven): Answers {
  const yes = (more: Record<string, unknown> = {}) => ({ verdict: "approve", ...more });
  return {
    "ask-yes.txt": (question, inbox) => inbox.review(question, yes()),
    "ask-no.txt": (question, inbox) => inbox.review(question, { verdict: "deny", note: "not today" }),
    "ask-edit.txt": async (question, inbox) => {
      const edited = await inbox.review(question, yes({ edits: { command: "touch edited.txt" } }));
      if (!edited.ok) await inbox.review(question, { verdict: "deny", note: "cannot be changed" });
    },
    "ask-down.txt": async (question, inbox) => {
      await inbox.restart();
      await inbox.review(question, yes());
    },
    "ask-killed.txt": async () => killHooks(driver.name, on.project),
    "sleep 6": async (question, inbox) => {
      // The sub-agent gets all the time that the hook of its parent waits, not only what the parent sleeps.
      const untilMs = Date.now() + (HOOK_SECONDS - 4) * 1_000;
      while (model.heard("leeway-part").length < 2 && Date.now() < untilMs)
        await new Promise((resolve) => setTimeout(resolve, 100));
      await inbox.review(question, yes());
    },
  };
}

/** The host ends while its question waits, and ana approves it afterwards. */
async function approvedAfterTheEnd({ driver, on, model }: Driven, inbox: Inbox): Promise<void> {
  const running = startHost(driver, on, model, "leeway-again: follow the script");
  const question = await inbox.question("ask-again.txt");
  running.kill();
  await running.ended;
  await inbox.review(question, { verdict: "approve" });
}

async function run({ driver, on, model }: Driven, word: string): Promise<void> {
  const { code, stdout, stderr } = await startHost(driver, on, model, `${word}: follow the script`).ended;
  if (model.heard(word).length === 0)
    throw new Error(`${driver.name} made no call of ${word} and ended with ${code}\n${stdout}\n${stderr}`);
}

async function install({ driver, on, model }: Driven): Promise<void> {
  driver.prepare(on, model);
  const ran = await leeway(on, ["init", driver.name, "--yes"]);
  if (ran.code !== 0) throw new Error(`leeway init ${driver.name} failed: ${ran.stderr}`);
}

const originals = new Map<string, string>();

/**
 * Changes what init has written, always from the same text. In Codex it is trusted again, as init would do it. True if
 * there was something to change.
 */
function changeHook({ driver, on }: Driven, change: (text: string) => string): boolean {
  const at = { home: on.home, project: on.project, env: on.env };
  const [hooks, trust] = hostFiles(driver.name, "project", at);
  if (hooks === undefined) throw new Error(`${driver.name} has no settings`);
  const original = originals.get(hooks.path) ?? readFileSync(hooks.path, "utf8");
  originals.set(hooks.path, original);
  const text = change(original);
  writeFileSync(hooks.path, text);
  if (trust !== undefined) {
    const made = trust.withHook(readFileSync(trust.path, "utf8"), { program: "", args: [] }, { [hooks.path]: text });
    if (!made.ok) throw new Error(made.why);
    writeFileSync(trust.path, made.after);
  }
  return text !== hookLimit(original);
}

/** The hook is told that the host waits only a few seconds. */
function hookLimit(text: string): string {
  return text.replaceAll(/(--timeout"?,?\s*"?)600/g, `$1${HOOK_SECONDS}`);
}

/** The host waits two seconds, and the hook does not know it. */
function hostLimit(text: string): string {
  return text.replace(/("timeout(Sec)?":\s*)600(000)?\b/, (_, key, _sec, ms) => `${key}${ms === undefined ? 2 : 2000}`);
}

async function facts({ driver, on }: Driven, limited: boolean): Promise<Omit<Observed, "told">> {
  const files = readdirSync(on.project);
  const ran = (file: string) => (files.includes(file) ? "runs" : "not run");
  const log = await entries(on);
  const has = (kind: string, subject: Record<string, string>) =>
    log.some((entry) => entry.kind === kind && Object.entries(subject).every(([key, is]) => entry.subject[key] === is));
  const gated = (isRun: boolean, isStopped = true) => (isRun && isStopped ? "gated" : "not gated");
  const tools = log.filter(({ kind }) => kind === "call.decided").map(({ subject }) => subject);
  const partAgent = tools.find((subject) => subject["agent"] !== driver.name)?.["agent"];
  return {
    tiers: {
      auto: ran("auto.txt"),
      notify: ran("notify.txt"),
      suggest: ran("suggest.txt"),
      shadow: ran("shadow.txt"),
      "ask: approved": ran("ask-yes.txt"),
      "ask: rejected": ran("ask-no.txt"),
      "ask: arguments changed": files.includes("edited.txt") ? "runs changed" : ran("ask-edit.txt"),
      "ask: no answer": ran("ask-late.txt"),
      "ask: server restarted, then approved": ran("ask-down.txt"),
      "ask: approved later, agent started again": ran("ask-again.txt"),
      "ask: no server": ran("ask-alone.txt"),
      deny: ran("deny.txt"),
      "needs a human": ran("human.txt"),
    },
    tools: {
      read: gated(tools.some(({ class: effect, outcome }) => effect === "fs.read" && outcome !== "denied")),
      write: gated(files.includes("written.txt")),
      shell: gated(files.includes("auto.txt"), !files.includes("deny.txt")),
      "MCP tool": gated(files.includes("note.txt"), !files.includes("erased.txt")),
      "sub-agent": `${gated(files.includes("part.txt"), !files.includes("deny-part.txt"))}${
        partAgent === undefined ? ", as the agent itself" : ", under its own name"
      }`,
      result: has("execution.succeeded", {}) ? "recorded" : "not recorded",
      "session end": has("session.ended", {}) ? "recorded" : "not recorded",
    },
    faults: {
      "hook killed": ran("ask-killed.txt"),
      "hook missing": ran("missing.txt"),
      "host's limit passed": limited ? ran("ask-slow.txt") : "no limit",
    },
  };
}

type Logged = { kind: string; subject: Record<string, string> };

async function entries(on: Machine): Promise<readonly Logged[]> {
  const { stdout } = await leeway(on, ["log", "--json", "--limit", "500"]);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
