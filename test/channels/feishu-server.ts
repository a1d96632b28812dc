import { createCipheriv, createHash, randomBytes, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type SeenCard, seenCard } from "./feishu-card.ts";
import type { Callback, SeenMessage } from "./suite.ts";

// Feishu on this machine, as strict as its documentation: tokens that expire, receivers that exist, one message per
// uuid, cards that are checked property by property, and callbacks that are signed and encrypted.

export type HeldMessage = {
  id: string;
  chat: string;
  to: string;
  by: string;
  card: SeenCard;
  json: unknown;
  changed: number;
};

/** How the service fails from now on, until it is reset. */
export type Broken =
  | "down"
  | "busy"
  | "busy in the old way"
  | "silent"
  | "stalled"
  | "page"
  | { code: number; msg?: string };

export type FeishuOptions = {
  encryptKey?: string;
  verificationToken?: string;
  appId?: string;
  appSecret?: string;
};

type Answer = { status: number; body: object | string; headers?: Record<string, string> };

const BODY_BYTES_MAX = 30 * 1024;

export async function feishuServer(given: FeishuOptions = {}) {
  const { appId = "cli_leeway", appSecret = "app-secret-1" } = given;
  const state = {
    broken: undefined as Broken | undefined,
    tokens: new Set<string>(),
    tokensGiven: 0,
    tokenSeconds: 7200,
    messages: new Map<string, HeldMessage>(),
    uuids: new Map<string, string>(),
    requests: [] as string[],
    /** Open ids and user ids of the company; chats that the bot is in. */
    people: new Map<string, string | undefined>([
      ["ou_ana", "ana7"],
      ["ou_ben", undefined],
    ]),
    chats: new Set(["oc_team"]),
    appState: 2,
    /** Requests that are answered with this failure once, by the start of `METHOD /path`. */
    once: new Map<string, Broken>(),
  };
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const what = `${request.method} ${request.url}`;
      state.requests.push(what);
      const answer = broken(what) ?? answered(request, Buffer.concat(chunks));
      if (answer === "stalled") response.writeHead(200).write('{"code":0,');
      if (answer === "silent" || answer === "stalled") return void held.push(response);
      const { status, body, headers = {} } = answer;
      response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    });
  });

  function broken(what: string): Answer | "silent" | "stalled" | undefined {
    const [key] = [...state.once.keys()].filter((start) => what.startsWith(start));
    const how = (key === undefined ? undefined : state.once.get(key)) ?? state.broken;
    if (key !== undefined) state.once.delete(key);
    if (how === undefined || how === "silent" || how === "stalled") return how;
    const limit = { code: 99991400, msg: "request trigger frequency limit" };
    const headers = { "x-ogw-ratelimit-limit": "100", "x-ogw-ratelimit-reset": "1" };
    if (how === "down") return { status: 503, body: { code: 1500, msg: "internal error" } };
    if (how === "busy") return { status: 429, body: limit, headers };
    if (how === "busy in the old way") return { status: 400, body: limit, headers };
    if (how === "page") return { status: 200, body: "<html>a proxy asks you to sign in</html>" };
    return no(how.code, how.msg);
  }

  function answered(request: IncomingMessage, bytes: Buffer): Answer {
    const url = new URL(request.url ?? "/", "http://feishu");
    const what = `${request.method} ${url.pathname}`;
    if (request.method !== "GET" && request.headers["content-type"] !== "application/json; charset=utf-8")
      return no(9499, "Bad Request");
    if (bytes.length > BODY_BYTES_MAX) return no(230025, "The length of the message content reaches its limit.");
    const body = bytes.length === 0 ? {} : (JSON.parse(bytes.toString()) as Record<string, unknown>);
    if (what === "POST /open-apis/auth/v3/tenant_access_token/internal") return token(body);
    const { authorization } = request.headers;
    if (authorization === undefined) return no(99991661, "Missing access token for authorization.");
    if (!state.tokens.has(authorization.replace(/^Bearer /, ""))) return no(99991663, "Invalid access token.");
    if (what === "GET /open-apis/bot/v3/info")
      return yes({ bot: { activate_status: state.appState, app_name: "Leeway", open_id: "ou_bot" } });
    if (what === "POST /open-apis/im/v1/messages") return sent(url, body);
    const [, chat] = /^GET \/open-apis\/im\/v1\/chats\/([^/]+)\/members\/is_in_chat$/.exec(what) ?? [];
    if (chat !== undefined) return yes({ data: { is_in_chat: state.chats.has(chat) } });
    const [, changed] = /^PATCH \/open-apis\/im\/v1\/messages\/([^/]+)$/.exec(what) ?? [];
    if (changed !== undefined) return patched(changed, body);
    const [, repliedTo] = /^POST \/open-apis\/im\/v1\/messages\/([^/]+)\/reply$/.exec(what) ?? [];
    if (repliedTo !== undefined)
      return kept({ chat: `chat of ${repliedTo}`, to: `reply:${repliedTo}`, by: "reply" }, body);
    return { status: 404, body: "404 page not found" };
  }

  function token(body: Record<string, unknown>): Answer {
    if (body["app_id"] !== appId) return { status: 200, body: { code: 10003, msg: "invalid param" } };
    if (body["app_secret"] !== appSecret) return { status: 200, body: { code: 10014, msg: "app secret invalid" } };
    state.tokensGiven += 1;
    const text = `t-${randomUUID()}`;
    state.tokens.add(text);
    return { status: 200, body: { code: 0, msg: "ok", tenant_access_token: text, expire: state.tokenSeconds } };
  }

  function sent(url: URL, body: Record<string, unknown>): Answer {
    const by = url.searchParams.get("receive_id_type");
    const id = String(body["receive_id"]);
    if (by === "chat_id") {
      if (!state.chats.has(id)) return no(230002, "Bot/User can NOT be out of the chat.");
      return kept({ chat: id, to: id, by }, body);
    }
    if (by !== "open_id" && by !== "user_id") return no(99992402, "field validation failed");
    const openId = by === "open_id" ? id : [...state.people].find(([, userId]) => userId === id)?.[0];
    if (openId === undefined || !state.people.has(openId))
      return no(by === "open_id" ? 99992351 : 99992360, "these ids not existed");
    return kept({ chat: `p2p of ${openId}`, to: openId, by }, body);
  }

  function kept(where: Pick<HeldMessage, "chat" | "to" | "by">, body: Record<string, unknown>): Answer {
    const { msg_type, content, uuid } = body;
    if (typeof content !== "string") return no(230001, "ext=content is no string");
    if (typeof uuid !== "string" || uuid.length > 50) return no(230001, "ext=invalid uuid");
    const json: unknown = JSON.parse(content);
    const card = msg_type === "text" ? plainText(json) : msg_type === "interactive" ? cardOr(json) : "no such msg_type";
    if (typeof card === "string") return no(230099, `Failed to create card content, ext=${card}`);
    const name = `${where.to} ${uuid}`;
    const id = state.uuids.get(name) ?? `om_${randomBytes(16).toString("hex")}`;
    if (!state.uuids.has(name)) {
      state.uuids.set(name, id);
      state.messages.set(id, { id, ...where, card, json, changed: 0 });
    }
    return yes({ data: { message_id: id, chat_id: where.chat, msg_type, create_time: String(Date.now()) } });
  }

  function patched(id: string, body: Record<string, unknown>): Answer {
    const message = state.messages.get(id);
    if (message === undefined) return no(230001, "ext=invalid message_id");
    if (typeof body["content"] !== "string" || Object.keys(body).length > 1) return no(230001, "invalid content");
    const json: unknown = JSON.parse(body["content"]);
    const card = cardOr(json);
    if (typeof card === "string") return no(230099, `Failed to create card content, ext=${card}`);
    state.messages.set(id, { ...message, card, json, changed: message.changed + 1 });
    return yes({ data: {} });
  }

  /** A callback or event as Feishu sends it with these keys. */
  function callback(type: string, event: object, how: Partial<CallbackOptions> = {}): Callback {
    const { atMs = Date.now(), id = randomUUID(), app = appId, eventToken = given.verificationToken } = how;
    const header = {
      event_id: id,
      event_type: type,
      create_time: type === "card.action.trigger" ? `${atMs}000` : String(atMs),
      token: eventToken ?? "unused-token",
      app_id: app,
      tenant_key: "2ca1d211f64f6438",
    };
    return signed({ schema: "2.0", header, event }, { ...given, atMs });
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    state,
    appId,
    appSecret,
    url: `http://127.0.0.1:${port}`,
    callback,
    signed: (body: object, how: { atMs?: number; isUnsigned?: true } = {}) => signed(body, { ...given, ...how }),
    seen: (): readonly SeenMessage[] => [...state.messages.values()].filter(({ by }) => by !== "reply").map(seenOf),
    replies: () => [...state.messages.values()].filter(({ by }) => by === "reply").map(seenOf),
    close: () => {
      for (const response of held) response.destroy();
      server.closeAllConnections();
      return new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

type CallbackOptions = { atMs: number; id: string; app: string; eventToken: string };
export type FeishuServer = Awaited<ReturnType<typeof feishuServer>>;

function yes(more: object): Answer {
  return { status: 200, body: { code: 0, msg: "success", ...more } };
}

function no(code: number, msg = "failed"): Answer {
  return { status: 400, body: { code, msg, error: { log_id: "20240911085251BEA8869709BAD4373B10" } } };
}

function cardOr(json: unknown): SeenCard | string {
  try {
    return seenCard(json);
  } catch (error) {
    return String(error);
  }
}

function plainText(json: unknown): SeenCard | string {
  const text = typeof json === "object" && json !== null && "text" in json ? json.text : undefined;
  if (typeof text !== "string" || text.includes("<")) return "a text with markup";
  return { texts: [text], urls: [], callbacks: [], inputs: [], choices: {} };
}

export function seenOf({ id, to, card }: HeldMessage): SeenMessage {
  const named = (key: "verdict" | "act") => [
    ...new Set(card.callbacks.map((value) => value[key]).filter((name) => typeof name === "string")),
  ];
  return { id, to, text: [...card.texts, ...card.urls].join("\n"), buttons: named("verdict"), triage: named("act") };
}

/** With an encryption key the body is encrypted and signed; without one it is sent as it is. */
function signed(body: object, how: FeishuOptions & { atMs?: number; isUnsigned?: true }): Callback {
  const { encryptKey, atMs = Date.now(), isUnsigned } = how;
  const path = "/channels/feishu";
  const headers: Record<string, string> = { "content-type": "application/json; charset=utf-8" };
  if (encryptKey === undefined) return { path, headers, body: JSON.stringify(body) };
  const text = JSON.stringify({ encrypt: encrypted(JSON.stringify(body), encryptKey) });
  if (isUnsigned === true) return { path, headers, body: text };
  const [time, nonce] = [String(Math.floor(atMs / 1000)), String(randomBytes(4).readUInt32BE())];
  const signature = createHash("sha256")
    .update(time + nonce + encryptKey + text)
    .digest("hex");
  return {
    path,
    headers: {
      ...headers,
      "x-lark-request-timestamp": time,
      "x-lark-request-nonce": nonce,
      "x-lark-signature": signature,
    },
    body: text,
  };
}

function encrypted(text: string, key: string): string {
  const iv = randomBytes(16);
  const cipher = createCipheriv("aes-256-cbc", createHash("sha256").update(key).digest(), iv);
  return Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final()]).toString("base64");
}
