import { minutesInZone, minutesOf } from "./channel.ts";
import { parseDuration } from "./values/duration.ts";

const MINUTE_MS = 60_000;
const MINUTES_PER_DAY = 24 * 60;

/**
 * Until when somebody puts a question aside: `30m`, `17:30`, `tomorrow 9:00`, an ISO time with its zone, or `now` to take
 * it back. Times of day are in the given zone. Undefined if the text is not a time.
 */
export function snoozeUntil(
  text: string,
  { nowMs, zone }: { nowMs: number; zone: string },
): number | "now" | undefined {
  const said = text.trim().toLowerCase();
  if (said === "now") return "now";
  const forMs = parseDuration(said);
  if (forMs !== undefined) return nowMs + forMs;
  const [, tomorrow, time] = /^(tomorrow\s+)?(\d{1,2}:\d{2})$/.exec(said) ?? [];
  if (time !== undefined) return timeOfDay(time.padStart(5, "0"), { nowMs, zone, isTomorrow: tomorrow !== undefined });
  if (!/^\d{4}-\d{2}-\d{2}t\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(z|[+-]\d{2}:\d{2})$/.test(said)) return undefined;
  const ms = Date.parse(said.toUpperCase());
  return Number.isNaN(ms) ? undefined : ms;
}

/** The next time that clocks in the zone show this, or the one on the day after today. */
function timeOfDay(
  time: string,
  { nowMs, zone, isTomorrow }: { nowMs: number; zone: string; isTomorrow: boolean },
): number | undefined {
  const wanted = minutesOf(time);
  const now = minutesInZone(nowMs, zone);
  if (wanted === undefined || now === undefined) return undefined;
  const isLaterToday = wanted > now;
  const ahead = wanted - now + (isTomorrow || !isLaterToday ? MINUTES_PER_DAY : 0);
  const at = nowMs - (nowMs % MINUTE_MS) + ahead * MINUTE_MS;
  // Where clocks are set forward or back in between, the same number of minutes leads to another time of day.
  const off = wanted - (minutesInZone(at, zone) ?? wanted);
  const nearest =
    off > MINUTES_PER_DAY / 2 ? off - MINUTES_PER_DAY : off < -MINUTES_PER_DAY / 2 ? off + MINUTES_PER_DAY : off;
  return at + nearest * MINUTE_MS;
}
