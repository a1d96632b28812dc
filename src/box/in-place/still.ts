import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { connect, type Socket } from "node:net";
import type { StillBoxes, Stillness } from "../../box-port.ts";
import type { DoorAnswer, DoorQuestion } from "./door.ts";
import { atSocket, boxesInPlace, forgetBox, type InPlaceBox } from "./registry.ts";

/** `others`: without those that this process made. */
export function stillness(stateFolder: string, of: "all" | "others" = "all"): Stillness {
  return {
    hold: (call) => holdBoxes(boxesInPlace(stateFolder, of), call),
    end: (call, expected) => endHold(stateFolder, call, expected),
  };
}

/** Longer than a box takes to be frozen and looked through. */
const ANSWER_MS = 20_000;

async function holdBoxes(boxes: readonly InPlaceBox[], call: string): Promise<StillBoxes | undefined> {
  if (boxes.length === 0) return undefined;
  const hold = holdOf(call);
  const asked = await Promise.all(boxes.map((box) => question(box)));
  const answers = await Promise.all(asked.map((one) => one.ask({ ask: "still", hold })));
  const unsure = answers.flatMap((answer) => (answer.ok ? [] : [answer.why]));
  return {
    aside: answers.flatMap((answer) => (answer.ok ? answer.aside : [])),
    ...(unsure[0] === undefined ? {} : { unsure: unsure[0] }),
    run: async (expected, until) => {
      const heard = await Promise.all(asked.map((one) => one.ask({ ask: "run", hold, expected, until })));
      for (const one of asked) one.close();
      return heard.every(({ ok }) => ok);
    },
    release: () => {
      for (const one of asked) one.close();
    },
  };
}

/** The host has said that the call has ended. */
async function endHold(stateFolder: string, call: string, written: () => Promise<readonly string[]>): Promise<void> {
  const boxes = boxesInPlace(stateFolder).filter(({ lost }) => !lost);
  if (boxes.length === 0) return;
  const expected = await written();
  for (const box of boxes) {
    const asked = await question(box);
    await asked.ask({ ask: "ended", hold: holdOf(call), expected });
    asked.close();
  }
}

function holdOf(call: string): string {
  return createHash("sha256").update(call).digest("hex");
}

type Asked = { ask(question: DoorQuestion): Promise<DoorAnswer>; close(): void };

const NOTHING: DoorAnswer = { ok: true, aside: [] };
const LOST: DoorAnswer = {
  ok: false,
  why: "it ended with the process that kept it, and nobody has looked at what it left",
};
const GONE: DoorAnswer = { ok: false, why: "it does not answer" };

async function question(box: InPlaceBox): Promise<Asked> {
  const { folder, lost } = box;
  if (lost) {
    forgetBox(box);
    return { ask: async ({ ask }) => (ask === "still" ? LOST : NOTHING), close: () => undefined };
  }
  const socket = await atSocket(
    folder,
    (path) =>
      new Promise<Socket | undefined>((done) => {
        const made = connect(path, () => done(made)).on("error", () => done(undefined));
      }),
  ).catch(() => undefined);
  if (socket === undefined) return { ask: async () => GONE, close: () => undefined };
  const ask = async (one: DoorQuestion) => {
    const answer = await answerOn(socket, one);
    // A box that ended meanwhile was looked through at its end, and is not in the list any more.
    return answer === GONE && !existsSync(folder) ? NOTHING : answer;
  };
  return { ask, close: () => socket.destroy() };
}

function answerOn(socket: Socket, one: DoorQuestion): Promise<DoorAnswer> {
  return new Promise((done) => {
    let text = "";
    const end = (answer: DoorAnswer) => {
      clearTimeout(late);
      socket.removeAllListeners("data").removeAllListeners("close");
      done(answer);
    };
    const late = setTimeout(() => end(GONE), ANSWER_MS);
    socket.setEncoding("utf8").on("error", () => undefined);
    socket.on("close", () => end(GONE));
    socket.on("data", (chunk: string) => {
      text += chunk;
      if (text.endsWith("\n")) end(JSON.parse(text) as DoorAnswer);
    });
    if (!socket.write(`${JSON.stringify(one)}\n`) && socket.destroyed) end(GONE);
  });
}
