import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { type Answer, JSON_HEADERS, type Stream } from "../answer.ts";
import { SAFE_HEADERS } from "./site.ts";

/** Writes an answer. Resolves when it is written, or when the client has gone. */
export async function send(response: ServerResponse, answer: Answer, gone: () => AbortSignal): Promise<void> {
  const { status, headers = {}, body = "" } = answer;
  if (typeof body !== "function") return sendWhole(response, { status, headers, body });
  response.writeHead(status, { ...SAFE_HEADERS, ...headers });
  if (response.req.method === "HEAD") return void response.end();
  // The connection is cut, not ended, because an incomplete answer must not look complete.
  if (await streamed(response, body, gone())) response.end();
  else response.destroy();
}

type Whole = Required<Omit<Answer, "body" | "once">> & { body: string | Uint8Array };

function sendWhole(response: ServerResponse, { status, headers, body }: Whole): void {
  const isLong = body.length > PLAIN_LENGTH_MAX;
  if (!isLong && headers === JSON_HEADERS) {
    response.writeHead(status, [...SAFE_JSON, "content-length", String(Buffer.byteLength(body))]);
    return void response.end(response.req.method === "HEAD" ? undefined : body);
  }
  const isPacked = isLong && /\bgzip\b/.test(String(response.req.headers["accept-encoding"] ?? ""));
  const sent = isPacked ? gzipSync(body, { level: PACKED_LEVEL }) : body;
  response.writeHead(status, {
    ...SAFE_HEADERS,
    ...headers,
    ...(isLong ? { vary: "accept-encoding" } : {}),
    ...(isPacked ? { "content-encoding": "gzip" } : {}),
    "content-length": Buffer.byteLength(sent),
  });
  response.end(response.req.method === "HEAD" ? undefined : sent);
}

const SAFE_JSON: readonly string[] = Object.entries({ ...SAFE_HEADERS, ...JSON_HEADERS }).flat();

/** A smaller answer fits into one packet and is not compressed. */
const PLAIN_LENGTH_MAX = 1_400;
/** The result is a sixteenth larger than at the usual level, and takes about half the time. */
const PACKED_LEVEL = 3;

/** A listener that reads too slowly is disconnected. It connects again and continues from where it was. */
const BEHIND_BYTES_MAX = 1024 * 1024;

/** False if the last text could not be written. */
async function streamed(response: ServerResponse, body: Stream, gone: AbortSignal): Promise<boolean> {
  let said = true;
  response.flushHeaders();
  await body((text) => {
    said = !response.destroyed && response.writableLength <= BEHIND_BYTES_MAX;
    if (said) response.write(text);
    return said;
  }, gone);
  return said;
}
