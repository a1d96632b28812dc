import { at } from "../../client/path.ts";
import { stateAt } from "../../core/approval.ts";
import { TOLD_KINDS } from "../../core/notice.ts";
import { saidOf } from "../../core/show/card.ts";
import { renderHtml } from "../../core/show/render-html.ts";
import { inOrAgo } from "../../core/show/when.ts";
import { visible } from "../../core/values/text.ts";
import { systemMint } from "../../system.ts";
import { callOf } from "../calls.ts";
import { cardText } from "../card.ts";
import { checkedOf, checking } from "../commands/check.ts";
import { logged } from "../commands/log.ts";
import { offerLines } from "../commands/show.ts";
import { Failure } from "../failure.ts";
import { moreLines, toldLine } from "../notice-lines.ts";
import { offersOf } from "../remembering.ts";
import { type CommandSpec, first, flag, type Given, text } from "../spec.ts";
import { table } from "../table.ts";
import { rowText, shortId } from "../texts.ts";
import { pendingAt, questionAt, shownAt } from "./questions.ts";
import type { There } from "./server.ts";

type ActThere = (given: Given, there: There) => ReturnType<CommandSpec["act"]>;

export const checkThere: ActThere = (given, { gate }) =>
  checking(given, async (asked) => {
    const { agent, ...input } = asked;
    const { decision, effect } = await gate.check({ ...input, ...(agent === undefined ? {} : { agent }) });
    const call = callOf({ mint: systemMint(), workspace: "default" }, { ...asked, agent: agent ?? "the token's" });
    return { checked: checkedOf(decision, effect), call, said: saidOf(call, effect, given.io.cwd) };
  });

export const logThere: ActThere = (given, { gate }) => logged(given, (where, page) => gate.ledger.entries(where, page));

/** More than these are not asked one by one: the pages of the server show them all. */
const SHOWN_MAX = 100;

export const inboxThere: ActThere = async (given, there) => {
  const nowMs = given.io.clock.nowMs();
  const all = await pendingAt(there);
  const pending = [...all].sort((a, b) => a.answerByMs - b.answerByMs).slice(0, SHOWN_MAX);
  const more = all.length - pending.length;
  const questions = [];
  for (const { id } of pending) {
    const { card, remember, notRemembered, ...row } = await shownAt(there, id);
    questions.push({
      id,
      digest: row.digest,
      agent: visible(row.agent),
      title: card.sentence,
      class: row.class,
      needsHuman: row.needsHuman,
      answerByMs: row.answerByMs,
      have: row.approved,
      quorum: row.quorum,
      offers: offersOf(remember),
      ...(notRemembered === undefined ? {} : { notRemembered }),
    });
  }
  const notices = await there.gate.notices.list({ kinds: TOLD_KINDS });
  const rows = questions.map((one) => [shortId(one.id), one.agent, inOrAgo(one.answerByMs, nowMs), one.title]);
  given.out.answer({ questions, more, notices }, () =>
    [
      rows.length === 0 ? "Nobody is waiting for you." : table(given.out, ["ID", "AGENT", "ANSWER BY", "WHAT"], rows),
      ...moreLines(more),
      toldLine(notices),
    ].join("\n"),
  );
  return 0;
};

/** A question with its card, or where a call stands. */
export const showThere: ActThere = async (given, there) => {
  const id = first(given);
  if (text(given, "settle") !== undefined || !/^(apr|call|exe)_/.test(id))
    throw new Failure(1, "a server shows questions and calls here, nothing else", `use ${there.pages.all}`);
  const nowMs = given.io.clock.nowMs();
  if (!id.startsWith("apr_")) {
    const receipt = (await there.ask({ path: at`/v1/calls/${id}` })) as object;
    given.out.answer(receipt, () => rowText(given.out, receipt, nowMs));
    return 0;
  }
  const { card, remember, notRemembered, ...row } = await questionAt(there, id);
  const offers = stateAt(row, nowMs) === "pending" ? offersOf(remember) : [];
  const none = notRemembered === undefined ? {} : { none: visible(notRemembered) };
  given.out.answer({ ...row, card, offers, ...(notRemembered === undefined ? {} : { notRemembered }) }, () =>
    flag(given, "html")
      ? renderHtml(card)
      : [cardText(given.out, card), ...offerLines({ offers, ...none }, given.out.width)].join("\n"),
  );
  return 0;
};
