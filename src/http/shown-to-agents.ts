import { UNEXAMINED } from "../core/classify/facts.ts";
import type { Effect, Target } from "../core/effect.ts";
import { maskArgs, maskText } from "../core/masking/redact.ts";
import type { Receipt } from "../core/receipt.ts";
import { canonical } from "../core/values/canonical.ts";
import { isObject, type JsonObject } from "../core/values/json.ts";
import { wordsText } from "../core/values/words-text.ts";
import type { Suggested } from "../gate/standing/grants.ts";

/** What a call would do, as far as a card would show it. */
export function shownEffect({ maybe: _, ...effect }: Effect): JsonObject {
  const parts = effect.parts.map((part) => ({ ...part, targets: part.targets.map(shownTarget) }));
  return maskArgs({ ...effect, parts } as unknown as JsonObject);
}

/** A grant is kept and shown as it is written: one that would have to write a secret down is not offered. */
export function withoutSecret(offer: Suggested): boolean {
  const text = canonical(offer as unknown as JsonObject);
  return text === canonical(maskArgs(offer as unknown as JsonObject));
}

/** What an entry says, as far as people see it: without what its call may stand for, where a value stands apart from its name. */
export function shownBody(body: JsonObject): JsonObject {
  const { effect } = body;
  if (!isObject(effect)) return maskArgs(body);
  const { maybe: _, ...rest } = effect;
  return maskArgs({ ...body, effect: rest });
}

/**
 * Without what was found on the server's disk: an agent may ask about any path, and the server may see more than the
 * agent does. Where a path really leads is left out too; the paths that the agent named it knows.
 */
export function effectForAgent({ facts: _, declared: __, maybe: ___, parts, ...effect }: Effect) {
  const notes = effect.notes.filter((note) => note !== UNEXAMINED);
  // Only whether a file is there was in doubt, and that is not told.
  const understood = notes.length === 0 && effect.notes.length > 0 ? "fully" : effect.understood;
  return {
    ...effect,
    notes,
    understood,
    parts: parts.map((part) => ({ ...part, targets: part.targets.filter(({ kind }) => kind !== "path") })),
  };
}

/** Nor does the agent hear why: whether a file is there that it may not read, nobody tells it. */
export function decisionForAgent(decision: Receipt["decision"]): Receipt["decision"] {
  if (!decision.because.some((why) => why.includes(UNEXAMINED))) return decision;
  const because = decision.because.flatMap((why) => (why.includes(UNEXAMINED) ? withoutFile(why) : [why]));
  return { ...decision, because: because.length === 0 ? decision.because : because };
}

function withoutFile(why: string): readonly string[] {
  const [start = "", notes = ""] = why.split(/: (.*)/s);
  const rest = notes.split("; ").filter((note) => note !== UNEXAMINED);
  return rest.length === 0 ? [] : [`${start}: ${rest.join("; ")}`];
}

/** A secret may be told by the word before it: a command that holds one is shown as one text, masked as a whole. */
function shownTarget(target: Target): Target {
  if (target.kind !== "command") return target;
  const text = wordsText(target.words);
  const shown = maskText(text);
  return shown === text ? target : { ...target, words: [shown] };
}
