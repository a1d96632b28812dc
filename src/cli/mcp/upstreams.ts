import { resolve } from "node:path";
import {
  commandServer,
  isAuthorization,
  type McpAllowed,
  type McpServer,
  mcpFileOf,
  readMcpFile,
} from "../../config/mcp-file.ts";
import { type Connect, processLink } from "../../mcp/links/link.ts";
import type { UpstreamSettings } from "../../mcp/upstream.ts";
import type { Clock } from "../../ports.ts";
import { usage } from "../failure.ts";
import type { OpenedGate } from "../gate/database.ts";
import { type CommandInput, flag, text, textList } from "../spec.ts";
import { gateVariables } from "./gate-variables.ts";

/** The MCP servers that a command line means: one after `--`, or those of a file. */
export type MeantServers = { isAlone: boolean; upstreams: readonly UpstreamSettings[] };

export async function meantServers(given: CommandInput, deps: OpenedGate): Promise<MeantServers> {
  const { env, cwd } = given.io;
  const { mark } = deps.sealer;
  const [file, name] = [text(given, "config"), text(given, "name")];
  const passed = textList(given, "pass");
  const allowed = { allowSampling: flag(given, "allowSampling"), allowElicitation: flag(given, "allowElicitation") };
  if (given.args.length > 0) {
    if (file !== undefined) throw usage("--config and a command after -- exclude each other", "give one of them");
    const server = commandServer(given.args, name, { env, cwd, passed: { names: passed, mark }, allowed });
    return { isAlone: true, upstreams: [await settingsOf(given, server, deps, { isNamed: !isAnyAllowed(allowed) })] };
  }
  if (isAnyAllowed(allowed))
    throw usage(
      "--allow-sampling and --allow-elicitation need a command",
      "in mcp.json, write `allowSampling` or `allowElicitation`",
    );
  if (name !== undefined) throw usage("--name needs a command", "give the command of the server after --");
  if (passed.length > 0) throw usage("--pass needs a command", "in mcp.json, name the variables under `env`");
  const servers = serversOfFile(given, deps);
  const settings = servers.map((server) => settingsOf(given, server, deps, { isNamed: false }));
  return { isAlone: false, upstreams: await Promise.all(settings) };
}

/** Whoever starts the gateway names the server; that it may use the client's model or ask its user is for a person to accept. */
export function isAnyAllowed({ allowSampling, allowElicitation }: McpAllowed): boolean {
  return allowSampling || allowElicitation;
}

/** The servers of the file that --config names, or of the user's own. */
export function serversOfFile(given: CommandInput, { sealer }: Pick<OpenedGate, "sealer">): readonly McpServer[] {
  const { env, cwd } = given.io;
  const file = text(given, "config");
  const path = file === undefined ? mcpFileOf(gateVariables(given)) : resolve(cwd, file);
  return readMcpFile(path, { env, cwd, mark: (one) => sealer.mark(one) });
}

export async function settingsOf(
  given: Pick<CommandInput, "io">,
  server: McpServer,
  deps: Pick<OpenedGate, "logins"> & { clock: Clock },
  { isNamed }: { isNamed: boolean },
): Promise<UpstreamSettings> {
  const { by, name, starts, allowSampling, allowElicitation, trust } = server;
  const settings = { name, starts, isNamed, allowSampling, allowElicitation, trust };
  if (by.is === "command") return { ...settings, connect: await started(given, by) };
  const { httpLink } = await import("../../mcp/links/http-link.ts");
  const { logins, clock } = deps;
  if (logins === undefined || Object.keys(by.headers).some(isAuthorization))
    return { ...settings, connect: httpLink(by) };
  const { credentialsOf } = await import("../../mcp/login/credentials.ts");
  const credentials = credentialsOf({ logins, clock }, { server: name, url: by.url });
  return { ...settings, credentials, connect: httpLink({ ...by, credentials }) };
}

type Command = Extract<McpServer["by"], { is: "command" }>;

async function started(given: Pick<CommandInput, "io">, by: Command): Promise<Connect> {
  if (by.box === undefined) return processLink(by);
  return (await import("./boxed-upstream.ts")).boxedUpstream(given, { ...by, box: by.box });
}
