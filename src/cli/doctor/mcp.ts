import { visible } from "../../core/values/text.ts";
import { type LoginView, loginViews } from "../../service/views/mcp.ts";
import { Failure } from "../failure.ts";
import type { OpenedGate } from "../gate/database.ts";
import { placesOf } from "../host-setup.ts";
import { type ClientFile, clientFiles } from "../mcp/clients.ts";
import { isBehind, listedServers } from "../mcp/listed-servers.ts";
import { settingsText } from "../terminal/files.ts";
import type { Io } from "../terminal/io.ts";
import type { Finding } from "./finding.ts";

/** Which MCP servers in the settings of MCP clients are not behind the gateway. */
export function mcpChecks(io: Io): readonly Finding[] {
  return clientFiles(placesOf({ io }), ["user", "project"]).flatMap((file) => {
    const { client, path } = file;
    const listed = listedIn(file);
    if (!listed.ok)
      return [{ what: "mcp", state: "warn", says: `${client}: ${path} cannot be read: ${listed.why}` } as const];
    if (listed.servers.length === 0) return [];
    const outside = listed.servers.filter((server) => !isBehind(server));
    if (outside.length === 0)
      return [
        { what: "mcp", state: "ok", says: `${client}: every MCP server in ${path} is behind the gateway` } as const,
      ];
    return outside.map(({ name, problem }): Finding => {
      const says = `${client}: the MCP server \`${name}\` in ${path} is not behind the gateway: its calls are not checked`;
      return { what: "mcp", state: "warn", says, hint: problem === undefined ? "leeway init mcp" : problem };
    });
  });
}

/** A file that cannot be opened is a finding: the other checks are still made. */
function listedIn(file: ClientFile): ReturnType<typeof listedServers> {
  try {
    return listedServers(file, settingsText(file.path) ?? "");
  } catch (error) {
    if (error instanceof Failure) return { ok: false, why: error.message };
    throw error;
  }
}

/** At which MCP servers somebody has to sign in: their calls fail until then. */
export function loginChecks(deps: Pick<OpenedGate, "logins" | "clock">): readonly Finding[] {
  return loginViews(deps).map(({ upstream, url, state }): Finding => {
    const server = `the MCP server \`${visible(upstream)}\` (${visible(url)})`;
    if (state === "signed-in") return { what: "mcp", state: "ok", says: `somebody is signed in at ${server}` };
    return { what: "mcp", state: "warn", says: `${server} ${NEEDS[state]}`, hint: `leeway mcp login ${upstream}` };
  });
}

const NEEDS: Record<Exclude<LoginView["state"], "signed-in">, string> = {
  "needs-sign-in": "wants somebody to sign in: its calls fail until then",
  expired: "does not accept the login any more: its calls fail until somebody signs in again",
  "needs-more-rights": "has refused a call because the login does not allow enough",
};
