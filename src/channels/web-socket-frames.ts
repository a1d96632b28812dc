import { randomBytes } from "node:crypto";

// The frames of WebSocket (RFC 6455, section 5): what a client writes, and what it accepts from a server.

export const OPCODES = { more: 0x0, text: 0x1, close: 0x8, ping: 0x9, pong: 0xa } as const;

/** A whole message or a control frame. */
export type Frame =
  | { opcode: typeof OPCODES.text; text: string }
  | { opcode: typeof OPCODES.close | typeof OPCODES.ping | typeof OPCODES.pong; payload: Buffer };

const MESSAGE_BYTES_MAX = 1024 * 1024;
const [FINAL, MASKED, RESERVED] = [0x80, 0x80, 0x70];
/** In place of a length: the length follows in two or in eight bytes. */
const [TWO_BYTES, EIGHT_BYTES] = [126, 127];

/** A frame as a client writes it: with a mask. */
export function frameOf(opcode: number, payload: Buffer): Buffer {
  const mask = randomBytes(4);
  const { length } = payload;
  const extended = Buffer.alloc(length < TWO_BYTES ? 0 : length < 0x10000 ? 2 : 8);
  if (extended.length === 2) extended.writeUInt16BE(length);
  if (extended.length === 8) extended.writeBigUInt64BE(BigInt(length));
  const short = length < TWO_BYTES ? length : length < 0x10000 ? TWO_BYTES : EIGHT_BYTES;
  const masked = Buffer.from(payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0)));
  return Buffer.concat([Buffer.from([FINAL | opcode, MASKED | short]), extended, mask, masked]);
}

/** Takes bytes as they come and gives every frame that they complete. Throws what a server must not send. */
export function frameReader(): (bytes: Buffer) => readonly Frame[] {
  let left: Buffer = Buffer.alloc(0);
  /** The parts of a text that is not whole yet. */
  let parts: Buffer[] | undefined;
  const text = (raw: Raw): Frame | undefined => {
    if ((raw.opcode === OPCODES.more) === (parts === undefined)) throw new Error("the service mixed up two texts");
    const all = [...(parts ?? []), raw.payload];
    if (all.reduce((sum, part) => sum + part.length, 0) > MESSAGE_BYTES_MAX) throw new Error("a text is too long");
    parts = raw.isLast ? undefined : all;
    return raw.isLast ? { opcode: OPCODES.text, text: decoded(Buffer.concat(all)) } : undefined;
  };
  return (bytes) => {
    left = Buffer.concat([left, bytes]);
    const frames: Frame[] = [];
    for (let raw = rawIn(left); raw !== undefined; raw = rawIn(left)) {
      left = left.subarray(raw.length);
      const { opcode, payload } = raw;
      const isText = opcode === OPCODES.text || opcode === OPCODES.more;
      const frame = isText ? text(raw) : controlOf(opcode, payload, raw.isLast);
      if (frame !== undefined) frames.push(frame);
    }
    return frames;
  };
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("a text is not UTF-8");
  }
}

function controlOf(opcode: number, payload: Buffer, isLast: boolean): Frame {
  if (!isLast || payload.length > 125) throw new Error("a control frame is too long");
  if (opcode === OPCODES.close || opcode === OPCODES.ping || opcode === OPCODES.pong) return { opcode, payload };
  throw new Error(`the service sent a frame of an unknown kind (${opcode})`);
}

type Raw = { opcode: number; isLast: boolean; payload: Buffer /** Of the whole frame. */; length: number };

/** The frame at the start of these bytes, if all of it is there. */
function rawIn(bytes: Buffer): Raw | undefined {
  const [first, second] = [bytes[0], bytes[1]];
  if (first === undefined || second === undefined) return undefined;
  if ((first & RESERVED) !== 0 || (second & MASKED) !== 0) throw new Error("the service sent a malformed frame");
  const short = second & 0x7f;
  const start = short === TWO_BYTES ? 4 : short === EIGHT_BYTES ? 10 : 2;
  if (bytes.length < start) return undefined;
  const size = start === 2 ? short : start === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (size > MESSAGE_BYTES_MAX) throw new Error("a text is too long");
  if (bytes.length < start + size) return undefined;
  const payload = Buffer.from(bytes.subarray(start, start + size));
  return { opcode: first & 0x0f, isLast: (first & FINAL) !== 0, payload, length: start + size };
}

/** What the other side said when it closed, in brackets: a number and a reason. */
export function closingOf(payload: Buffer): string {
  if (payload.length < 2) return "";
  const reason = payload.subarray(2).toString("utf8").slice(0, 100);
  return ` (${payload.readUInt16BE(0)}${reason === "" ? "" : ` ${reason}`})`;
}
