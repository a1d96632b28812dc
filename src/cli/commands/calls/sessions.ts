import type { SessionSummary } from "../../../core/session.ts";
import { inOrAgo } from "../../../core/show/when.ts";
import { visible } from "../../../core/values/text.ts";
import { withGate } from "../../gate/with-gate.ts";
import type { CommandSpec } from "../../spec.ts";
import type { Out } from "../../terminal/io.ts";
import { table } from "../../terminal/table.ts";

export const sessions: CommandSpec = {
  name: "sessions",
  summary: "list the agents' sessions: which wait for an answer, which go on, and which have ended",
  examples: ["leeway sessions", "leeway sessions --json"],
  exits: [0, 1, 2],
  act: (given) =>
    withGate(given, async (gate) => {
      await gate.keepTime();
      const found = await gate.sessions();
      const { out, io } = given;
      // A program that reads the list needs whole folders.
      const width = io.stdout.isTTY === true ? out.width : Number.POSITIVE_INFINITY;
      out.answer(found, () => sessionsText({ ...out, width }, found, gate.nowMs()));
      return 0;
    }),
};

function sessionsText(out: Out, found: readonly SessionSummary[], nowMs: number): string {
  if (found.length === 0) return "No agent has worked in a session yet.";
  return table(
    out,
    ["state", "agent", "session", "last call", "folder"],
    found.map((one) => [
      stateText(out, one),
      visible(one.agent),
      visible(one.session),
      `${one.lastTool === undefined ? "" : `${visible(one.lastTool)}, `}${inOrAgo(one.lastMs, nowMs)}`,
      visible(one.cwd ?? ""),
    ]),
  );
}

function stateText({ colours }: Out, { state, questions }: SessionSummary): string {
  switch (state) {
    case "waiting":
      return colours.yellow(`waits for you: ${questions} ${questions === 1 ? "question" : "questions"}`);
    case "active":
      return "active";
    case "finished":
      return colours.dim("finished");
  }
}
