import { coverText } from "../decide/suggest/suggest.ts";
import { classOf, onlyReads, UNDERSTANDINGS } from "../effect.ts";
import { nameText } from "../letters/name-text.ts";
import { maskText } from "../masking/redact.ts";
import { sayIn } from "../say/languages.ts";
import type { Say } from "../say/say.ts";
import { callOfStep, type Plan, type PlanStep } from "../standing/plan.ts";
import { visible } from "../values/text.ts";
import { type Card, type CardInput, type CardStep, cardOf } from "./card.ts";
import { causeSentences } from "./causes.ts";
import { shortPath } from "./sentence.ts";

/**
 * The card of a plan: every step in its order, exactly, with what becomes of it. It is put together from the cards that the
 * questions about the steps would have.
 */
export function planCardOf(input: CardInput, plan: Plan): Card {
  const { call, project, language = "en" } = input;
  const say = sayIn(language);
  const whole = cardOf(input);
  const steps = plan.steps.map((step, at) => shownStep(input, step, at + 1));
  const fixed = steps.filter(({ step }) => step.is === "covered" && step.width === undefined);
  const names = cardOf({ ...input, call: { ...call, args: {} } }).exact;
  return {
    ...whole,
    ...planSaid(plan, say),
    targets: [],
    parts: [],
    steps: steps.map(({ shown }) => shown),
    ...exactSteps([...names, `title: ${safe(plan.title)}`], steps, { say, project }),
    holdsFor: [...new Set(fixed.flatMap(({ card }) => card.holdsFor))],
    why: grouped(steps, ({ step, card }) => (step.is === "runs" ? [] : card.why), say),
    understanding: [
      say.understood[leastUnderstood(plan)],
      ...whole.understanding.slice(1),
      ...grouped(steps, ({ card }) => card.understanding.slice(1), say),
    ],
  };
}

/** A plan in one line and in one sentence. */
export function planSaid({ title, steps }: Plan, say: Say): Pick<Card, "lead" | "sentence"> {
  const covered = steps.filter(({ is }) => is === "covered").length;
  return { lead: say.plan.lead(safe(title)), sentence: say.plan.sentence(covered, steps.length) };
}

/** A step, the card that a question about it would have, and what the card of the plan shows of it. */
type Shown = { step: PlanStep; card: Card; shown: CardStep };

function shownStep({ call, project, language = "en" }: CardInput, step: PlanStep, number: number): Shown {
  const { effect, digest, causes } = step;
  const given = { language, ...(project === undefined ? {} : { project }) };
  // Without the programs in the sentence, steps with the same reason share one line.
  const why = causeSentences(causes, given);
  const none = { deadline: "", quorum: { needed: 0, approved: 0 } };
  const card = cardOf({ call: callOfStep(call, step), digest, effect, why, ...none, ...given });
  return {
    step,
    card,
    shown: {
      number,
      command: card.lead,
      does: card.sentence,
      is: step.is,
      becomes: becomes(step, sayIn(language)),
      class: classOf(effect),
      grave: effect.parts.some(isGravePart),
    },
  };
}

function becomes({ is, covers, width, changedBy, call }: PlanStep, say: Say): string {
  if (changedBy !== undefined) return say.plan.changedBy(changedBy);
  if (covers === undefined || width === undefined) return say.plan.becomes[is];
  return say.plan.allows(coverText(covers, say, call.cwd));
}

const GRAVE_CLASSES = /delete|payments|secrets|permissions|deploy/;

/** What a reader must not miss in a long list: what cannot be undone, and the classes with the most serious effects. */
function isGravePart({ class: effectClass, reversible }: PlanStep["effect"]["parts"][number]): boolean {
  if (GRAVE_CLASSES.test(effectClass)) return true;
  return !reversible && effectClass !== "process.exec" && !onlyReads(effectClass);
}

const INDENT = "   ";

/** The exact lines of all steps, each below a line that says what becomes of it. */
function exactSteps(
  first: readonly string[],
  steps: readonly Shown[],
  { say, project }: { say: Say; project: string | undefined },
): Pick<Card, "exact" | "marks" | "changes"> {
  const exact = [...first];
  const marks: Card["marks"][number][] = [];
  const changes: Card["changes"][number][] = [];
  for (const { step, card, shown } of steps) {
    const { cwd } = step.call;
    exact.push(`${shown.number}. ${safe(nameText(step.call.tool))}: ${shown.becomes}`);
    exact.push(`${INDENT}${shown.does}`);
    if (cwd !== undefined && cwd !== project)
      exact.push(`${INDENT}${say.runsIn(safe(nameText(shortPath(cwd, project))))}`);
    const at = exact.length;
    marks.push(
      ...card.marks.map(({ line, from, to }) => ({
        line: line + at,
        from: from + INDENT.length,
        to: to + INDENT.length,
      })),
    );
    changes.push(...card.changes.map(({ is, from, to }) => ({ is, from: from + at, to: to + at })));
    exact.push(...card.exact.map((line) => `${INDENT}${line}`));
  }
  return { exact, marks, changes };
}

/** Each sentence once, with the numbers of the steps that it is about. */
function grouped(steps: readonly Shown[], of: (one: Shown) => readonly string[], say: Say): readonly string[] {
  const numbers = new Map<string, number[]>();
  for (const one of steps) {
    for (const text of new Set(of(one))) numbers.set(text, [...(numbers.get(text) ?? []), one.shown.number]);
  }
  return [...numbers].map(([text, of]) => say.plan.about(of, text));
}

function leastUnderstood({ steps }: Plan): PlanStep["effect"]["understood"] {
  return [...UNDERSTANDINGS].reverse().find((one) => steps.some(({ effect }) => effect.understood === one)) ?? "fully";
}

function safe(text: string): string {
  return visible(maskText(text));
}
