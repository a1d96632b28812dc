import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { stateFolderOf } from "../../config/server-file.ts";
import { isGateOnly } from "../../core/box.ts";
import { nameText } from "../../core/letters/name-text.ts";
import type { Person } from "../../core/people.ts";
import { PIN_TOOL } from "../../core/standing/pin.ts";
import { PLAN_TOOL } from "../../core/standing/plan.ts";
import { visibleJson } from "../../core/values/text.ts";
import type { Deps } from "../../gate/deps.ts";
import { addToken } from "../../gate/people/tokens.ts";
import { isLoopbackHost } from "../../http/connection/listening.ts";
import type { Logged } from "../../http/server.ts";
import type { ServeOptions, Server } from "../../serve.ts";
import { playDemo } from "../demo/served.ts";
import { REVIEWER, setStage } from "../demo/stage.ts";
import { Failure, orFail, usage } from "../failure.ts";
import { refuseServer } from "../gate/database.ts";
import { systemName } from "../person.ts";
import { type CommandInput, type CommandSpec, flag, oneOf, text, whole } from "../spec.ts";
import { openPage } from "../terminal/browser.ts";
import { hasPerson } from "../terminal/io.ts";
import { seldom } from "../terminal/seldom.ts";
import { welcome } from "./init.ts";

const PORT = 4141;
const PORT_MAX = 65_535;
const HOST = "127.0.0.1";

export const up: CommandSpec = {
  name: "up",
  summary: "start the server: the API, the inbox in the browser, and the timers",
  options: [
    ["--port <port>", `the port to listen on (default: ${PORT}; 0: any free port)`],
    ["--host <address>", `the address to listen on (default: ${HOST})`],
    ["--url <url>", "the address that people use, if it is a different one: https://leeway.example.com"],
    [
      "--db <database>",
      "a database file, or an address of PostgreSQL: postgres://… (default: the file in your state folder)",
    ],
    ["--demo", "start a demo in a temporary folder, with an agent that makes a few calls"],
    ["--open", "open the inbox in a browser"],
    [
      "--log <which>",
      "`all`: print a line of JSON on stderr for each request (default: `errors`, only for failed requests)",
    ],
  ],
  examples: [
    "leeway up",
    "leeway up --port 0 --json",
    "leeway up --demo --open",
    "leeway up --db postgres://leeway@db.internal/leeway",
  ],
  exits: [0, 1, 2, 5],
  act: (given) => (flag(given, "demo") ? upDemo(given) : upForReal(given)),
};

async function upForReal(given: CommandInput): Promise<number> {
  refuseServer(given);
  const db = text(given, "db");
  const env = db === undefined ? given.io.env : { ...given.io.env, LEEWAY_DB: db };
  const here: CommandInput = { ...given, io: { ...given.io, env } };
  const options = optionsOf(here);
  const { ownRunners, serve } = await import("../../serve.ts");
  // Checked before the passphrase prompt: a server whose runners are not configured correctly must not start.
  const runners = await ownRunners(env);
  const isNew = await firstPerson(here);
  const server = await served(options, () => serve({ env, cwd: given.io.cwd, runners }, { ...options, apart: true }));
  const told = await tellWhere(here, server, isNew?.name).catch(async (error: unknown) => {
    // Otherwise it would stay announced, and nobody would find a server that runs.
    await server.close();
    throw error;
  });
  (await import("../make-compiled.ts")).compileInBackground();
  const { residentIn } = await import("../resident.ts");
  const { observers } = server.deps;
  const resident = await residentIn(stateFolderOf(env), observers === undefined ? {} : { observers });
  const clear = flag(given, "open") ? openPage(stateFolderOf(env), told.opened) : undefined;
  await told.stopped;
  resident?.close();
  await resident?.stopped;
  clear?.();
  return 0;
}

type Serving = Awaited<ReturnType<typeof import("../../serve.ts").serve>>;

