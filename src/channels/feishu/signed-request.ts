import { createDecipheriv, createHash, timingSafeEqual } from "node:crypto";
import type { SignedRequest } from "../../ports.ts";
import { fieldAt, jsonIn, textAt } from "../read-json.ts";

// Whether a request came from Feishu, and what it says. With an encryption key, requests are signed and encrypted; with
// only a verification token, they carry this token.

export type CallbackKeys = { appId: string; encryptKey?: string; verificationToken?: string };

/** Why a request was refused: one word, which docs/channels/feishu.md explains. */
type Fault = "body" | "encryption" | "signature" | "token" | "app" | "schema" | "timestamp";

export type Incoming =
  | { is: "challenge"; challenge: string }
  | { is: "event"; id: string; type: string; event: unknown }
  | { is: "refused"; status: 400 | 401; why: Fault };

/** A request may be this much older or newer than the clock here. */
const WINDOW_MS = 5 * 60_000;

export function readRequest(request: SignedRequest, keys: CallbackKeys): Incoming {
  const outer = jsonIn(Buffer.from(request.body).toString("utf8"));
  if (typeof outer !== "object" || outer === null) return refused("body", 400);
  const signature = request.headers["x-lark-signature"];
  if (keys.encryptKey !== undefined && signature !== undefined && !isSigned(request, signature, keys.encryptKey))
    return refused("signature");
  const body = opened(outer, keys.encryptKey);
  if (body === undefined) return refused("encryption");
  const token = textAt(body, "header", "token") ?? textAt(body, "token");
  if (keys.verificationToken !== undefined && !isSame(token ?? "", keys.verificationToken)) return refused("token");
  const challenge = textAt(body, "challenge");
  // Only this request, which changes nothing, comes without a signature.
  if (fieldAt(body, "type") === "url_verification" && challenge !== undefined) return { is: "challenge", challenge };
  if (keys.encryptKey !== undefined && signature === undefined) return refused("signature");
  return eventOf(body, request, keys);
}

function eventOf(body: unknown, { headers, nowMs }: SignedRequest, keys: CallbackKeys): Incoming {
  const [id, type] = [textAt(body, "header", "event_id"), textAt(body, "header", "event_type")];
  if (fieldAt(body, "schema") !== "2.0" || id === undefined || type === undefined) return refused("schema", 400);
  if (textAt(body, "header", "app_id") !== keys.appId) return refused("app");
  // Only a signature proves the time in the header.
  const signed = keys.encryptKey === undefined ? undefined : headers["x-lark-request-timestamp"];
  const sentMs = timeOf(signed) ?? timeOf(textAt(body, "header", "create_time"));
  if (sentMs === undefined || Math.abs(nowMs - sentMs) > WINDOW_MS) return refused("timestamp");
  return { is: "event", id, type, event: fieldAt(body, "event") };
}

function refused(why: Fault, status: 400 | 401 = 401): Incoming {
  return { is: "refused", status, why };
}

/** Feishu writes times as seconds, milliseconds or microseconds, each with its own number of digits. */
function timeOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{10}(\d{3}){0,2}$/.test(text)) return undefined;
  return Number(text) / 10 ** (text.length - 13);
}

/** The hash covers the time, the nonce, the key and the unchanged bytes of the body. */
function isSigned({ headers, body }: SignedRequest, signature: string, key: string): boolean {
  const start = `${headers["x-lark-request-timestamp"] ?? ""}${headers["x-lark-request-nonce"] ?? ""}${key}`;
  return isSame(signature, createHash("sha256").update(start).update(body).digest("hex"));
}

/** The body of a request; undefined if it is encrypted although the settings have no key, or the other way round. */
function opened(outer: object, key: string | undefined): unknown {
  const encrypted = textAt(outer, "encrypt");
  if (key === undefined) return encrypted === undefined ? outer : undefined;
  return encrypted === undefined ? undefined : decrypted(encrypted, key);
}

const IV_BYTES = 16;

/** AES-256-CBC with the hash of the key; the first block is the initialisation vector. */
function decrypted(text: string, key: string): unknown {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length < 2 * IV_BYTES) return undefined;
  try {
    const hashed = createHash("sha256").update(key).digest();
    const decipher = createDecipheriv("aes-256-cbc", hashed, bytes.subarray(0, IV_BYTES));
    return jsonIn(Buffer.concat([decipher.update(bytes.subarray(IV_BYTES)), decipher.final()]).toString("utf8"));
  } catch {
    // The body was encrypted with another key, or changed. The answer does not say which, because that would help to guess.
    return undefined;
  }
}

/** Compares in constant time. */
function isSame(given: string, wanted: string): boolean {
  const [one, other] = [given, wanted].map((text) => createHash("sha256").update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
