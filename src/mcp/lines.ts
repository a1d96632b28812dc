/** A longer line is not a message that anybody meant to send. */
export const LINE_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Cuts a stream of bytes into lines. Returns false if a line is too long: then the stream cannot be used any more.
 */
export function lineSplitter(line: (text: string) => void): (chunk: Buffer) => boolean {
  let kept: Buffer[] = [];
  let bytes = 0;
  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      const rest = chunk.subarray(from, at);
      const whole = kept.length === 0 ? rest : Buffer.concat([...kept, rest]);
      [kept, bytes] = [[], 0];
      from = at + 1;
      const text = whole.toString("utf8").trim();
      if (text !== "") line(text);
    }
    if (from < chunk.length) {
      kept.push(chunk.subarray(from));
      bytes += chunk.length - from;
    }
    return bytes <= LINE_BYTES_MAX;
  };
}

const NEWLINE = 0x0a;
