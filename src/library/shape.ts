import { nearest } from "../core/values/nearest.ts";
import { badInput } from "./refusal.ts";

// What a program hands over is looked at key by key: a mistyped bound that is dropped would loosen in silence.

/** An object with none but these keys. `path` is where it is, nothing at the top. */
export function shaped(input: unknown, known: readonly string[], path = ""): Record<string, unknown> {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw badInput(path === "" ? "/" : path, "an object is expected", `its keys are ${known.join(", ")}`);
  }
  for (const key of Object.keys(input)) {
    if (known.includes(key)) continue;
    const meant = nearest(key, known);
    const hint = meant === undefined ? `the keys are ${known.join(", ")}` : `did you mean ${meant}?`;
    throw badInput(path === "" ? key : `${path}/${key}`, "nothing is called so here", hint);
  }
  return input as Record<string, unknown>;
}

/** One of these words. */
export function oneOf(value: unknown, words: readonly string[], path: string): void {
  if (typeof value === "string" && words.includes(value)) return;
  const meant = typeof value === "string" ? nearest(value, words) : undefined;
  const hint = meant === undefined ? `use one of ${words.join(", ")}` : `did you mean ${meant}?`;
  throw badInput(path, `${typeof value === "string" ? value : typeof value} is none of the words for it`, hint);
}
