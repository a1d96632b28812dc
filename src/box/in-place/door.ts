import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { isUnder } from "../../core/classify/path.ts";
import { freezeBox, thawBox } from "./freeze.ts";
import { Unfinished } from "./planted.ts";
import { atSocket, enterBox, listBox } from "./registry.ts";

// A box that changes files where they are could mislead others: between the decision about a file and the moment in which a host opens
// it, a program could put a link in its place; and it could leave files that somebody else's programs follow. So the process that
// made the box is asked, before a call is decided, to freeze it and to look through the folders that it can change. It goes on when
// the decision was made, or, for calls of the host's own tools, when the host says that the call has ended.

/** What is asked, one line of JSON. A hold ends with its connection, unless the call runs. */
export type DoorQuestion =
  | { ask: "still"; hold: string }
  /** The host runs the call itself. `expected`: what it may write. */
  | { ask: "run"; hold: string; expected: readonly string[]; until: "end" | "now" }
  | { ask: "ended"; hold: string; expected: readonly string[] };

/** `aside`: what was put aside since somebody was told last. */
export type DoorAnswer = { ok: true; aside: readonly string[] } | { ok: false; why: string };

/** How long a host may take for a call of its own file tools. Then nobody knows whether it still comes, and the box is ended. */
export const HELD_MS = 60_000;

/** A call may come while the box is just being started. */
const STARTED_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 20;

export type BoxDoor = { wasHeld(): boolean; close(): void };

/** `pid`: the first process of the box. `tidy`: looks through the folders, puts aside what must not stand, and says what it was. */
type Box = {
  stateFolder: string;
  pid(): number | undefined;
  tidy(isExpected: (path: string) => boolean): readonly string[];
};

export async function openBoxDoor(box: Box): Promise<BoxDoor> {
  const folder = enterBox(box.stateFolder, randomUUID());
  const holds = new Holds(box);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    serve(socket, holds);
    socket.once("close", () => open.delete(socket));
  });
  server.unref();
  await atSocket(folder, (path) => new Promise<void>((done, fail) => server.once("error", fail).listen(path, done)));
  listBox(folder);
  return {
    wasHeld: () => holds.isOver,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
      // Without a last look the box stays in the list, and the next call is asked about.
      if (holds.close()) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function serve(socket: Socket, holds: Holds): void {
  const own = new Set<string>();
  let text = "";
  socket.unref();
  socket.setEncoding("utf8");
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: string) => {
    text += chunk;
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) {
      const question = JSON.parse(line) as DoorQuestion;
      if (question.ask === "still") own.add(question.hold);
      else own.delete(question.hold);
      void holds.answer(question).then((answer) => socket.write(`${JSON.stringify(answer)}\n`));
    }
  });
  socket.once("close", () => {
    for (const hold of own) void holds.answer({ ask: "ended", hold, expected: [] });
  });
}

class Holds {
  isOver = false;
  readonly #box: Box;
  readonly #held = new Map<string, NodeJS.Timeout | undefined>();
  readonly #expected: string[] = [];
  #untold: string[] = [];
  /** One after the other: a box must not go on while another question waits for it to be frozen. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(box: Box) {
    this.#box = box;
  }

  answer(question: DoorQuestion): Promise<DoorAnswer> {
    const answer = this.#last
      .then(() => this.#act(question))
      .catch((error): DoorAnswer => this.#failed(question, error));
    this.#last = answer;
    return answer;
  }

  /** Looks a last time, after the box has ended. False if not everything could be looked at. */
  close(): boolean {
    for (const timer of this.#held.values()) clearTimeout(timer);
    this.#held.clear();
    try {
      this.#tidy();
      return true;
    } catch (error) {
      if (error instanceof Unfinished) return false;
      throw error;
    }
  }

  async #act(question: DoorQuestion): Promise<DoorAnswer> {
    const { hold } = question;
    if (question.ask !== "still") this.#expected.push(...question.expected);
    if (question.ask === "ended") return this.#release(hold);
    if (question.ask === "run") {
      if (question.until === "now") return this.#release(hold);
      this.#held.set(
        hold,
        setTimeout(() => this.#end(), HELD_MS),
      );
      return { ok: true, aside: [] };
    }
    const pid = await this.#started();
    if (pid === undefined) return { ok: false, why: "it is just starting or ending" };
    this.#held.set(hold, undefined);
    if (!(await freezeBox(pid))) throw new Unfinished("it could not be stopped in time");
    this.#untold.push(...this.#tidy());
    const aside = this.#untold;
    this.#untold = [];
    return { ok: true, aside };
  }

  async #started(): Promise<number | undefined> {
    const untilMs = performance.now() + STARTED_WITHIN_MS;
    for (let pid = this.#box.pid(); ; pid = this.#box.pid()) {
      if (pid !== undefined || performance.now() > untilMs) return pid;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  #tidy(): readonly string[] {
    return this.#box.tidy((path) => this.#expected.some((one) => isUnder(path, one)));
  }

  #failed({ hold }: DoorQuestion, error: unknown): DoorAnswer {
    this.#release(hold);
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }

  #release(hold: string): DoorAnswer {
    clearTimeout(this.#held.get(hold));
    this.#held.delete(hold);
    const pid = this.#held.size === 0 ? this.#box.pid() : undefined;
    if (pid !== undefined) thawBox(pid);
    return { ok: true, aside: [] };
  }

  #end(): void {
    this.isOver = true;
    const pid = this.#box.pid();
    if (pid !== undefined) process.kill(pid, "SIGKILL");
  }
}
