import type { Effect, Part } from "../../core/effect.ts";
import { type Message, say } from "../../core/messages/message.ts";
import type { CallRow } from "../../core/rows/rows.ts";
import type { Deps } from "../deps.ts";

// What a call of an unknown tool would do is guessed from all its arguments, also from those that are passwords: each text may be
// a path, a host or a command. The guesses are needed to decide the call, to show it and to decide it again. So they are
// recorded, but encrypted as the arguments are.

/** The parts of an effect that are guessed, if the tool is unknown. What only may be meant is guessed for every tool. */
type Guesses = Pick<Effect, "parts" | "maybe" | "facts" | "declared" | "byOrganisation">;

/** The effect as it is recorded. Its classes, and how well it is understood, stay readable. */
export function sealGuesses({ sealer }: Pick<Deps, "sealer">, effect: Effect, digest: string): Effect {
  const { parts, maybe, facts, declared, byOrganisation, ...rest } = effect;
  const readings = [effect, declared?.without, byOrganisation].filter((one) => one !== undefined);
  const isUnknown = readings.some((reading) => isOfUnknownTool(reading.parts));
  if (!isUnknown && maybe === undefined && byOrganisation?.maybe === undefined) return effect;
  const guesses: Guesses = {
    parts,
    ...(maybe === undefined ? {} : { maybe }),
    ...(facts === undefined ? {} : { facts }),
    ...(declared === undefined ? {} : { declared }),
    ...(byOrganisation === undefined ? {} : { byOrganisation }),
  };
  const recorded: Effect = {
    ...rest,
    parts: recordedParts(parts),
    guessed: sealer.seal(JSON.stringify(guesses), aboutOf(digest)),
  };
  if (facts !== undefined && !isUnknown) recorded.facts = facts;
  if (declared !== undefined)
    recorded.declared = { ...declared, without: { ...declared.without, parts: recordedParts(declared.without.parts) } };
  if (byOrganisation !== undefined) {
    const { maybe: _, ...own } = byOrganisation;
    recorded.byOrganisation = { ...own, parts: recordedParts(own.parts) };
  }
  return recorded;
}

/** Commands of an unknown program are recorded as all commands are; the part of an unknown tool has none. */
function isOfUnknownTool(parts: Effect["parts"]): boolean {
  return parts.some(
    ({ class: kind, targets }) => kind === "unknown" && targets.every((target) => target.kind !== "command"),
  );
}

function recordedParts(parts: Effect["parts"]): Effect["parts"] {
  if (!isOfUnknownTool(parts)) return parts;
  const [first, ...others] = parts;
  return [withoutGuesses(first), ...others.map(withoutGuesses)];
}

/** The name of the tool is no guess. */
function withoutGuesses(part: Part): Part {
  return { ...part, targets: part.targets.filter(({ kind }) => kind === "tool") };
}

type OpenedEffect = { ok: true; effect: Effect } | { ok: false; why: Message };

/** The effect as it was decided. Earlier versions recorded it unencrypted. */
export function openGuesses({ sealer }: Pick<Deps, "sealer">, recorded: Effect, digest: string): OpenedEffect {
  const { guessed, ...rest } = recorded;
  if (guessed === undefined) return { ok: true, effect: recorded };
  try {
    const guesses: Guesses = JSON.parse(sealer.open(guessed, aboutOf(digest)));
    return { ok: true, effect: { ...rest, ...guesses } };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ok: false, why: say("reason.arguments_sealed", { error: why }) };
  }
}

/** The effect of a stored call. If it cannot be decrypted, neither can the arguments; then only what is readable is returned. */
export function effectIn(deps: Pick<Deps, "sealer">, { effect, digest }: Pick<CallRow, "effect" | "digest">): Effect {
  const opened = openGuesses(deps, effect, digest);
  return opened.ok ? opened.effect : effect;
}

function aboutOf(digest: string): string {
  return `guesses ${digest}`;
}
