import { type Approval, stateAt } from "../../core/approval.ts";
import type { Execution } from "../../core/execution.ts";
import { renderHtml } from "../../core/show/render-html.ts";
import { visible } from "../../core/values/text.ts";
import { reveal } from "../../gate/approvals/reveal.ts";
import { reconcile } from "../../gate/calls/reconcile.ts";
import { callRow } from "../../service/approvals.ts";
import { cardOf } from "../../service/cards.ts";
import { type CameOfIt, cameOf } from "../../service/outcome.ts";
import { doesOf } from "../../service/why.ts";
import { callText, cameRows } from "../call-view.ts";
import { cardText } from "../card.ts";
import { Failure, orFail, usage } from "../failure.ts";
import { type Opened, withGate } from "../gate.ts";
import { grantText } from "../grant-view.ts";
import type { Out } from "../io.ts";
import { type FoundRow, findAny } from "../lookup.ts";
import { AS_OPTION, prove } from "../person.ts";
import { type Offers, offersFor } from "../remembering.ts";
import { type CommandSpec, first, flag, type Given, oneOf, text } from "../spec.ts";
import { facts, wrap } from "../table.ts";
import { rowText } from "../texts.ts";
import { keepTime } from "../timekeeping.ts";

export const show: CommandSpec = {
  name: "show",
  summary: "show a question, a call, an execution or a grant as it stands now",
  args: [["<id>", "its id, or a start of it that fits only one"]],
  options: [
    ["--html", "a question's card as HTML, for a page of your own"],
    ["--reveal", "a question's arguments with nothing masked; the record says who looked"],
    ["--settle <how>", "for an execution nobody knows the end of: ok or failed"],
    ["--note <text>", "how you know, for the record"],
    AS_OPTION,
  ],
  examples: [
    "leeway show apr_019a8b3c4d5e",
    "leeway show apr_019a8b3c4d5e --reveal",
    "leeway show exe_019a8b3c4d5e --settle failed --note 'no such deploy'",
  ],
  exits: [0, 1, 2, 5],
  act: (given) =>
    withGate(given, async (deps) => {
      await keepTime(deps);
      const found = await findAny(deps, first(given));
      if (text(given, "settle") !== undefined) return settle(given, deps, found);
      if (text(given, "note") !== undefined)
        throw usage("--note is for --settle", "say how it ended, as in --settle failed");
      if (flag(given, "reveal")) return revealed(given, deps, found);
      if (flag(given, "html") && found.table !== "approvals")
        throw usage(`${first(given)} is not a question`, "only a question has a card; leave out --html");
      if (found.table === "approvals") await showQuestion(given, deps, found.row);
      else {
        const came = await cameOfFound(deps, found);
        given.out.answer({ ...found.row, ...(came === undefined ? {} : { came }) }, () =>
          foundText(given.out, deps, found, came),
        );
      }
      return 0;
    }),
};

function foundText(
  out: Out,
  deps: Opened,
  found: Exclude<FoundRow, { table: "approvals" }>,
  came: CameOfIt | undefined,
): string {
  const nowMs = deps.clock.nowMs();
  if (found.table === "calls") return callText(out, found.row, doesOf(deps, found.row), { came });
  if (found.table === "grants") return grantText(out, found.row, nowMs);
  return [rowText(out, found.row, nowMs), ...(came === undefined ? [] : [facts(out, cameRows(came))])].join("\n");
}

async function cameOfFound(deps: Opened, found: FoundRow): Promise<CameOfIt | undefined> {
  if (found.table === "calls") return cameOf(deps, found.row, { withOutput: true });
  if (found.table !== "executions") return undefined;
  return cameOf(deps, await callRow(deps, found.row.call), { withOutput: true });
}

async function showQuestion(given: Given, deps: Opened, row: Approval): Promise<void> {
  const card = await cardOf(deps, row);
  const isPending = stateAt(row, deps.clock.nowMs()) === "pending";
  const { offers, none }: Offers = isPending ? await offersFor(deps, row.id) : { offers: [] };
  const came = await cameOf(deps, await callRow(deps, row.call), { withOutput: true });
  given.out.answer(
    {
      ...row,
      card,
      ...(came === undefined ? {} : { came }),
      offers,
      ...(none === undefined ? {} : { notRemembered: none }),
    },
    () =>
      flag(given, "html")
        ? renderHtml(card)
        : [
            cardText(given.out, card),
            ...(came === undefined ? [] : [facts(given.out, cameRows(came))]),
            ...offerLines({ offers, ...(none === undefined ? {} : { none }) }, given.out.width),
          ].join("\n"),
  );
}

/** What could pass from now on, for whoever would rather not be asked again. */
export function offerLines({ offers, none }: Offers, width: number): readonly string[] {
  if (none !== undefined) return [wrap(`cannot be remembered: ${none}`, width)];
  if (offers.length === 0) return [];
  const lines = offers.map(({ text }, i) => `  --width ${i + 1}  ${text}`);
  return ["to be remembered with `leeway approve --remember 24h`:", ...lines.map((line) => wrap(line, width))];
}

/** What looks like a secret is masked on the card; whoever has to see it says so, and it is on record. */
async function revealed(given: Given, deps: Opened, found: FoundRow): Promise<number> {
  if (found.table !== "approvals")
    throw usage(`${first(given)} is not a question`, "only a question has a card; leave out --reveal");
  const { name } = await prove(given, deps, "see what is masked");
  const { value } = orFail(await reveal(deps, found.row.id, { by: name, assurance: "tty" }));
  given.out.answer({ id: found.row.id, args: value }, () => visible(JSON.stringify(value, null, 2)));
  return 0;
}

/** Only a person can say how something ended that nobody saw end. */
async function settle(given: Given, deps: Opened, found: FoundRow): Promise<number> {
  const how = oneOf(text(given, "settle") ?? "", ["ok", "failed"] as const, "--settle");
  const note = text(given, "note");
  if (note === undefined) throw usage("--note is missing", "say how you know, as in --note 'the release is online'");
  if (found.table !== "executions")
    throw new Failure(1, `${first(given)} is not an execution`, "give the id that starts with exe_");
  const { name } = await prove(given, deps, "settle an execution");
  const settled = orFail(await reconcile(deps, found.row.id, { by: name, ok: how === "ok", note, assurance: "tty" }));
  const row: Execution = settled.value;
  given.out.answer(row, () => `${row.id} is ${row.state}`);
  return 0;
}
