import { createHmac, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { blockFault, type Json, textsIn, viewFault } from "./slack-rules.ts";
import { type SlackSocket, slackSocket } from "./slack-socket.ts";
import { type Callback, type SeenMessage, type Send, type Stage, until } from "./suite.ts";

// Slack on this machine, as its documentation describes it: methods, tokens, Block Kit, response URLs, triggers, signatures.

export const CHAT = "C0OPS";
export const BOT_TOKEN = "xoxb-1111-2222-abcdefghijklmnop";
/** The workspace in which the app is installed. */
export const TEAM = "T1";
export const APP_TOKEN = "xapp-1-A1-222-abcdef";
export const SIGNING_SECRET = "8f742231b10e8888abcd99baac85a5f1";

type Posted = { channel: string; ts: string; text: string; blocks: readonly Json[]; isDeleted?: true };
type Opened = { trigger: string; view: Json };
export type Called = { method: string; args: Json };

/** What the service does instead of answering as usual. */
export type Broken =
  | "down"
  | "busy"
  /** Accepts the request and never answers. */
  | "silent"
  /** Answers after so many milliseconds. */
  | { afterMs: number }
  /** `{ ok: false }` with this error, of one method or of all. */
  | { error: string; method?: string; more?: Json };

export type SlackService = Stage & {
  posted: readonly Posted[];
  opened: readonly Opened[];
  called: readonly Called[];
  /** The messages that were sent to a response URL. */
  responses(url: string): readonly Json[];
  fails(how: Broken | undefined): void;
  /** Sets how much text the service accepts in a message. Slack does not document its limit, and changes it. */
  takes(charactersMax: number): void;
  scopes: string[];
  socket: SlackSocket;
  token: { value: string };
  /** A request of Slack, signed now or at another time, or with another secret. */
  signed(
    body: string,
    how?: { type?: string; atMs?: number; secret?: string; headers?: Record<string, string> },
  ): Callback;
  interaction(payload: Json): Callback;
  event(event: Json, how?: { id?: string; retry?: number }): Callback;
  command(text: string, account: string): Callback;
  trigger(): string;
  responseUrl(): string;
};

const JSON_METHODS = ["chat.postMessage", "chat.update", "views.open"];
const FORM_METHODS = ["auth.test", "users.info", "conversations.info", "apps.connections.open"];
const TRIGGER_MS = 3000;
const FORM = "application/x-www-form-urlencoded";

/** With `chat`, every question is sent to this chat too. */
export async function slackService({ chat }: { chat?: string } = {}): Promise<SlackService> {
  const posted: Posted[] = [];
  const opened: Opened[] = [];
  const called: Called[] = [];
  const hooks = new Map<string, Json[]>();
  const triggers = new Map<string, number>();
  const scopes = ["chat:write", "commands", "im:history", "users:read"];
  const token = { value: BOT_TOKEN };
  let broken: Broken | undefined;
  let charactersMax = 11_000;
  let count = 0;
  const next = (prefix: string) => `${prefix}${(++count).toString().padStart(6, "0")}`;

  const methods: Record<string, (args: Json) => Json> = {
    "auth.test": () => ({ ok: true, team: "Ops", user: "leeway", bot_id: "B1", user_id: "U0BOT" }),
    "users.info": ({ user }) =>
      scopes.includes("users:read")
        ? { ok: true, user: { id: user, name: `name-of-${user}` } }
        : { ok: false, error: "missing_scope", needed: "users:read", provided: scopes.join(",") },
    "conversations.info": ({ channel }) =>
      scopes.includes("channels:read")
        ? { ok: true, channel: { id: channel, is_member: channel === CHAT, is_archived: channel === "C0OLD" } }
        : { ok: false, error: "missing_scope", needed: "channels:read", provided: scopes.join(",") },
    "chat.postMessage": ({ channel, text, blocks }) => {
      if (!/^[UWCDG]/.test(channel)) return { ok: false, error: "channel_not_found" };
      if (/^[CG]/.test(channel) && channel !== CHAT) return { ok: false, error: "not_in_channel" };
      const at = /^[UW]/.test(channel) ? `D${channel.slice(1)}` : channel;
      const fault = contentFault(text, blocks, charactersMax);
      if (fault !== undefined) return fault;
      const ts = `1700000000.${next("")}`;
      posted.push({ channel: at, ts, text, blocks });
      return { ok: true, channel: at, ts, message: { type: "message", text, blocks, ts, bot_id: "B1" } };
    },
    "chat.update": ({ channel, ts, text, blocks }) => {
      const found = posted.find((one) => one.channel === channel && one.ts === ts && one.isDeleted !== true);
      if (found === undefined) return { ok: false, error: "message_not_found" };
      const fault = contentFault(text, blocks, charactersMax);
      if (fault !== undefined) return fault;
      Object.assign(found, { text, blocks });
      return { ok: true, channel, ts, text };
    },
    "apps.connections.open": () => ({ ok: true, url: socket.address() }),
    "views.open": ({ trigger_id, view }) => {
      const untilMs = triggers.get(trigger_id);
      if (untilMs === undefined) return { ok: false, error: "invalid_trigger_id" };
      if (untilMs < Date.now()) return { ok: false, error: "expired_trigger_id" };
      const fault = viewFault(view);
      if (fault !== undefined)
        return { ok: false, error: "invalid_arguments", response_metadata: { messages: [fault] } };
      // A trigger opens one view.
      triggers.set(trigger_id, 0);
      opened.push({ trigger: trigger_id, view });
      return { ok: true, view: { ...view, id: next("V") } };
    },
  };

  const answered = (request: IncomingMessage, body: string): { status?: number; json: Json; headers?: Json } => {
    const method = request.url?.replace("/api/", "") ?? "";
    const act = methods[method];
    if (act === undefined) return { json: { ok: false, error: "unknown_method" } };
    const type = request.headers["content-type"] ?? "";
    const isJson = type === "application/json; charset=utf-8" && JSON_METHODS.includes(method);
    const isForm = type === FORM && FORM_METHODS.includes(method);
    if (!isJson && !isForm) return { json: { ok: false, error: "invalid_post_type" } };
    const args = isJson ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
    called.push({ method, args });
    const { authorization } = request.headers;
    if (authorization === undefined) return { json: { ok: false, error: "not_authed" } };
    const wanted = method === "apps.connections.open" ? APP_TOKEN : token.value;
    if (authorization !== `Bearer ${wanted}`) return { json: { ok: false, error: "invalid_auth" } };
    if (typeof broken === "object" && "error" in broken && (broken.method ?? method) === method)
      return { json: { ok: false, error: broken.error, ...broken.more } };
    return { json: act(args), headers: { "x-oauth-scopes": scopes.join(",") } };
  };

  const hooked = (url: string, body: string): number => {
    const told = hooks.get(url);
    // A response URL can be used five times.
    if (told === undefined || told.length >= 5) return 404;
    const message = JSON.parse(body);
    if (contentFault(message.text, message.blocks, charactersMax) !== undefined) return 400;
    told.push(message);
    return 200;
  };

  const reply = (request: IncomingMessage, response: ServerResponse, body: string) => {
    if (broken === "silent") return;
    if (broken === "down") return void response.writeHead(503).end("upstream is gone");
    if (broken === "busy") return void response.writeHead(429, { "retry-after": "1" }).end();
    if (request.url?.startsWith("/hooks/")) {
      const status = hooked(`http://${request.headers.host}${request.url}`, body);
      return void response.writeHead(status).end(status === 200 ? "ok" : "no");
    }
    const { status = 200, json, headers = {} } = answered(request, body);
    response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
    response.end(JSON.stringify(json));
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const afterMs = typeof broken === "object" && "afterMs" in broken ? broken.afterMs : 0;
      if (afterMs === 0) reply(request, response, body);
      else setTimeout(() => reply(request, response, body), afterMs);
    });
  });
  const socket = slackSocket(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const trigger = () => {
    const made = `${next("1")}.${randomBytes(8).toString("hex")}`;
    triggers.set(made, Date.now() + TRIGGER_MS);
    return made;
  };
  const responseUrl = () => {
    const url = `${origin}/hooks/${randomBytes(8).toString("hex")}`;
    hooks.set(url, []);
    return url;
  };
  const signed: SlackService["signed"] = (
    body,
    { type = FORM, atMs = Date.now(), secret = SIGNING_SECRET, headers } = {},
  ) => {
    const timestamp = String(Math.floor(atMs / 1000));
    const signature = createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex");
    const own = { "x-slack-request-timestamp": timestamp, "x-slack-signature": `v0=${signature}` };
    return { path: "/channels/slack", headers: { "content-type": type, ...own, ...headers }, body };
  };
  const interaction = (payload: Json) => signed(new URLSearchParams({ payload: JSON.stringify(payload) }).toString());
  const press = pressing({ posted, opened, interaction, trigger, responseUrl });

  return {
    settings: {
      botToken: "env:SLACK_TOKEN",
      signingSecret: "env:SLACK_SIGNING",
      api: `${origin}/api`,
      ...(chat === undefined ? {} : { chat }),
    },
    env: { SLACK_TOKEN: BOT_TOKEN, SLACK_SIGNING: SIGNING_SECRET },
    contact: (person) => ({ channel: "slack", account: `${TEAM}/U0${person.toUpperCase()}`, label: person }),
    ...(chat === undefined ? {} : { place: chat }),
    seen: () => posted.filter(({ isDeleted }) => isDeleted !== true).map(seenOf),
    breaks: (how) => {
      broken = how;
    },
    press,
    triage: triaging({ posted, opened, interaction, trigger, responseUrl }),
    toldBack: async (status, body, callback) => {
      if (status >= 400) return JSON.stringify(body);
      const { view } = (body ?? {}) as Json;
      if (view !== undefined) return viewFault(view) ?? textsIn(view).join("\n");
      const payload = JSON.parse(new URLSearchParams(callback.body).get("payload") ?? "{}");
      const told = await until(
        () => hooks.get(payload.response_url) ?? [],
        (all) => all.length > 0,
      );
      return textsIn(told).join("\n");
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const { peer } of socket.links) peer.break();
        server.closeAllConnections();
      }),
    posted,
    opened,
    called,
    responses: (url) => hooks.get(url) ?? [],
    fails: (how) => {
      broken = how;
    },
    takes: (max) => {
      charactersMax = max;
    },
    scopes,
    token,
    socket,
    signed,
    interaction,
    event: (event, { id = next("Ev"), retry } = {}) =>
      signed(JSON.stringify({ type: "event_callback", team_id: TEAM, api_app_id: "A1", event_id: id, event }), {
        type: "application/json",
        ...(retry === undefined
          ? {}
          : { headers: { "x-slack-retry-num": String(retry), "x-slack-retry-reason": "http_timeout" } }),
      }),
    command: (text, account) =>
      signed(
        new URLSearchParams({
          command: "/leeway",
          text,
          user_id: userIn(account).id,
          user_name: `name-of-${userIn(account).id}`,
          channel_id: "C1",
          team_id: userIn(account).team_id,
          trigger_id: trigger(),
          response_url: responseUrl(),
        }).toString(),
      ),
    trigger,
    responseUrl,
  };
}

