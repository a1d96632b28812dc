import { EN } from "../say/en.ts";
import type { Say, TimeUnit } from "../say/say.ts";

// Times as people read them. The machine knows the local time zone.

/** The two largest units: `2 d 3 h`, `23 h`, `4 min`, `12 s`. */
export function span(ms: number, say: Say = EN): string {
  return say.span(unitsOf(ms));
}

function unitsOf(ms: number): readonly (readonly [number, TimeUnit])[] {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return [[seconds, "s"]];
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return [[minutes, "min"]];
  const hours = Math.floor(minutes / 60);
  if (hours < 24)
    return minutes % 60 === 0 || hours >= 6
      ? [[hours, "h"]]
      : [
          [hours, "h"],
          [minutes % 60, "min"],
        ];
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 || days >= 6
    ? [[days, "d"]]
    : [
        [days, "d"],
        [hours % 24, "h"],
      ];
}

export function inOrAgo(atMs: number, nowMs: number, say: Say = EN): string {
  if (Math.abs(atMs - nowMs) < 1000) return say.now;
  return atMs > nowMs ? say.soon(span(atMs - nowMs, say)) : say.ago(span(nowMs - atMs, say));
}

/** Local time to the second, as people read clocks. */
export function clockText(atMs: number): string {
  const at = new Date(atMs);
  const two = (part: number) => String(part).padStart(2, "0");
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** The time zone: `UTC`, `UTC+01:00`. Without it, nobody knows which time is meant. */
export function zoneText(atMs: number): string {
  const minutes = -new Date(atMs).getTimezoneOffset();
  if (minutes === 0) return "UTC";
  const two = (part: number) => String(Math.floor(part)).padStart(2, "0");
  return `UTC${minutes > 0 ? "+" : "-"}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}
