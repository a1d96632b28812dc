import { type Io, splitKeys } from "../terminal/io.ts";
import type { Scene } from "./story.ts";

export type Verdict = { verdict: "approve" | "deny"; note: string; by: "person" | "script" };

/** The reviewer of the demo: the person at the terminal, or a script if there is no terminal. */
export type DemoReviewer = { isPerson: boolean; answer(scene: Scene): Promise<Verdict> };

export function scriptedReviewer(): DemoReviewer {
  return {
    isPerson: false,
    answer: async (scene) => ({ ...(scene.answer ?? { verdict: "deny", note: "not in the script" }), by: "script" }),
  };
}

/** One key is an answer; everything but a and d is ignored, Ctrl-C and the end of input end the demo. */
export function personAtKeyboard(io: Io): DemoReviewer {
  return {
    isPerson: true,
    answer: async () => {
      const key = await oneKey(io, ["a", "d"]);
      return { verdict: key === "a" ? "approve" : "deny", note: key === "a" ? "" : "denied in the demo", by: "person" };
    },
  };
}

export class Left extends Error {
  override name = "Left";
}

function oneKey(io: Io, wanted: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const end = (act: () => void) => {
      io.stdin.off("data", onData).off("end", leave);
      io.stdin.setRawMode(false);
      io.stdin.pause();
      act();
    };
    const leave = () => end(() => reject(new Left("the demo was left")));
    const onData = (data: Buffer) => {
      for (const key of splitKeys(data.toString("utf8"))) {
        if (key === "\x03" || key === "\x04" || key === "q") return leave();
        if (wanted.includes(key)) return end(() => resolve(key));
      }
    };
    io.stdin.setRawMode(true);
    io.stdin.on("data", onData).on("end", leave).resume();
  });
}