type Pressing = Pick<SlackService, "posted" | "opened" | "interaction" | "trigger" | "responseUrl">;

/** A press of Deny opens a form; what counts is the form that the person sends. */
function pressing(slack: Pressing): NonNullable<Stage["press"]> {
  return async (message, button, account, { note = "", send }) => {
    if (button === "approve") return pressed(slack, message, button, account).request;
    return filled(slack, message, button, account, { values: [note], send });
  };
}

/** The person sees the form that the button opens, fills it in and sends it. */
function triaging(slack: Pressing): NonNullable<Stage["triage"]> {
  return (message, done, account, { send }) => {
    const values = done.act === "reply" ? [done.text] : done.act === "snooze" ? [done.until] : [done.to, done.note];
    return filled(slack, message, done.act, account, { values, send });
  };
}

async function filled(
  slack: Pressing,
  message: SeenMessage,
  button: string,
  account: string,
  { values, send }: { values: readonly string[]; send: Send },
): Promise<Callback> {
  const callback = pressed(slack, message, button, account);
  await send(callback.request);
  const [form] = await until(
    () => slack.opened.filter(({ trigger }) => trigger === callback.trigger),
    (all) => all.length > 0,
  );
  return submitted(slack, form?.view, account, values);
}

/** A form that this account sends. */
export function submitted(slack: Pressing, view: Json, account: string, values: readonly string[]): Callback {
  const user = userIn(account);
  return slack.interaction({
    type: "view_submission",
    team: { id: user.team_id, domain: "ops" },
    user,
    view: { ...view, state: { values: typed(view, values) } },
  });
}

