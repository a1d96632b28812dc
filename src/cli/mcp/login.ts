import { isAuthorization } from "../../config/mcp-file.ts";
import { stateFolderOf } from "../../config/server-file.ts";
import type { ServerLogin, ServerLogins } from "../../core/standing/server-login.ts";
import { visible } from "../../core/values/text.ts";
import { recordMachineAct } from "../../gate/standing/machine-acts.ts";
import type { BegunLogin, LoginServer } from "../../mcp/login/begin.ts";
import { Failure, orFail, usage } from "../failure.ts";
import { type OpenedGate, withDatabase } from "../gate/database.ts";
import { AS_OPTION, needTerminal, prove } from "../person.ts";
import { type CommandInput, type CommandSpec, first } from "../spec.ts";
import { openPage } from "../terminal/browser.ts";
import { askText } from "../terminal/prompt.ts";
import { listenForRedirect } from "./redirect-listener.ts";
import { serversOfFile } from "./upstreams.ts";

// `leeway mcp login` and `logout`: a person lets the gateway use an MCP server in their name, and ends that.

const SERVER = ["<server>", "its name in mcp.json"] as const;
const CONFIG = [
  "--config <file>",
  "the file that names the server (default: mcp.json in your configuration folder)",
] as const;

export const login: CommandSpec = {
  name: "mcp login",
  summary: "sign in at an MCP server behind an address, so that the gateway may use it in your name",
  args: [SERVER],
  options: [CONFIG, AS_OPTION],
  examples: ["leeway mcp login tickets", "leeway mcp login tickets --config mcp.json"],
  exits: [0, 1, 2, 5],
  act: async (given) => {
    needTerminal(given.io, "sign in at an MCP server");
    return withDatabase(given, async (deps) => {
      const server = serverNamed(given, deps);
      const logins = loginsOf(deps);
      const { name: by } = await prove(given, deps, `sign in at ${server.name} (${server.url})`);
      const made = await signedIn(given, deps, server, by);
      const { server: at, url, issuer } = made;
      orFail(await recordMachineAct(deps, "login.added", { by, assurance: "tty" }, { server: at, url, issuer }));
      logins.keep(made);
      const shown = { server: made.server, url: made.url, issuer: made.issuer, by };
      given.out.answer(shown, () => `signed in at ${server.name}: the gateway uses it from now on`);
      return 0;
    });
  },
};

function loginsOf({ logins }: OpenedGate): ServerLogins {
  if (logins === undefined) throw new Failure(1, "this gate keeps nothing, so nobody can sign in", "set LEEWAY_DB");
  return logins;
}

function serverNamed(given: CommandInput, deps: OpenedGate): LoginServer {
  const name = first(given);
  const servers = serversOfFile(given, deps);
  const found = servers.find((server) => server.name === name);
  if (found === undefined)
    throw usage(`mcp.json names no server \`${name}\``, `use one of: ${servers.map((one) => one.name).join(", ")}`);
  const { by } = found;
  if (by.is === "command")
    throw new Failure(1, `${name} is started by a command, and needs no login`, "give it its secrets under `env`");
  if (Object.keys(by.headers).some(isAuthorization))
    throw new Failure(
      1,
      `mcp.json has a header Authorization for ${name}, which is sent instead of a login`,
      "take the header out of mcp.json to sign in",
    );
  return { name, url: by.url, headers: by.headers, ...(by.oauth === undefined ? {} : { oauth: by.oauth }) };
}

/** From the address of the authorization server to the tokens. */
async function signedIn(
  given: CommandInput,
  deps: OpenedGate,
  server: LoginServer,
  by: string,
): Promise<ServerLogin & { issuer: string }> {
  const { beginLogin } = await import("../../mcp/login/begin.ts");
  const listener = await listenForRedirect();
  try {
    const earlier = deps.logins?.find(server.name, server.url);
    const begun = await beginLogin(server, listener.url, earlier).catch((error: unknown) => {
      throw failed(server, error);
    });
    const clear = shown(given, begun);
    const came = await redirected(given, begun, listener.came(begun.isAnswer)).finally(clear);
    return await begun.finish(came, by, deps.clock.nowMs()).catch((error: unknown) => {
      throw failed(server, error);
    });
  } finally {
    listener.close();
  }
}

function failed({ name, url }: LoginServer, error: unknown): Failure {
  const why = error instanceof Error ? error.message : String(error);
  return new Failure(1, `nobody was signed in at ${name}: ${visible(why)}`, `nothing was changed; check ${url}`);
}

function shown({ io, out }: CommandInput, { issuer, address, scope }: BegunLogin): () => void {
  out.note(`You sign in at ${out.colours.bold(visible(issuer))}. If you do not know this address, press Ctrl-C.`);
  if (scope !== undefined) out.note(`It asks you to allow: ${visible(scope)}`);
  out.note(`Your browser opens this address. If it does not, open it yourself:\n\n${address}\n`);
  return openPage(stateFolderOf(io.env), address);
}

/** By the browser of this machine; or, if the browser is on another one, by the address that the person pastes. */
async function redirected({ io }: CommandInput, begun: BegunLogin, came: Promise<URL>): Promise<URL> {
  const over = new AbortController();
  const isGood = (text: string) => URL.canParse(text) && begun.isAnswer(new URL(text));
  const pasted = askText(
    io,
    "Waiting for your browser. If it is on another machine, paste the address at which it ends",
    {
      example: "http://127.0.0.1:…/callback?code=…",
      wrong: (text) =>
        isGood(text) ? undefined : "this is not the address that the browser was sent to after this login",
      until: over.signal,
    },
  );
  const first = await Promise.race([came, pasted.then((text) => new URL(text))]);
  over.abort();
  // The prompt puts the terminal back before it ends.
  await pasted.catch(() => undefined);
  return first;
}

export const logout: CommandSpec = {
  name: "mcp logout",
  summary: "end your login at an MCP server: its tokens are revoked and deleted",
  args: [SERVER],
  options: [AS_OPTION],
  examples: ["leeway mcp logout tickets"],
  exits: [0, 1, 2, 5],
  act: async (given) => {
    needTerminal(given.io, "end a login at an MCP server");
    return withDatabase(given, async (deps) => {
      const logins = loginsOf(deps);
      const name = first(given);
      const found = logins.list().filter(({ server }) => server === name);
      if (found.length === 0)
        throw new Failure(1, `there is no login at ${name}`, "`leeway mcp list` shows the logins");
      const { name: by } = await prove(given, deps, `end the login at ${name}`);
      const { revoked } = await import("../../mcp/login/authorization-server.ts");
      for (const one of found) {
        const at = { server: one.server, url: one.url };
        orFail(await recordMachineAct(deps, "login.ended", { by, assurance: "tty" }, at));
        logins.forget(one.server, one.url);
        if (one.state === "active" && !(await revoked(one)))
          given.out.note(`${visible(one.issuer)} could not be told: there, the tokens are valid until they expire`);
      }
      given.out.answer({ server: name, ended: found.length }, () => `ended the login at ${name}`);
      return 0;
    });
  },
};
