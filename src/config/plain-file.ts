import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";

const CHUNK_BYTES = 64 * 1024;

/**
 * The content of a plain file. Agents and strangers choose many of the paths that are looked at while a call is decided. Opening a
 * pipe waits for a writer, reading a terminal waits for a person, and opening a device may do something; and some hosts run the call
 * if their hook does not answer in time. So whatever is not a plain file is an error at once, and so is one with more bytes than
 * `bytesMax`.
 */
export function plainFile(path: string, bytesMax: number): Buffer {
  return opened(path, (file) => {
    const chunks: Buffer[] = [];
    for (let bytes = 0; ; ) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const read = readSync(file, chunk, 0, CHUNK_BYTES, null);
      if (read === 0) return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
      bytes += read;
      if (bytes > bytesMax) throw refused("it is too large", path);
      chunks.push(chunk.subarray(0, read));
    }
  });
}

/** The first bytes of a plain file. */
export function plainHead(path: string, bytes: number): Buffer {
  return opened(path, (file) => {
    const head = Buffer.alloc(bytes);
    return head.subarray(0, readSync(file, head, 0, bytes, 0));
  });
}

function opened<T>(path: string, read: (file: number) => T): T {
  if (!statSync(path).isFile()) throw refused("it is not a plain file", path);
  // Some files of the system look plain and wait all the same, unless they are opened like this.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    // Something else may stand there by now.
    if (!fstatSync(file).isFile()) throw refused("it is not a plain file", path);
    return read(file);
  } finally {
    closeSync(file);
  }
}

function refused(code: string, path: string): Error {
  return Object.assign(new Error(`${path}: ${code}`), { code });
}
