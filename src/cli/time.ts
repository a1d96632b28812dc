import { parseDuration } from "../core/values/duration.ts";
import { usage } from "./failure.ts";

/** `90s`, `15m`, `24h`, `7d`. */
export function durationMs(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) throw usage(`\`${text}\` is not a duration`, "write a number and a unit: 90s, 15m, 24h, 7d");
  return ms;
}

/** How long a yes is to last: a time, a number of uses, or both as `24h,5x`. */
export function lasting(text: string, nowMs: number): { untilMs?: number; usesMax?: number } {
  const parts = text.split(",").map((part) => part.trim());
  const found: { untilMs?: number; usesMax?: number } = {};
  for (const part of parts) {
    const uses = /^([1-9]\d{0,5})x$/.exec(part);
    if (uses !== null) found.usesMax = Number(uses[1]);
    else found.untilMs = nowMs + rememberedMs(part);
  }
  return found;
}

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

/** The two largest units that say something: `2 d 3 h`, `23 h`, `4 min`, `12 s`. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 || hours >= 6 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 || days >= 6 ? `${days} d` : `${days} d ${hours % 24} h`;
}

export function inOrAgo(atMs: number, nowMs: number): string {
  if (Math.abs(atMs - nowMs) < 1000) return "now";
  return atMs > nowMs ? `in ${span(atMs - nowMs)}` : `${span(nowMs - atMs)} ago`;
}

/** Local time to the second, as people read clocks. */
export function clockText(atMs: number): string {
  const at = new Date(atMs);
  const two = (part: number) => String(part).padStart(2, "0");
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}
