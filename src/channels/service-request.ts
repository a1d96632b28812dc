import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import { ChannelFailure } from "../ports.ts";
import { farLookup, isNear, nearby } from "../runners/addresses.ts";

// One request to the service of a channel. Whatever goes wrong becomes a `ChannelFailure` that says what to do next.

const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 1024 * 1024;
const SAID_MAX = 300;

export type ServiceAnswer = { status: number; headers: IncomingMessage["headers"]; text: string };

type ServiceRequest = {
  url: string;
  method?: "POST" | "PUT" | "PATCH" | "GET";
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** Whether the address may be on this machine or in its network. */
  nearby: boolean;
  /** A shorter time limit than usual, for requests whose answer is useless when it comes late. */
  timeoutMs?: number;
};

/** Returns any answer of the service. It is a failure only if there is no answer, or if the service asks to wait. */
export async function requestService(wanted: ServiceRequest): Promise<ServiceAnswer> {
  const answer = await sent(wanted).catch((error: unknown) => {
    throw error instanceof ChannelFailure ? error : new ChannelFailure("down", reasonOf(error, wanted));
  });
  if (answer.status === 429) throw new ChannelFailure("busy", "the service asks to wait", waitMs(answer));
  if (answer.status >= 500) throw new ChannelFailure("down", said(answer), waitMs(answer));
  return answer;
}

/** The answer of the service, shortened, for a message to the person who sets up the channel. */
export function said({ status, text }: ServiceAnswer): string {
  const words = text.trim().slice(0, SAID_MAX);
  return words === "" ? `the service answered ${status}` : `the service answered ${status}: ${words}`;
}

function reasonOf(error: unknown, { timeoutMs = TIMEOUT_MS }: ServiceRequest): string {
  // Node uses this name when a signal ends a request; the only signal here is that of the time limit.
  if (error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError"))
    return `the service did not answer in ${Math.ceil(timeoutMs / 1000)} s`;
  return error instanceof Error ? error.message : String(error);
}

/** How long the service asks to wait, in seconds: by the standard header, or by the one of Feishu. */
export function waitMs({ headers }: Pick<ServiceAnswer, "headers">): number | undefined {
  const given = headers["retry-after"] ?? headers["x-ogw-ratelimit-reset"];
  if (given === undefined) return undefined;
  const seconds = Number(given);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 3600) * 1000 : undefined;
}

function sent({
  url: text,
  method = "POST",
  headers = {},
  body,
  nearby: mayBeNear,
  timeoutMs = TIMEOUT_MS,
}: ServiceRequest): Promise<ServiceAnswer> {
  const url = new URL(text);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (!mayBeNear && isIP(host) !== 0 && isNear(host)) throw new ChannelFailure("refused", nearby(host).message);
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const length: Record<string, string> = bytes === undefined ? {} : { "content-length": String(bytes.length) };
  return new Promise((resolve, reject) => {
    const going = (url.protocol === "https:" ? requestHttps : requestHttp)(url, {
      method,
      headers: { "user-agent": "leeway", ...headers, ...length },
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
      ...(mayBeNear ? {} : { lookup: farLookup }),
    });
    going.on("error", reject);
    going.on("response", (response) => answerOf(response).then(resolve, reject));
    going.end(bytes);
  });
}

async function answerOf(response: IncomingMessage): Promise<ServiceAnswer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > ANSWER_BYTES_MAX) throw new Error("the service's answer is too long");
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8").toWellFormed();
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}
