import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { METRICS, type MetricFacts } from "../../src/observe/metric-table.ts";
import { root } from "../tidy/sources.ts";

// The files for operators name metrics, labels and directives; a wrong name would be noticed only when it is needed.

const read = (name: string) => readFileSync(join(root, "ops", name), "utf8");

/** Labels that Prometheus itself adds. */
const OF_PROMETHEUS = ["instance", "job", "le"];

/** What is wrong with the metrics and labels of an expression. */
function wrongIn(expr: string): readonly string[] {
  const wrong: string[] = [];
  for (const [, name = "", selector = ""] of expr.matchAll(/\b(leeway_\w+)(?:\{([^}]*)\})?/g)) {
    const facts: MetricFacts | undefined = Object.entries(METRICS).find(([known, { type }]) =>
      type === "histogram" ? ["_bucket", "_sum", "_count"].some((end) => known + end === name) : known === name,
    )?.[1];
    if (facts === undefined) wrong.push(`unknown metric ${name}`);
    for (const [, label = ""] of selector.matchAll(/(\w+)\s*[=!]/g))
      if (facts !== undefined && ![...facts.labels, ...OF_PROMETHEUS].includes(label)) wrong.push(`${name}{${label}}`);
    for (const [, by = ""] of expr.matchAll(/\bby \(([^)]*)\)/g))
      for (const label of by.split(", "))
        if (facts !== undefined && ![...facts.labels, ...OF_PROMETHEUS].includes(label))
          wrong.push(`${name} by ${label}`);
  }
  return wrong;
}

type Dashboard = { panels: readonly { title: string; targets: readonly { expr: string; legendFormat: string }[] }[] };

test("every panel of the dashboard asks for metrics and labels that exist, and every metric is on it", () => {
  const { panels } = JSON.parse(read("grafana-dashboard.json")) as Dashboard;
  const exprs = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  expect(exprs.flatMap(wrongIn)).toEqual([]);
  expect(exprs.length).toBeGreaterThan(panels.length);
  expect(Object.keys(METRICS).filter((name) => !exprs.some((expr) => expr.includes(name)))).toEqual([]);
});

test("every alert asks for metrics and labels that exist, and says what is wrong", () => {
  const { groups } = parse(read("prometheus-rules.yml"));
  const rules: readonly { alert: string; expr: string; annotations: { summary: string } }[] = groups[0].rules;
  expect(rules.flatMap(({ expr }) => wrongIn(expr))).toEqual([]);
  expect(rules.filter(({ alert, annotations }) => !/^Leeway\w+$/.test(alert) || annotations.summary === "")).toEqual(
    [],
  );
});

test("the page about operating explains every alert, and no other", () => {
  const { groups } = parse(read("prometheus-rules.yml"));
  const page = readFileSync(join(root, "docs/operating.md"), "utf8");
  const explained = [...page.matchAll(/^\| `(Leeway\w+)` \|/gm)].map(([, name]) => name);
  expect(explained).toEqual(groups[0].rules.map(({ alert }: { alert: string }) => alert));
});

const ANALYZE = "/usr/bin/systemd-analyze";

test("systemd accepts the unit, with the program at a place that exists on this machine", () => {
  const unit = read("leeway.service");
  expect(unit).toContain("\nExecStart=/usr/bin/leeway up ");
  if (!existsSync(ANALYZE)) return;
  const folder = mkdtempSync(join(tmpdir(), "leeway-unit-"));
  const file = join(folder, "leeway.service");
  writeFileSync(file, unit.replace("/usr/bin/leeway", "/bin/true"));
  const { status, stderr } = spawnSync(ANALYZE, ["verify", "--man=no", file], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  expect([status, stderr.split("\n").filter((line) => line.includes("leeway.service"))]).toEqual([0, []]);
});

/** The instructions of a container file, with continued lines joined. */
function instructions(text: string): readonly (readonly [string, string])[] {
  const lines = text
    .replace(/^#.*\n/gm, "")
    .replace(/\\\n/g, " ")
    .split("\n");
  return lines
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [, name = "", rest = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? ["", line, ""];
      return [name, rest.trim()] as const;
    });
}

const KNOWN = ["ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "EXPOSE", "FROM", "HEALTHCHECK", "RUN", "STOPSIGNAL", "USER"];

test("the container file has only known instructions, runs as its own user, and starts the server by a command that exists", () => {
  const found = instructions(read("Containerfile"));
  expect(found.filter(([name]) => ![...KNOWN, "VOLUME", "WORKDIR"].includes(name))).toEqual([]);
  const of = (wanted: string) => found.filter(([name]) => name === wanted).map(([, rest]) => rest);
  expect([of("USER"), JSON.parse(of("ENTRYPOINT")[0] ?? ""), JSON.parse(of("CMD")[0] ?? "")]).toEqual([
    ["leeway"],
    ["leeway"],
    ["up", "--host", "0.0.0.0", "--port", "4141"],
  ]);
  // Nothing after `USER` may need to be root.
  const places = found.map(([name]) => name);
  expect(places.lastIndexOf("RUN")).toBeLessThan(places.indexOf("USER"));
});
