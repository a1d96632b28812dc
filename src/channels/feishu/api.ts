import type { FeishuSettings } from "../../core/channel.ts";
import { ChannelFailure } from "../../ports.ts";
import { jsonIn, numberAt, textAt } from "../read-json.ts";
import { requestService, type ServiceAnswer, said, waitMs } from "../service-request.ts";
import type { ChannelTools } from "../tools.ts";
import { APP_LIMIT_CODE, failureOf, isTokenCode } from "./failures.ts";

// Requests to Feishu's API, with the access token of the app in the company ("tenant access token").

const HOSTS = { feishu: "https://open.feishu.cn", lark: "https://open.larksuite.com" } as const;

type ApiRequest = { method: "GET" | "POST" | "PATCH"; path: string; body?: object };

export type FeishuApi = {
  /** Returns the whole answer. Throws a `ChannelFailure` if Feishu refused the request. */
  ask(request: ApiRequest): Promise<unknown>;
};

export function feishuApi(settings: FeishuSettings, tools: Pick<ChannelTools, "secret" | "nowMs">): FeishuApi {
  const tokens = tokenCache(settings, tools);
  // While Feishu asks the app to wait, nothing is sent at all: more requests would only make the wait longer.
  let waitUntilMs = 0;
  const attempt = async (request: ApiRequest) => {
    const leftMs = waitUntilMs - tools.nowMs();
    if (leftMs > 0) throw new ChannelFailure("busy", "Feishu asks this app to wait", leftMs);
    try {
      const token = await tokens.current();
      const answer = await send(settings, request, token);
      if (codeOf(answer) === APP_LIMIT_CODE) throw failureOf(APP_LIMIT_CODE, "", waitMs(answer));
      return { answer, token };
    } catch (error) {
      if (error instanceof ChannelFailure && error.kind === "busy")
        waitUntilMs = tools.nowMs() + (error.retryAfterMs ?? 0);
      throw error;
    }
  };
  return {
    ask: async (request) => {
      const { answer, token } = await attempt(request);
      if (!isTokenCode(codeOf(answer))) return bodyOf(answer);
      tokens.forget(token);
      return bodyOf((await attempt(request)).answer);
    },
  };
}

/** A token is valid for two hours at most, and is replaced this long before its end. */
const REPLACED_EARLY_MS = 5 * 60_000;

function tokenCache(settings: FeishuSettings, tools: Pick<ChannelTools, "secret" | "nowMs">) {
  let held: { text: string; untilMs: number } | undefined;
  let fetching: Promise<string> | undefined;
  const fetched = async () => {
    const startMs = tools.nowMs();
    const body = { app_id: settings.appId, app_secret: tools.secret(settings.appSecret) };
    const path = "/open-apis/auth/v3/tenant_access_token/internal";
    const answer = bodyOf(await send(settings, { method: "POST", path, body }));
    const text = textAt(answer, "tenant_access_token");
    if (text === undefined) throw new ChannelFailure("down", "Feishu gave no access token");
    held = { text, untilMs: startMs + (numberAt(answer, "expire") ?? 0) * 1000 - REPLACED_EARLY_MS };
    return text;
  };
  return {
    /** Several messages at once wait for the same token. */
    current: async (): Promise<string> => {
      if (held !== undefined && tools.nowMs() < held.untilMs) return held.text;
      fetching ??= fetched().finally(() => {
        fetching = undefined;
      });
      return fetching;
    },
    /** Another message may have replaced it already. */
    forget: (text: string) => {
      if (held?.text === text) held = undefined;
    },
  };
}

function send(settings: FeishuSettings, { method, path, body }: ApiRequest, token?: string): Promise<ServiceAnswer> {
  return requestService({
    url: apiOrigin(settings) + path,
    method,
    headers: {
      "content-type": "application/json; charset=utf-8",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    // Another address is set for tests and for proxies inside the company.
    nearby: settings.api !== undefined,
  });
}

export function apiOrigin({ api, domain = "feishu" }: Pick<FeishuSettings, "api" | "domain">): string {
  return api?.replace(/\/+$/, "") ?? HOSTS[domain];
}

function codeOf(answer: ServiceAnswer): number {
  return numberAt(jsonIn(answer.text), "code") ?? -1;
}

function bodyOf(answer: ServiceAnswer): unknown {
  const body = jsonIn(answer.text);
  const code = numberAt(body, "code");
  // A proxy answered instead of Feishu.
  if (code === undefined) throw new ChannelFailure("down", said(answer));
  if (code !== 0) throw failureOf(code, textAt(body, "msg") ?? "", waitMs(answer));
  return body;
}