/** Says where the server is and how to sign in. `opened`: the page for people; `stopped` ends when the server was stopped. */
async function tellWhere(given: CommandInput, server: Serving, name: string | undefined) {
  const link = name === undefined ? undefined : await signInLink(server, name);
  const token = name === undefined ? undefined : await agentToken(server.deps, name);
  const people = (await server.deps.standing.current()).rows.people.filter(({ state }) => state === "active");
  const { url, pages, warnings, deps } = server;
  const runs = [...deps.runners.keys()].filter((tool) => tool !== PIN_TOOL && tool !== PLAN_TOOL && !isGateOnly(tool));
  const beside = server.workspaces.list().map((one) => ({ name: one.deps.workspace, pages: one.pages }));
  const said = {
    ...(beside.length > 0 && { workspaces: beside }),
    ...(link && { link }),
    ...(token && { token }),
    ...(runs.length > 0 && { runs }),
    ...warned(server),
  };
  const isApart = pages !== url;
  const stopped = untilStopped(given, server);
  given.out.answer({ url, ...(isApart && { pages }), pid: process.pid, ...said }, () =>
    [
      `Leeway is running at ${pages}`,
      ...(isApart ? [`that address is for people; programs use ${url}`] : []),
      ...beside.map((one) => `the workspace ${one.name} is at ${one.pages}`),
      ...warnings.map((text) => given.out.colours.yellow(`warning: ${text}`)),
      ...(runs.length === 0 ? [] : [`after approval this server itself runs: ${runs.map(nameText).join(", ")}`]),
      ...(link === undefined ? [] : [`sign in with this link (works once, within 15 minutes): ${link}`]),
      ...(token === undefined ? [] : [`token for the agent coder (shown only once): ${token}`]),
      ...(link === undefined ? signInTexts(people) : []),
      "press Ctrl-C to stop; waiting questions are kept",
    ].join("\n"),
  );
  return { opened: link ?? pages, stopped };
}

/** How people sign in, if no link was made. Many names are not listed. */
function signInTexts(people: readonly Person[]): readonly string[] {
  if (people.length === 0)
    return ["nobody can sign in yet; add a person: `leeway people add NAME --admin --password-file F`"];
  const names = people.filter(({ passphrase }) => passphrase !== undefined).map(({ name }) => nameText(name));
  if (names.length === 0) return [];
  if (names.length > NAMES_MAX) return ["sign in there with your name and your passphrase"];
  return [`sign in there as ${names.join(" or ")}, with your passphrase`];
}

const NAMES_MAX = 3;

function warned({ warnings }: Server): { warnings?: readonly string[] } {
  return warnings.length === 0 ? {} : { warnings };
}

/** The first run at a terminal makes the first person. Without a terminal the server starts, but nobody can sign in. */
async function firstPerson(given: CommandInput): Promise<{ name: string } | undefined> {
  const { hasPeople, meantPlace } = await import("../authority.ts");
  if (!hasPerson(given.io) || (await hasPeople(given, meantPlace(given)))) return undefined;
  const name = systemName();
  given.out.note(`Nobody is set up yet, so you become the first admin: ${name}.`);
  await welcome(given, name);
  return { name };
}

const LINK_MS = 15 * 60_000;

async function signInLink(server: Server, person: string): Promise<string> {
  const holder = { person, can: "sign-in" } as const;
  const made = orFail(await addToken(server.deps, holder, { by: person, assurance: "tty", forMs: LINK_MS }));
  return `${server.pages}/sign-in/link/${made.value.text}`;
}

async function agentToken(deps: Deps, by: string): Promise<string> {
  return orFail(await addToken(deps, { agent: "coder" }, { by, assurance: "tty" })).value.text;
}

/** The demo has its own folder, so the sign-in link and the passphrase can be printed. */
async function upDemo(given: CommandInput): Promise<number> {
  const { serveDeps } = await import("../../serve.ts");
  const passphrase = randomBytes(5).toString("hex");
  const stage = await setStage(given.io, { passphrase });
  try {
    const options = optionsOf(given);
    const server = await served(options, () =>
      serveDeps(stage.deps, { ...options, ...saidToAll(options, passphrase) }),
    );
    const link = await signInLink(server, REVIEWER);
    given.out.answer({ url: server.url, pid: process.pid, link, passphrase, ...warned(server) }, () =>
      [
        `Leeway is running at ${server.url}, in a temporary folder`,
        ...server.warnings.map((text) => given.out.colours.yellow(`warning: ${text}`)),
        `you are ${REVIEWER}, the owner of the agent coder; sign in with this link (works once): ${link}`,
        `if a page asks you to sign in: the name is ${REVIEWER}, the passphrase is ${passphrase}`,
        "press Ctrl-C to stop and delete everything",
      ].join("\n"),
    );
    if (flag(given, "open")) openPage(dirname(stage.project), link);
    const playing = playDemo(stage);
    await untilStopped(given, server);
    await playing.stop();
    return 0;
  } finally {
    await stage.strike();
  }
}

