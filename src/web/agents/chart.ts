import { type Html, html } from "../page/html.ts";

/** One event: when, and whether it succeeded. */
export type Mark = { atMs: number; was: "well" | "failed" | "denied" };

type Bar = { fromMs: number; well: number; failed: number; denied: number };

const MINUTE = 60_000;
const WIDTHS_MS = [1, 10, 60, 360, 1440, 10_080, 43_200].map((minutes) => minutes * MINUTE);
const BARS = 30;

/** Thirty bars until now. Each bar covers a common unit of time, wide enough to include the first event. */
export function barsOf(marks: readonly Mark[], firstMs: number, nowMs: number): readonly Bar[] {
  const widthMs = WIDTHS_MS.find((width) => (nowMs - firstMs) / width < BARS - 1) ?? (nowMs - firstMs) / (BARS - 2);
  const startMs = (Math.floor(nowMs / widthMs) - BARS + 1) * widthMs;
  const bars = Array.from({ length: BARS }, (_, at) => ({
    fromMs: startMs + at * widthMs,
    well: 0,
    failed: 0,
    denied: 0,
  }));
  for (const { atMs, was } of marks) {
    const bar = bars[Math.floor((atMs - startMs) / widthMs)];
    if (bar !== undefined) bar[was] += 1;
  }
  return bars;
}

type ChartWords = { title: string; desc: string };
const STEP = 12;
const GAP = 3;

/** Stacked bars, successes at the bottom. The title and description say what it shows, and a table has the numbers. */
export function chart(bars: readonly Bar[], { title, desc }: ChartWords, height: number): Html {
  const most = Math.max(1, ...bars.map((bar) => bar.well + bar.failed + bar.denied));
  const width = bars.length * STEP;
  const scale = (count: number) => Math.round((count / most) * height * 10) / 10;
  return html`<svg class="chart" viewBox="0 0 ${width} ${height + 1}" role="img" preserveAspectRatio="none" height="${height}"><title>${title}</title><desc>${desc}</desc>
<path class="base" d="M0 ${height + 0.5}H${width}"/>${bars.map((bar, at) => {
    const x = at * STEP;
    const tops = { well: scale(bar.well), failed: scale(bar.failed), denied: scale(bar.denied) };
    return html`${piece("well", x, height, tops.well)}${piece("failed", x, height - tops.well, tops.failed)}${piece("denied", x, height - tops.well - tops.failed, tops.denied)}`;
  })}</svg>`;
}

function piece(kind: string, x: number, bottom: number, size: number): Html | false {
  return (
    size > 0 &&
    html`<rect class="${kind}" x="${x}" y="${Math.round((bottom - size) * 10) / 10}" width="${STEP - GAP}" height="${size}"/>`
  );
}
