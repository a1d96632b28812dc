import { asking, HOST_VARIABLES, type HookCommand, NOTE_SECONDS } from "./command.ts";

/** The plugin's first line: a file that begins otherwise is somebody else's. */
export const PLUGIN_MARK = "// leeway: written by `leeway init opencode`, which also removes it.";

/**
 * The plugin for opencode. It starts `leeway hook opencode` around every tool call. Whatever goes wrong it throws, and
 * opencode then does not run the call.
 */
export function opencodePlugin(command: HookCommand): string {
  const before = asking(command);
  return `${PLUGIN_MARK}
import { spawn } from "node:child_process";

const BEFORE = ${JSON.stringify([before.program, ...before.args])};
const AFTER = ${JSON.stringify([command.program, ...command.args])};
const OWN = ${JSON.stringify(Object.fromEntries((command.env ?? []).map((one) => splitAtSign(one))))};
const AFTER_MS = ${NOTE_SECONDS * 1000};
${PLUGIN}`;
}

function splitAtSign(one: string): [string, string] {
  const at = one.indexOf("=");
  return [one.slice(0, at), one.slice(at + 1)];
}

const PLUGIN = `
/** Starts the hook with an event, and returns what it answers. */
function ask([program, ...args], event, timeout) {
  return new Promise((resolve, reject) => {
    // The text of one variable: no program in between gets a variable that names code to run in the hook's place.
    const env = { ...OWN, ${HOST_VARIABLES}: JSON.stringify(process.env) };
    const child = spawn(program, args, { cwd: event.cwd, env, stdio: ["pipe", "pipe", "pipe"], timeout });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => (stdout += chunk));
    child.stderr.on("data", (chunk) => (stderr += chunk));
    child.stdin.on("error", () => undefined);
    child.on("error", (error) => reject(new Error(failed(error.message))));
    child.on("close", (code) => (code === 0 ? resolve(stdout) : reject(new Error(stderr.trim() || failed("exit code " + code)))));
    child.stdin.end(JSON.stringify(event));
  });
}

function failed(why) {
  return "Leeway could not answer (" + why + "), so the call was not run. Do not retry it; tell the user.";
}

function answerIn(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(failed("its answer is not JSON"));
  }
}

export const Leeway = async ({ client, directory }) => {
  // The sessions of sub-agents, with the kind of agent and the session that started them.
  const sessions = new Map();
  const rootOf = (id) => (sessions.has(id) ? rootOf(sessions.get(id).parent) : id);
  // The names under which calls were decided, until they have ended.
  const names = new Map();

  async function servers(tool) {
    let why = "no settings were given";
    try {
      const { data } = (await client.config.get()) ?? {};
      const mcp = data && (data.mcp ?? {});
      if (typeof mcp === "object") return Object.keys(mcp);
    } catch (error) {
      why = error.message;
    }
    throw new Error(
      "Leeway could not read which MCP servers opencode has (" + why + "), so it cannot tell whose tool " + tool +
        " is, and the call was not run. Do not retry it; tell the user to restart opencode.",
    );
  }

  /** opencode names the tools of MCP servers \`server_tool\`. A name without this sign is none of them. */
  async function toolName(tool) {
    if (!tool.includes("_")) return tool;
    const clean = (name) => name.replace(/[^a-zA-Z0-9_-]/g, "_");
    const all = (await servers(tool)).filter((name) => tool.startsWith(clean(name) + "_"));
    // With the servers git and git_hub, git_hub_x is a tool of git_hub.
    const [server] = all.sort((a, b) => b.length - a.length);
    return server === undefined ? tool : "mcp__" + server + "__" + tool.slice(clean(server).length + 1);
  }

  function eventOf(name, { tool, sessionID, callID }, args) {
    const agent = sessions.get(sessionID)?.agent;
    return {
      hook_event_name: name,
      session_id: rootOf(sessionID),
      cwd: directory,
      tool_name: tool,
      tool_input: args,
      tool_use_id: callID,
      ...(agent === undefined ? {} : { agent_type: agent }),
    };
  }

  return {
    "tool.execute.before": async (input, output) => {
      const tool = await toolName(input.tool);
      names.set(input.callID, tool);
      const answer = answerIn(await ask(BEFORE, eventOf("PreToolUse", { ...input, tool }, output.args)));
      if (answer.decision !== "run") throw new Error(answer.reason || failed("no reason was given"));
      if (answer.told) client.tui.showToast({ body: { message: answer.told, variant: "info" } }).catch(() => undefined);
      if (answer.args === undefined) return;
      for (const name of Object.keys(output.args)) delete output.args[name];
      Object.assign(output.args, answer.args);
    },
    "tool.execute.after": async (input, output) => {
      const tool = names.get(input.callID) ?? input.tool;
      names.delete(input.callID);
      const event = eventOf("PostToolUse", { ...input, tool }, input.args ?? {});
      // The call has run: what the record cannot be told must not look like a call that failed.
      await ask(AFTER, { ...event, tool_response: output.output ?? null }, AFTER_MS).catch(() => undefined);
    },
    event: async ({ event }) => {
      const { info } = event.properties ?? {};
      if (event.type === "session.created" && info?.parentID)
        sessions.set(info.id, { parent: info.parentID, agent: info.agent || "subagent" });
      if (event.type !== "session.deleted" || info === undefined || sessions.has(info.id)) return;
      const ended = { hook_event_name: "SessionEnd", session_id: info.id, cwd: directory };
      await ask(AFTER, ended, AFTER_MS).catch(() => undefined);
    },
  };
};
`;
