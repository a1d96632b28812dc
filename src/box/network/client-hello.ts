/** What the first bytes of a connection say: a TLS greeting for a name, no TLS at all, or not enough bytes yet. */
export type Greeting = { is: "tls"; name: string | undefined } | { is: "other" } | { is: "short" };

const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
/** A greeting is small; a longer one is refused as something else. */
const GREETING_MAX = 16_384;

/** Reads the name of the server from a TLS ClientHello, which may be divided into several records. */
export function greetingOf(bytes: Buffer): Greeting {
  if (bytes.length > 0 && bytes[0] !== HANDSHAKE) return { is: "other" };
  const message = handshakeOf(bytes);
  if (message === "other") return { is: "other" };
  if (message === undefined) return bytes.length > GREETING_MAX ? { is: "other" } : { is: "short" };
  try {
    return { is: "tls", name: serverName(message) };
  } catch (error) {
    if (error instanceof RangeError) return { is: "other" };
    throw error;
  }
}

function handshakeOf(bytes: Buffer): Buffer | "other" | undefined {
  const parts: Buffer[] = [];
  let at = 0;
  while (at + 5 <= bytes.length) {
    if (bytes[at] !== HANDSHAKE || bytes[at + 1] !== 3) return "other";
    const end = at + 5 + bytes.readUInt16BE(at + 3);
    if (end > bytes.length) break;
    parts.push(bytes.subarray(at + 5, end));
    at = end;
    const joined = Buffer.concat(parts);
    if (joined.length >= 4) {
      if (joined[0] !== CLIENT_HELLO) return "other";
      const length = 4 + joined.readUIntBE(1, 3);
      if (joined.length >= length) return joined.subarray(0, length);
    }
  }
  return undefined;
}

/** Version and random, then three lists of different widths, then the extensions. Reading past the end throws a RangeError. */
function serverName(hello: Buffer): string | undefined {
  let at = 4 + 2 + 32;
  at += 1 + hello.readUInt8(at);
  at += 2 + hello.readUInt16BE(at);
  at += 1 + hello.readUInt8(at);
  if (at === hello.length) return undefined;
  const end = at + 2 + hello.readUInt16BE(at);
  at += 2;
  while (at < end) {
    const kind = hello.readUInt16BE(at);
    const length = hello.readUInt16BE(at + 2);
    // The list has one name: its length, its kind, and the length of the name come before it.
    if (kind === SERVER_NAME) return hello.toString("latin1", at + 9, at + 9 + hello.readUInt16BE(at + 7));
    at += 4 + length;
  }
  return undefined;
}
