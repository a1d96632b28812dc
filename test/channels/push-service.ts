import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

// A push service on this machine (RFC 8030) and the browsers that use it. It takes only what the standards allow: VAPID
// (RFC 8292) is verified, and every message is decrypted with the keys of its browser (RFC 8291, aes128gcm).

export type Pushed = {
  browser: string;
  message: { tag: string; title: string; text: string; link: string; language: string };
  ttl: number;
  urgency: string;
  topic: string;
  /** The key that the sender proved to have. */
  serverKey: string;
  subject: string;
  bytes: number;
};

export type PushService = {
  origin: string;
  pushed: readonly Pushed[];
  /** Everything that was sent and not allowed, with the reason. */
  faults: readonly string[];
  subscribe(browser: string): { endpoint: string; keys: { p256dh: string; auth: string } };
  /** The status that is answered instead, for all browsers or for one. */
  breaks(status: number | undefined, browser?: string): void;
  /** The longest body that it takes; the standard asks for 4096 bytes. */
  takes(bytes: number): void;
  close(): Promise<void>;
};

type Browser = { pair: ReturnType<typeof createECDH>; auth: Buffer };

export async function pushService(): Promise<PushService> {
  const pushed: Pushed[] = [];
  const faults: string[] = [];
  const browsers = new Map<string, Browser>();
  const broken = new Map<string, number>();
  let bytesMax = 4096;
  let origin = "";
  const answer = (request: IncomingMessage, body: Buffer): number => {
    const name = decodeURIComponent((request.url ?? "").replace("/push/", ""));
    const status = broken.get(name) ?? broken.get("*");
    if (status !== undefined) return status;
    const browser = browsers.get(name);
    if (browser === undefined) return 404;
    if (body.length > bytesMax) return 413;
    try {
      pushed.push({
        browser: name,
        ...checked(request, origin),
        message: decrypted(body, browser),
        bytes: body.length,
      });
      return 201;
    } catch (error) {
      faults.push(String(error));
      return 400;
    }
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const status = answer(request, Buffer.concat(chunks));
      response.writeHead(status, status === 429 ? { "retry-after": "1" } : {}).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    pushed,
    faults,
    subscribe: (name) => {
      const pair = createECDH("prime256v1");
      pair.generateKeys();
      const auth = randomBytes(16);
      browsers.set(name, { pair, auth });
      const keys = { p256dh: pair.getPublicKey("base64url"), auth: auth.toString("base64url") };
      return { endpoint: `${origin}/push/${encodeURIComponent(name)}`, keys };
    },
    breaks: (status, name = "*") => {
      if (status === undefined) broken.delete(name);
      else broken.set(name, status);
    },
    takes: (bytes) => {
      bytesMax = bytes;
    },
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

type Checked = Pick<Pushed, "ttl" | "urgency" | "topic" | "serverKey" | "subject">;

function checked({ method, headers }: IncomingMessage, origin: string): Checked {
  must(method === "POST", "a message is posted");
  must(headers["content-encoding"] === "aes128gcm", "the content is encrypted with aes128gcm");
  const [ttl, urgency, topic] = [headers["ttl"], headers["urgency"], headers["topic"]].map(String);
  must(/^\d+$/.test(ttl ?? ""), `TTL is a number of seconds, not ${ttl}`);
  must(["very-low", "low", "normal", "high"].includes(urgency ?? ""), `no urgency is called ${urgency}`);
  must(/^[A-Za-z0-9_-]{1,32}$/.test(topic ?? ""), `${topic} is no topic`);
  const found = /^vapid t=([^,]+), ?k=([A-Za-z0-9_-]+)$/.exec(headers["authorization"] ?? "");
  must(found !== null, `this is no VAPID authorization: ${headers["authorization"]}`);
  const [, token = "", serverKey = ""] = found ?? [];
  const { subject } = claimsOf(token, serverKey, origin);
  return { ttl: Number(ttl), urgency: urgency ?? "", topic: topic ?? "", serverKey, subject };
}

function claimsOf(token: string, serverKey: string, origin: string): { subject: string } {
  const [head = "", claims = "", signature = ""] = token.split(".");
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  must(read(head).alg === "ES256" && read(head).typ === "JWT", "the token is signed with ES256");
  const point = Buffer.from(serverKey, "base64url");
  must(point.length === 65 && point[0] === 4, "the key is an uncompressed point");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  const key = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y } as JsonWebKey, format: "jwk" });
  const signed = Buffer.from(`${head}.${claims}`);
  const isSigned = verify("sha256", signed, { key, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"));
  must(isSigned, "the token is signed with the key");
  const { aud, exp, sub } = read(claims);
  must(aud === origin, `the token is for ${aud}, not for ${origin}`);
  const leftS = exp - Date.now() / 1000;
  must(leftS > 0 && leftS <= 24 * 60 * 60, `the token holds for ${leftS} s`);
  must(/^(mailto:|https:)/.test(sub), `the subject is ${sub}`);
  return { subject: sub };
}

type JsonWebKey = { kty: string; crv: string; x: string; y: string };

/** RFC 8188: salt, size of a record, length of the key's name, the key of the sender, and one record. */
function decrypted(body: Buffer, { pair, auth }: Browser): Pushed["message"] {
  const salt = body.subarray(0, 16);
  const size = body.readUInt32BE(16);
  const nameLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + nameLength);
  const record = body.subarray(21 + nameLength);
  must(nameLength === 65 && record.length <= size, "one record with the key of the sender before it");
  const own = pair.getPublicKey();
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), own, sender]);
  const secret = Buffer.from(hkdfSync("sha256", pair.computeSecret(sender), auth, info, 32));
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync("sha256", secret, salt, Buffer.from(`Content-Encoding: ${name}\0`), length));
  const opener = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
  opener.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([opener.update(record.subarray(0, -16)), opener.final()]);
  const end = padded.lastIndexOf(2);
  must(end >= 0 && padded.subarray(end + 1).every((byte) => byte === 0), "the last record ends with its mark");
  return JSON.parse(padded.subarray(0, end).toString("utf8"));
}
