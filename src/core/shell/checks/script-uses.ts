import type { Message } from "../../messages/message.ts";

/** What a script of a small language does besides looking at its input. */
export type ScriptUses = {
  reads: readonly string[];
  writes: readonly string[];
  runs: boolean;
  secrets: boolean;
  doubts: readonly Message[];
};
