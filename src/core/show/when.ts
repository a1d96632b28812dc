// Moments as people read them. What o'clock it is where they are is the machine's to know.

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
