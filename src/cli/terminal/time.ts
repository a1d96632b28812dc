import { parseDuration } from "../../core/values/duration.ts";
import { usage } from "../failure.ts";

/** `90s`, `15m`, `24h`, `7d`. */
export function durationMs(text: string): number {
  const ms = parseDuration(text);
  if (/^0+[smhdw]$/.test(text)) throw usage(`\`${text}\` is no time`, "it must be more than 0, as in 1s");
  if (ms === undefined)
    throw usage(`\`${text}\` is not a duration`, "write a number and a unit, at most a year: 90s, 15m, 24h, 7d");
  return ms;
}

/** How long a grant lasts: a time, a number of uses, or both as `24h,5x`. */
export function lasting(text: string, nowMs: number): { untilMs?: number; usesMax?: number } {
  const parts = text.split(",").map((part) => part.trim());
  const found: { untilMs?: number; usesMax?: number } = {};
  for (const part of parts) {
    const uses = USES.exec(part);
    if (uses !== null) found.usesMax = Number(uses[1]);
    else found.untilMs = nowMs + rememberedMs(part);
  }
  return found;
}

/** Whether `lasting` can read it. */
export function isLasting(text: string): boolean {
  return text.split(",").every((part) => USES.test(part.trim()) || parseDuration(part.trim()) !== undefined);
}

const USES = /^([1-9]\d{0,5})x$/;

function rememberedMs(part: string): number {
  const ms = parseDuration(part);
  if (ms !== undefined) return ms;
  throw usage(`\`${part}\` is neither a duration nor a number of uses`, "write 24h, 5x or both as 24h,5x");
}

/** A moment given as a date, or as how long ago. */
export function momentMs(text: string, nowMs: number): number {
  if (/^\d+[smhd]$/.test(text)) return nowMs - durationMs(text);
  const ms = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) throw usage(`\`${text}\` is not a time`, "write 2h (ago), 2026-01-31 or 2026-01-31T09:00:00Z");
  return ms;
}