/** What Slack sends of the fields of a form, by block and action. What is no option cannot be chosen. */
function typed(view: Json, values: readonly string[]): Json {
  const inputs: Json[] = view.blocks.filter((block: Json) => block.type === "input");
  return Object.fromEntries(
    inputs.map(({ block_id, element: { type, action_id, options } }, at) => {
      const value = values[at] ?? "";
      const chosen = options?.find((one: Json) => one.value === value);
      if (options !== undefined && chosen === undefined) throw new Error(`${value} is no option`);
      const state = options === undefined ? { value: value === "" ? null : value } : { selected_option: chosen };
      return [block_id, { [action_id]: { type, ...state } }];
    }),
  );
}

/** The user as Slack names them; without a workspace, one of that in which the app is installed. */
function userIn(account: string): { id: string; team_id: string } {
  const [id = "", team_id = TEAM] = account.split("/").reverse();
  return { id, team_id };
}

/** The button as the message has it; if it has no such button, one that somebody made from another. */
export function pressed(slack: Pressing, message: SeenMessage, button: string, account: string) {
  const found = slack.posted.find(({ ts }) => ts === message.id);
  const elements: Json[] = found?.blocks.flatMap((block) => (block.type === "actions" ? block.elements : [])) ?? [];
  const own = elements.find(({ action_id }) => action_id.includes(button));
  const action = own ?? { ...elements.find(({ value }) => value !== undefined), action_id: `leeway_${button}` };
  const [trigger, responseUrl] = [slack.trigger(), slack.responseUrl()];
  const request = slack.interaction({
    type: "block_actions",
    team: { id: userIn(account).team_id, domain: "ops" },
    user: { ...userIn(account), username: account },
    api_app_id: "A1",
    trigger_id: trigger,
    response_url: responseUrl,
    container: { type: "message", message_ts: found?.ts, channel_id: found?.channel, is_ephemeral: false },
    channel: { id: found?.channel },
    actions: [{ type: "button", action_id: action.action_id, value: action.value, action_ts: "1" }],
  });
  return { request, trigger, responseUrl };
}

const ANSWERS = ["approve", "deny"];

function seenOf({ channel, ts, text, blocks }: Posted): SeenMessage {
  const elements: Json[] = blocks.flatMap((block) => (block.type === "actions" ? block.elements : []));
  const acts: string[] = elements
    .filter(({ url }) => url === undefined)
    .map(({ action_id }) => action_id.replace("leeway_", ""));
  const buttons = acts.filter((act) => ANSWERS.includes(act));
  const triage = acts.filter((act) => !ANSWERS.includes(act));
  return { id: ts, to: channel, text: [text, ...textsIn(blocks)].join("\n"), buttons, triage };
}

function contentFault(text: unknown, blocks: readonly Json[] | undefined, charactersMax: number): Json | undefined {
  if (typeof text !== "string" || text === "") return { ok: false, error: "no_text" };
  const fault = blockFault(blocks ?? []);
  if (fault !== undefined) return { ok: false, error: "invalid_blocks", response_metadata: { messages: [fault] } };
  const length = textsIn(blocks ?? []).reduce((sum, one) => sum + one.length, 0);
  return length > charactersMax ? { ok: false, error: "msg_blocks_too_long" } : undefined;
}
