import { statSync } from "node:fs";
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
    // A hook that ends without an answer must block the call: hosts take every other exit code for a yes.
    process.exitCode = BLOCKING;
    given.io.stdout.prependListener("error", () => {
      given.io.stderr.write(
        "Leeway could not write its answer, so the call was not run. Do not retry it; tell the user.\n",
      );
      process.exit(BLOCKING);
    });
    const host = await hostNamed(given.args[0] ?? "");
    const { stdout, stderr, exit } = await replied(given, host);
    if (stderr !== "") given.io.stderr.write(stderr);
    if (stdout === "") return exit;
    return written(given.io.stdout, stdout).then(
      () => exit,
      () => BLOCKING,
    );
  },
};

const BLOCKING = 2;

/** Waits until the host can read the answer. */
function written(stdout: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

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
    const project = (host.projectVariable && given.io.env[host.projectVariable]) || undefined;
    if (input.on === "before") for (const folder of [project, input.call.cwd]) refuseMissing(folder);
    const cwd = project ?? (input.on === "session end" ? given.io.cwd : input.call.cwd);
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

/** Policies are looked for from the project's folder: from a folder that does not exist, none would be found. */
function refuseMissing(folder: string | undefined): void {
  if (folder === undefined || statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new Error(`the folder ${folder} does not exist`);
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
