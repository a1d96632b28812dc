import type { SecretRef, SlackSettings } from "../../core/channel.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { ChannelFailure } from "../../ports.ts";
import { fieldAt, jsonIn, textAt } from "../read-json.ts";
import { requestService, type ServiceAnswer, said, waitMs } from "../service-request.ts";
import type { ChannelTools } from "../tools.ts";
import { failureOf } from "./failures.ts";
import type { SlackMessage } from "./message.ts";

const API = "https://slack.com/api";
const JSON_TYPE = "application/json; charset=utf-8";
const FORM_TYPE = "application/x-www-form-urlencoded";

export type Scopes = readonly string[];

/** The methods of Slack's Web API, called as the app. */
export type SlackApi = {
  /** Methods that change something take JSON. */
  call(method: string, args: JsonObject, how?: { timeoutMs?: number }): Promise<unknown>;
  /** Methods that only read take a form. The scopes of the app come with every answer. */
  look(method: string, args: Record<string, string>): Promise<{ value: unknown; scopes: Scopes | undefined }>;
  /** The address of a connection by which Slack sends what people do (socket mode), made with the token of the app itself. */
  connection(appToken: SecretRef): Promise<string>;
  /** Tells the person who pressed a button or wrote a command; nobody else sees it. */
  respond(url: string, message: SlackMessage): Promise<void>;
};

type Sent = { timeoutMs?: number; token?: SecretRef };

export function slackApi(settings: SlackSettings, tools: Pick<ChannelTools, "secret">): SlackApi {
  const { api = API } = settings;
  // Only an address that the policy names may be in a private network.
  const nearby = settings.api !== undefined;
  const send = async (
    method: string,
    type: string,
    body: string,
    { timeoutMs, token = settings.botToken }: Sent = {},
  ): Promise<ServiceAnswer> =>
    requestService({
      url: `${api.replace(/\/+$/, "")}/${method}`,
      headers: { authorization: `Bearer ${tools.secret(token)}`, "content-type": type },
      body,
      nearby,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
  return {
    call: async (method, args, { timeoutMs } = {}) =>
      answeredBy(
        method,
        await send(method, JSON_TYPE, JSON.stringify(args), timeoutMs === undefined ? {} : { timeoutMs }),
      ),
    look: async (method, args) => {
      const answer = await send(method, FORM_TYPE, new URLSearchParams(args).toString());
      return { value: answeredBy(method, answer), scopes: scopesOf(answer) };
    },
    connection: async (token) => {
      const method = "apps.connections.open";
      const url = textAt(answeredBy(method, await send(method, FORM_TYPE, "", { token })), "url");
      if (url === undefined || !/^wss?:\/\//.test(url)) throw new ChannelFailure("down", `${method} gave no address`);
      return url;
    },
    respond: async (url, { text, blocks }) => {
      if (!URL.canParse(url)) throw new ChannelFailure("refused", "Slack gave no address for the answer");
      const body = JSON.stringify({ response_type: "ephemeral", replace_original: false, text, blocks });
      const answer = await requestService({ url, headers: { "content-type": JSON_TYPE }, body, nearby });
      if (answer.status !== 200) throw new ChannelFailure("refused", said(answer));
    },
  };
}

function answeredBy(method: string, answer: ServiceAnswer): unknown {
  const value = jsonIn(answer.text);
  if (fieldAt(value, "ok") === undefined)
    throw new ChannelFailure("down", `${said(answer)} (no answer of Slack to ${method})`);
  if (fieldAt(value, "ok") !== true) throw failureOf(method, value, waitMs(answer));
  return value;
}

function scopesOf({ headers }: ServiceAnswer): Scopes | undefined {
  const given = headers["x-oauth-scopes"];
  return typeof given === "string" ? given.split(",").map((scope) => scope.trim()) : undefined;
}
