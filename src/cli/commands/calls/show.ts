import type { ShownRow } from "../../../client/views.ts";
import { renderHtml } from "../../../core/show/render-html.ts";
import { visibleText } from "../../../core/values/text.ts";
import type { QuestionView } from "../../../service/views/rows.ts";
import { Failure, usage } from "../../failure.ts";
import type { CommandGate } from "../../gate/command-gate.ts";
import { withGate } from "../../gate/with-gate.ts";
import { idGiven } from "../../lookup.ts";
import { AS_OPTION } from "../../person.ts";
import { type CommandInput, type CommandSpec, first, flag, oneOf, text } from "../../spec.ts";
import type { Out } from "../../terminal/io.ts";
import { facts, wrap } from "../../terminal/table.ts";
import { boxedIn, callText, cameRows } from "../../views/call-view.ts";
import { cardText } from "../../views/card.ts";
import { type Offers, offersOf } from "../../views/grant-offers.ts";
import { grantText } from "../../views/grant-view.ts";
import { rowText } from "../../views/texts.ts";
import { triageLines } from "../../views/triage-view.ts";

export const show: CommandSpec = {
  name: "show",
  summary: "show the current state of a question, a call, an execution or a grant",
  args: [["<id>", "its id, or its beginning, if no other id begins like that"]],
  options: [
    ["--html", "print the card of a question as HTML, for a page of your own"],
    ["--reveal", "show the arguments of a question without masking secrets; the record notes who looked"],
    ["--settle <how>", "record the result of an execution whose result is unknown: ok or failed"],
    ["--note <text>", "with --settle: how you know, for the record"],
    AS_OPTION,
  ],
  examples: [
    "leeway show apr_019a8b3c4d5e",
    "leeway show apr_019a8b3c4d5e --reveal",
    "leeway show exe_019a8b3c4d5e --settle failed --note 'no such deploy'",
  ],
  exits: [0, 1, 2, 5],
  act: (given) =>
    withGate(given, async (gate) => {
      await gate.keepTime();
      const found = await gate.row(idGiven(given));
      if (text(given, "settle") !== undefined) return settle(given, gate, found);
      if (text(given, "note") !== undefined)
        throw usage("--note needs --settle", "add the result, as in --settle failed");
      if (flag(given, "reveal")) return revealed(given, gate, found);
      if (flag(given, "html") && found.table !== "approvals")
        throw usage(`${first(given)} is not a question`, "only a question has a card; leave out --html");
      if (found.table === "approvals") showQuestion(given, found);
      else {
        const came = "came" in found ? found.came : undefined;
        const boxed = found.table === "calls" ? boxedIn(found) : {};
        given.out.answer({ ...found.row, ...(came === undefined ? {} : { came }), ...boxed }, () =>
          foundText(given.out, gate.nowMs(), found),
        );
      }
      return 0;
    }),
};

function foundText(out: Out, nowMs: number, found: Exclude<ShownRow, QuestionView>): string {
  if (found.table === "calls") return callText(out, found.row, found.does, { came: found.came, ...boxedIn(found) });
  if (found.table === "grants") return grantText(out, found.row, nowMs);
  const came = found.table === "executions" ? cameRows(found.came) : [];
  return [rowText(out, found.row, nowMs), ...(came.length === 0 ? [] : [facts(out, came)])].join("\n");
}

function showQuestion({ out, ...given }: CommandInput, question: QuestionView): void {
  const { row, card, came } = question;
  const { offers, none } = offersOf(question);
  const answer = {
    ...row,
    card,
    ...(came === undefined ? {} : { came }),
    offers,
    ...(none === undefined ? {} : { notRemembered: none }),
  };
  out.answer(answer, () =>
    given.options["html"] === true
      ? renderHtml(card)
      : [
          cardText(out, card),
          ...triageLines(row, given.io.clock.nowMs()).map((line) => wrap(line, out.width)),
          ...(came === undefined ? [] : [facts(out, cameRows(came))]),
          ...offerLines({ offers, ...(none === undefined ? {} : { none }) }, out.width),
        ].join("\n"),
  );
}

/** The grants that could be remembered, for a person who does not want to be asked again. */
function offerLines({ offers, none }: Offers, width: number): readonly string[] {
  if (none !== undefined) return [wrap(`this call cannot be remembered: ${none}`, width)];
  if (offers.length === 0) return [];
  const lines = offers.map(({ text }, i) => `  --width ${i + 1}  ${text}`);
  return ["choices for `leeway approve --remember 24h`:", ...lines.map((line) => wrap(line, width))];
}

/** What looks like a secret is masked on the card; a person can ask to see it, and that is recorded. */
async function revealed(given: CommandInput, gate: CommandGate, found: ShownRow): Promise<number> {
  if (found.table !== "approvals")
    throw usage(`${first(given)} is not a question`, "only a question has a card; leave out --reveal");
  const args = await (await gate.prove("see what is masked")).reveal(found.row.id);
  given.out.answer({ id: found.row.id, args }, () => visibleText(JSON.stringify(args, null, 2)));
  return 0;
}

/** If nobody saw how a call ended, only a person can say it. */
async function settle(given: CommandInput, gate: CommandGate, found: ShownRow): Promise<number> {
  const how = oneOf(text(given, "settle") ?? "", ["ok", "failed"] as const, "--settle");
  const note = text(given, "note");
  if (note === undefined) throw usage("--note is missing", "write how you know, as in --note 'the release is online'");
  if (found.table !== "executions")
    throw new Failure(1, `${first(given)} is not an execution`, "give the id that starts with exe_");
  const person = await gate.prove("settle an execution");
  const row = await person.reconcile(found.row.id, { ok: how === "ok", note });
  given.out.answer(row, () => `${row.id} is ${row.state}`);
  return 0;
}
