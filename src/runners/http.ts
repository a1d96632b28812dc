import { createHmac } from "node:crypto";
import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import { LEASE_MS, RESULT_BYTES_MAX } from "../core/execution.ts";
import type { Json } from "../core/values/json.ts";
import { urlFrom } from "../core/values/url.ts";
import type { Runner, Running, RunOutcome } from "../ports.ts";
import { farLookup, isNear, nearby } from "./addresses.ts";

export type HttpOptions = {
  /** Where the approved call is sent: a public address, over TLS. */
  url: string;
  /** Signs the request, so that the receiver knows it comes from the gate: `whsec_` and 24 to 64 bytes in base64. */
  secret: string;
  /** True if the receiver ignores repeated requests, by their idempotency key. */
  idempotent: boolean;
  /** Also allows this machine and private networks, and no TLS. */
  nearby?: true;
};

/** Runs a call by sending it, signed according to Standard Webhooks, to a service. */
export function httpRunner(name: string, options: HttpOptions): Runner {
  const post = signedPost(options);
  return {
    name,
    idempotent: options.idempotent,
    run: async (running) => {
      if (running.signal.aborted) return unsent("the claim was lost");
      // The same id for every attempt, because it is the same call.
      return post(running.idempotencyKey, messageOf(running), running.signal);
    },
  };
}

/** Sends JSON to a service, signed according to Standard Webhooks. The id is the one of the message. */
export function signedPost(
  options: Omit<HttpOptions, "idempotent">,
): (id: string, message: object, signal: AbortSignal) => Promise<RunOutcome> {
  const url = addressOf(options);
  const key = keyOf(options.secret);
  const isFar = options.nearby !== true;
  return async (id, message, signal) => {
    const host = url.hostname.replace(/^\[|\]$/g, "");
    if (isFar && isIP(host) !== 0 && isNear(host)) return unsent(nearby(host).message);
    const body = JSON.stringify(message);
    return sent({ url, body, headers: headersOf(id, body, key), isFar }, signal);
  };
}

function addressOf({ url: text, nearby: mayBeNear }: Omit<HttpOptions, "idempotent">): URL {
  const url = urlFrom(text);
  const isAllowed = url?.protocol === "https:" || (url?.protocol === "http:" && mayBeNear === true);
  if (url === undefined || !isAllowed || url.username !== "" || url.password !== "")
    throw new Error(`${text} is not an address to send calls to; give https://…, or http://… with nearby: true`);
  return url;
}

function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  if (!secret.startsWith("whsec_") || key.length < 24 || key.length > 64)
    throw new Error("that is not a secret to sign with; give whsec_ and 24 to 64 bytes in base64");
  return key;
}

function messageOf({ call, args, idempotencyKey }: Running): object {
  const { id, callId, agent, chain, tool, session, run, traceId, cwd, digest } = call;
  return { call: { id, callId, agent, chain, tool, session, run, traceId, cwd, digest }, args, idempotencyKey };
}

function headersOf(id: string, body: string, key: Buffer): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    "idempotency-key": id,
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
    "user-agent": "leeway",
  };
}

type Sending = { url: URL; body: string; headers: Record<string, string>; isFar: boolean };

/** Until the connection is made, nothing has happened; after that only a complete response says how it ended. */
function sent({ url, body, headers, isFar }: Sending, lost: AbortSignal): Promise<RunOutcome> {
  const [request, connected] = url.protocol === "https:" ? [requestHttps, "secureConnect"] : [requestHttp, "connect"];
  return new Promise((resolve) => {
    let isTaken = false;
    const signal = AbortSignal.any([lost, AbortSignal.timeout(LEASE_MS)]);
    const going: ClientRequest = request(url, {
      method: "POST",
      headers,
      // A new connection, so that we know whether anything was sent.
      agent: false,
      signal,
      ...(isFar ? { lookup: farLookup } : {}),
    });
    const broken = (error: Error) =>
      resolve(isTaken ? unknown(brokenText(error, lost)) : unsent(brokenText(error, lost)));
    going.on("socket", (socket) => {
      socket.once(connected, () => {
        isTaken = true;
      });
    });
    going.on("error", broken);
    going.on("response", (response) => answered(response, lost).then(resolve, broken));
    going.end(body);
  });
}

/** A proxy gave up or lost the connection; it is unknown what the service did. */
const LOST_ON_THE_WAY = [408, 499, 502, 503, 504, 520, 522, 524, 598, 599];

async function answered(response: IncomingMessage, lost: AbortSignal): Promise<RunOutcome> {
  const { statusCode: status = 0 } = response;
  const { text, is } = await textOf(response);
  const said = `it answered ${status}`;
  if (status >= 200 && status < 300) {
    if (is instanceof Error) return unknown(`${said}, and broke off: ${brokenText(is, lost)}`);
    return { ok: true, result: is === "whole" ? resultOf(text) : { truncated: true, head: text } };
  }
  // A redirect may come after a call that was done or not done, so the result is unknown.
  const isRedirect = status >= 300 && status < 400;
  const why = isRedirect ? ", and where it points to is not followed" : "";
  const isOpen = isRedirect || LOST_ON_THE_WAY.includes(status) || status < 200;
  return (isOpen ? unknown : failed)(`${said}${why}: ${text.slice(0, ERROR_LENGTH_MAX)}`);
}

const ERROR_LENGTH_MAX = 500;

/** The received body, and whether it is complete. */
async function textOf(response: IncomingMessage): Promise<{ text: string; is: "whole" | "cut" | Error }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      // The rest is dropped: a result is for reading, not for storing files.
      if (bytes > RESULT_BYTES_MAX) return { text: textIn(chunks).slice(0, ERROR_LENGTH_MAX), is: "cut" };
    }
  } catch (error) {
    return { text: textIn(chunks), is: error instanceof Error ? error : new Error(String(error)) };
  }
  return { text: textIn(chunks), is: "whole" };
}

function textIn(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString("utf8").toWellFormed();
}

function resultOf(text: string): Json {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    // The service succeeded; its response is stored as text.
    return text;
  }
}

function brokenText(error: Error, lost: AbortSignal): string {
  if (lost.aborted) return "ended because the claim was lost";
  if (error.name === "TimeoutError" || error.name === "AbortError")
    return `there was no answer within ${LEASE_MS / 1000} seconds`;
  return error.message;
}

function failed(error: string): RunOutcome {
  return { ok: false, error, started: true };
}

function unknown(error: string): RunOutcome {
  return { ok: false, error, started: "unknown" };
}

function unsent(error: string): RunOutcome {
  return { ok: false, error, started: false };
}
