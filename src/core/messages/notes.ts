import type { Message, Named } from "./message.ts";

/** Notes in the order in which they were added, each of them once. A `Set` would keep two messages that say the same. */
export class Notes {
  readonly #byKey = new Map<string, Message>();

  constructor(notes: readonly Message[] = []) {
    for (const note of notes) this.add(note);
  }

  get size(): number {
    return this.#byKey.size;
  }

  add(note: Message): void {
    const key = keyOf(note);
    if (!this.#byKey.has(key)) this.#byKey.set(key, note);
  }

  [Symbol.iterator](): Iterator<Message> {
    return this.#byKey.values();
  }
}

/** What tells two messages apart. Most name nothing, and are told apart by their id. */
function keyOf({ say: id, with: values }: Message): string {
  let key: string = id;
  for (const name in values) key += `\0${namedKey(values[name] ?? "")}`;
  return key;
}

function namedKey(value: Named): string | number {
  if (typeof value === "string" || typeof value === "number") return value;
  return "say" in value ? keyOf(value) : value.map(namedKey).join("\0");
}
