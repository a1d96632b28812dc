import type { Gauge } from "../observer-port.ts";
import { METRICS, type MetricFacts, type MetricName } from "./metric-table.ts";

// Counters and histograms in the text format of Prometheus. The table of metrics is known, so this is all it takes.

export type Labels = Readonly<Record<string, string>>;
type Histogram = { buckets: number[]; sum: number; count: number };

/** More series of one metric than this would be a mistake of ours: what comes after them is counted as `other`. */
const SERIES_MAX = 500;

export type Series = {
  add(name: MetricName, labels?: Labels, by?: number): void;
  observe(name: MetricName, value: number, labels?: Labels): void;
  /** Everything, with these values of gauges. */
  text(gauges: readonly Gauge[]): string;
};

export function seriesOf(): Series {
  const counters = new Map<MetricName, Map<string, number>>();
  const histograms = new Map<MetricName, Map<string, Histogram>>();
  return {
    add: (name, labels = {}, by = 1) => {
      const found = ofName(counters, name);
      const key = keyIn(found, name, labels);
      found.set(key, (found.get(key) ?? 0) + by);
    },
    observe: (name, value, labels = {}) => {
      const found = ofName(histograms, name);
      const key = keyIn(found, name, labels);
      const { bounds = [] }: MetricFacts = METRICS[name];
      const kept = found.get(key) ?? { buckets: bounds.map(() => 0), sum: 0, count: 0 };
      found.set(key, kept);
      const place = bounds.findIndex((bound) => value <= bound);
      if (place >= 0) kept.buckets[place] = (kept.buckets[place] ?? 0) + 1;
      kept.sum += value;
      kept.count += 1;
    },
    text: (gauges) => {
      const parts = Object.entries(METRICS).map(([name, facts]) => {
        const lines = linesOf(name as MetricName, facts, { counters, histograms, gauges });
        return `# HELP ${name} ${facts.help}\n# TYPE ${name} ${facts.type}\n${lines.map((line) => `${line}\n`).join("")}`;
      });
      return parts.join("");
    },
  };
}

type Kept = {
  counters: ReadonlyMap<MetricName, ReadonlyMap<string, number>>;
  histograms: ReadonlyMap<MetricName, ReadonlyMap<string, Histogram>>;
  gauges: readonly Gauge[];
};

function linesOf(name: MetricName, { type, labels, bounds = [] }: MetricFacts, kept: Kept): readonly string[] {
  switch (type) {
    case "gauge":
      return kept.gauges
        .filter((gauge) => gauge.name === name)
        .map((gauge) => `${name}${braced(labelText(name, gauge.labels ?? {}))} ${gauge.value}`);
    case "counter": {
      // A counter without labels is there from the beginning, so that its first increase is seen as one.
      const found = kept.counters.get(name) ?? new Map(labels.length === 0 ? [["", 0]] : []);
      return [...found].map(([key, value]) => `${name}${braced(key)} ${value}`);
    }
    case "histogram":
      return [...(kept.histograms.get(name) ?? [])].flatMap(([key, one]) => histogramLines(name, key, bounds, one));
  }
}

function histogramLines(name: string, key: string, bounds: readonly number[], one: Histogram): readonly string[] {
  let below = 0;
  const bucket = (le: string, value: number) => `${name}_bucket{${key === "" ? "" : `${key},`}le="${le}"} ${value}`;
  return [
    ...bounds.map((bound, i) => {
      below += one.buckets[i] ?? 0;
      return bucket(String(bound), below);
    }),
    bucket("+Inf", one.count),
    `${name}_sum${braced(key)} ${one.sum}`,
    `${name}_count${braced(key)} ${one.count}`,
  ];
}

function ofName<T>(all: Map<MetricName, Map<string, T>>, name: MetricName): Map<string, T> {
  const found = all.get(name) ?? new Map<string, T>();
  all.set(name, found);
  return found;
}

function keyIn(found: ReadonlyMap<string, unknown>, name: MetricName, labels: Labels): string {
  const key = labelText(name, labels);
  if (found.size < SERIES_MAX || found.has(key)) return key;
  return labelText(name, Object.fromEntries(METRICS[name].labels.map((label) => [label, "other"])));
}

function labelText(name: MetricName, labels: Labels): string {
  return METRICS[name].labels.map((label) => `${label}="${escaped(labels[label] ?? "")}"`).join(",");
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function braced(key: string): string {
  return key === "" ? "" : `{${key}}`;
}
