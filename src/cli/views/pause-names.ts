import { nameText } from "../../core/letters/name-text.ts";
import type { PauseScope } from "../../core/standing/standing.ts";
import { wordsText } from "../../core/values/words-text.ts";

// How pauses are named in texts and on the command line.

/** The full name of what is paused: a tool that is paused in one session still works in others. */
export function nameOf(scope: PauseScope): string {
  if (scope.of === "everything") return scope.of;
  return [
    `${scope.of} ${nameText(scope.name)}`,
    ...whoseOf(scope).map(([of, name]) => `of ${of} ${nameText(name)}`),
  ].join(" ");
}

/** Whose tool it is, if it is not paused for all agents. */
function whoseOf(scope: PauseScope): readonly (readonly [of: "agent" | "session", name: string])[] {
  if (scope.of !== "tool") return [];
  return (["agent", "session"] as const).flatMap((of) => {
    const name = scope[of];
    return name === undefined ? [] : [[of, name] as const];
  });
}

/** The command that lifts a pause of this. */
export function liftedBy(scope: PauseScope): string {
  return `leeway resume${flagOf(scope)}`;
}

/** How the pause is named on the command line. */
export function flagOf(scope: PauseScope): string {
  if (scope.of === "everything") return "";
  return [[scope.of, scope.name] as const, ...whoseOf(scope)]
    .map(([of, name]) => ` --${of} ${wordsText([name])}`)
    .join("");
}
