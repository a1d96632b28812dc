import { snoozeUntil } from "../../../core/snooze.ts";
import { usage } from "../../failure.ts";
import type { PersonActs } from "../../gate/command-gate.ts";
import { withGate } from "../../gate/with-gate.ts";
import { idGiven, questionMeant } from "../../lookup.ts";
import { AS_OPTION, needActor } from "../../person.ts";
import { type CommandInput, type CommandSpec, needed, text } from "../../spec.ts";
import { wrap } from "../../terminal/table.ts";
import { snoozedText } from "../../views/triage-view.ts";

// What a reviewer can do with a question instead of answering it.

const ID = ["<id>", "the id of the question, or its beginning, if no other id begins like that"] as const;

export const reply: CommandSpec = {
  name: "reply",
  summary: "write to the agent about a question, without an answer; the question stays open",
  args: [ID, ["<text...>", "what the agent should know, at most 2,000 characters"]],
  options: [AS_OPTION],
  examples: ["leeway reply apr_019a8b3c4d5e 'which customer is this for?'"],
  exits: [0, 1, 2, 5],
  act: (given) =>
    triage(given, "write to the agent", async (person, id) => {
      const approval = await person.reply(id, given.args.slice(1).join(" "));
      return { approval, text: `sent: the agent reads it with ${id}, and the question stays open` };
    }),
};

export const handover: CommandSpec = {
  name: "handover",
  summary: "ask somebody else who may answer a question to do it; they get a notice",
  args: [ID],
  options: [["--to <name>", "the person who should answer"], ["--note <text>", "a note for that person"], AS_OPTION],
  examples: ["leeway handover apr_019a8b3c4d5e --to ben --note 'you know this customer'"],
  exits: [0, 1, 2, 5],
  act: async (given) => {
    const to = needed(given, "to", "name the person who should answer, as in --to ben");
    return triage(given, "hand this over", async (person, id) => {
      const approval = await person.handOver(id, { to, note: text(given, "note") ?? "" });
      return { approval, text: `${to} is asked to answer ${id}; you may still answer it too` };
    });
  },
};

export const snooze: CommandSpec = {
  name: "snooze",
  summary: "put a question aside for yourself until a time before its deadline; then you get a reminder",
  args: [ID, ["<until...>", "30m, 2h, 17:30, tomorrow 9:00, 2026-01-31T09:00Z, or now to take it back"]],
  options: [AS_OPTION],
  examples: ["leeway snooze apr_019a8b3c4d5e 1h", "leeway snooze apr_019a8b3c4d5e tomorrow 9:00"],
  exits: [0, 1, 2, 5],
  act: async (given) => {
    const until = given.args.slice(1).join(" ");
    // Checked once before the passphrase prompt, so that a wrong time is reported first.
    snoozeTime(until, 0);
    return triage(given, "put this aside", async (person, id, nowMs) => {
      const approval = await person.snooze(id, snoozeTime(until, nowMs));
      return { approval, text: snoozedText(approval, person.name, nowMs) };
    });
  },
};

/** The typed time in the form that the gate takes, read in the time zone of this terminal. */
export function snoozeTime(until: string, nowMs: number): string {
  const ms = snoozeUntil(until, { nowMs, zone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  if (ms === undefined)
    throw usage(`\`${until}\` is not a time`, "write 30m, 2h, 17:30, tomorrow 9:00, 2026-01-31T09:00Z, or now");
  return ms === "now" ? ms : new Date(ms).toISOString();
}

type Done = { approval: Awaited<ReturnType<PersonActs["reply"]>>; text: string };

async function triage(
  given: CommandInput,
  act: string,
  does: (person: PersonActs, id: string, nowMs: number) => Promise<Done>,
): Promise<number> {
  needActor(given.io, act);
  return withGate(given, async (gate) => {
    await gate.keepTime();
    const { row } = await questionMeant(gate, idGiven(given));
    const { approval, text: said } = await does(await gate.prove(act), row.id, gate.nowMs());
    given.out.answer(approval, () => wrap(said, given.out.width));
    return 0;
  });
}