/** The sign-in page shows them too, as long as only this machine can open it. */
function saidToAll({ host, url }: ServeOptions, passphrase: string): Pick<ServeOptions, "demo"> {
  return isLoopbackHost(host) && url === undefined ? { demo: { name: REVIEWER, passphrase } } : {};
}

function optionsOf(given: CommandInput): ServeOptions {
  const url = text(given, "url");
  if (url !== undefined && !/^https?:\/\/[^/]+\/?$/.test(url))
    throw usage(`--url ${url} is not the address of a server`, "write https://leeway.example.com");
  const port = whole(given, "port") ?? PORT;
  if (port > PORT_MAX)
    throw usage(`there is no port ${port}`, `choose a port up to ${PORT_MAX}, or 0 for any free port`);
  const { stderr } = given.io;
  const isWanted = LOGS[oneOf(text(given, "log") ?? "errors", ["all", "errors"], "value of --log")];
  return {
    host: text(given, "host") ?? HOST,
    port,
    ...(url === undefined ? {} : { url }),
    ...issuerOf(given),
    log: (line) => void (isWanted(line) && stderr.write(`${visibleJson({ at: new Date().toISOString(), ...line })}\n`)),
    warn: seldom(
      ({ text, times }) =>
        void stderr.write(
          `${visibleJson({ at: new Date().toISOString(), warning: text, ...(times > 1 && { times }) })}\n`,
        ),
    ),
  };
}

/** All three variables or none: with some of them missing, sign-in could not work. */
function issuerOf({ io: { env } }: CommandInput): Pick<ServeOptions, "issuer"> {
  const names = ["LEEWAY_OIDC_ISSUER", "LEEWAY_OIDC_CLIENT", "LEEWAY_OIDC_SECRET"];
  const [issuer = "", clientId = "", clientSecret = ""] = names.map((name) => env[name] ?? "");
  const missing = names.filter((name) => (env[name] ?? "") === "");
  if (missing.length === names.length) return {};
  if (missing.length > 0) throw usage(`${missing.join(" and ")} is not set`, "set all three, or none");
  if (!URL.canParse(issuer)) throw usage(`LEEWAY_OIDC_ISSUER is not an address: ${issuer}`, "write https://…");
  return { issuer: { issuer, clientId, clientSecret } };
}

/** Successful requests are in the ledger; `all` logs them too. */
const LOGS: Record<"all" | "errors", (line: Logged) => boolean> = {
  all: () => true,
  errors: ({ status, error }) => status >= 500 || error !== undefined,
};

async function served<S extends Server>(
  where: Pick<ServeOptions, "host" | "port">,
  start: () => Promise<S>,
): Promise<S> {
  try {
    return await start();
  } catch (error) {
    const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
    if (code === "EADDRINUSE")
      throw new Failure(
        1,
        `port ${port} on ${address} is already in use, perhaps by another \`leeway up\``,
        "choose another with --port, or use `--port 0` for any free port",
      );
    if (code === "EACCES" || code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
      throw new Failure(
        1,
        `the server cannot listen on ${where.host}, port ${where.port} (${code})`,
        "choose another --host or --port",
      );
    throw error;
  }
}

/**
 * The first signal lets requests in progress finish; the second ends the process at once. Begun before anything is said,
 * because whoever reads that the server runs may stop it at once.
 */
function untilStopped(given: CommandInput, server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    let stopping = false;
    const stop = () => {
      if (stopping) process.exit(1);
      stopping = true;
      given.out.note("stopping");
      server.close().then(resolve, reject);
    };
    process.on("SIGINT", stop).on("SIGTERM", stop);
  });
}
