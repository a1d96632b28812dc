import { announcedServer, stateFolderOf } from "../../../config/server-file.ts";
import { isObject, type JsonObject } from "../../../core/values/json.ts";
import { parseJsonText } from "../../../core/values/json-text.ts";
import { nearest } from "../../../core/values/nearest.ts";
import { answerHook } from "../../../hooks/answer.ts";
import type { HookReply, Host } from "../../../hooks/host.ts";
import { HOSTS } from "../../../hooks/hosts/index.ts";
import { usage } from "../../failure.ts";
import { withDatabase } from "../../gate/database.ts";
import type { CommandInput, CommandSpec } from "../../spec.ts";

export const hook: CommandSpec = {
  name: "hook",
  summary:
    "answer a tool call of an agent program (a host): JSON on stdin, JSON on stdout; `leeway init HOST` installs it",
  args: [["<host>", `the program that calls: ${Object.keys(HOSTS).join(", ")}`]],
  examples: ["leeway hook claude-code < call.json"],
  exits: [0, 2],
  endsWith: "Exit code 2 means that the host must not run the call; stderr says why.",
  act: async (given) => {
    const host = await hostNamed(given.args[0] ?? "");
    const { stdout, stderr, exit } = await replied(given, host);
    given.io.stdout.write(stdout);
    if (stderr !== "") given.io.stderr.write(stderr);
    return exit;
  },
};

async function hostNamed(name: string): Promise<Host> {
  const load = Object.hasOwn(HOSTS, name) ? HOSTS[name] : undefined;
  if (load !== undefined) return load();
  const near = nearest(name, Object.keys(HOSTS));
  const hint = near === undefined ? `use one of: ${Object.keys(HOSTS).join(", ")}` : `did you mean ${near}?`;
  throw usage(`unknown host \`${name}\``, hint);
}

/** Whatever goes wrong, the host is told not to run the call. */
async function replied(given: CommandInput, host: Host): Promise<HookReply> {
  try {
    const input = host.read(await inputOf(given));
    if ("fault" in input) return host.refuse(`Leeway could not read what ${host.name} sent: ${input.fault}. Not run.`);
    if (input.on === "other") return host.reply({ is: "noted" }, input);
    const cwd = given.io.env["CLAUDE_PROJECT_DIR"] || (input.on === "session end" ? given.io.cwd : input.call.cwd);
    const here = { ...given, io: { ...given.io, cwd } };
    return await withDatabase(here, async (deps) => {
      const { localHookGate } = await import("../../../hooks/local.ts");
      const holds = announcedServer(stateFolderOf(given.io.env)) !== undefined;
      return host.reply(await answerHook(localHookGate(deps, { holds }), host, input), input);
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return host.refuse(`Leeway could not decide, so the call was not run: ${why}. Do not retry it; tell the user.`);
  }
}

const INPUT_BYTES_MAX = 16 * 1024 * 1024;

async function inputOf({ io }: CommandInput): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of io.stdin) {
    bytes += chunk.length;
    if (bytes > INPUT_BYTES_MAX) throw new Error("the input is too long");
    chunks.push(Buffer.from(chunk));
  }
  const parsed = parseJsonText(Buffer.concat(chunks).toString("utf8"));
  if (!parsed.ok)
    throw new Error(`the input is not JSON (line ${parsed.line}, column ${parsed.column}: ${parsed.why})`);
  if (!isObject(parsed.value)) throw new Error("the input is not a JSON object");
  return parsed.value;
}
