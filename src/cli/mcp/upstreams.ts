import { resolve } from "node:path";
import { commandServer, type McpServer, mcpFileOf, readMcpFile } from "../../config/mcp-file.ts";
import { processLink } from "../../mcp/link.ts";
import type { UpstreamSettings } from "../../mcp/upstream.ts";
import type { Sealer } from "../../ports.ts";
import { usage } from "../failure.ts";
import { type CommandInput, text } from "../spec.ts";

/** The MCP servers that a command line means: one after `--`, or those of a file. */
export type MeantServers = { isAlone: boolean; upstreams: readonly UpstreamSettings[] };

export async function meantServers(given: CommandInput, { mark }: Pick<Sealer, "mark">): Promise<MeantServers> {
  const { env, cwd } = given.io;
  const [file, name] = [text(given, "config"), text(given, "name")];
  if (given.args.length > 0) {
    if (file !== undefined) throw usage("--config and a command after -- exclude each other", "give one of them");
    return { isAlone: true, upstreams: [await settingsOf(commandServer(given.args, name, { env, cwd }), true)] };
  }
  if (name !== undefined) throw usage("--name needs a command", "give the command of the server after --");
  const servers = readMcpFile(file === undefined ? mcpFileOf(env) : resolve(cwd, file), { env, cwd, mark });
  return { isAlone: false, upstreams: await Promise.all(servers.map((server) => settingsOf(server, false))) };
}

async function settingsOf(server: McpServer, isNamed: boolean): Promise<UpstreamSettings> {
  const { by, name, starts, allowSampling, allowElicitation, trust } = server;
  const connect = by.is === "command" ? processLink(by) : (await import("../../mcp/http-link.ts")).httpLink(by);
  return { name, connect, starts, isNamed, allowSampling, allowElicitation, trust };
}
