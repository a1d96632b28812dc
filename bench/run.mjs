// `npm run bench [-- NAME…] [--json]`: runs every benchmark, or the named ones, one after the other; use a quiet machine.
// Each is a separate program that measures Leeway and its limit in turns and prints JSON lines; this program collects them.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const BENCHMARKS = [
  "start",
  "decide",
  "load",
  "peers",
  "submit",
  "path",
  "http",
  "inbox",
  "growth",
  "standing",
  "postgres",
  "scale",
  "verify",
  "mcp",
  "box",
  "effects",
];
const asked = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const json = process.argv.includes("--json");
const unknown = asked.filter((name) => !BENCHMARKS.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`bench: there is no ${unknown.join(", ")}\n  hint: one of ${BENCHMARKS.join(", ")}\n`);
  process.exit(2);
}

function runOne(name) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["--expose-gc", join(here, `${name}.mjs`), "--json"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    child.on("close", (code) => {
      const rows = text
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line));
      resolve({ name, code, rows });
    });
  });
}

/** Fields that are the same in every row; they are printed once, above the tables. */
const IN_HEAD = ["bench", "node", "cores", "date"];

const cell = (value) =>
  typeof value === "number"
    ? Math.abs(value) >= 100
      ? Math.round(value).toLocaleString("en")
      : value.toPrecision(3)
    : String(value);

function table(rows) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((key) => !IN_HEAD.includes(key));
  const lines = rows.map((row) => `| ${columns.map((key) => (key in row ? cell(row[key]) : "")).join(" | ")} |`);
  return [`| ${columns.join(" | ")} |`, `| ${columns.map(() => "---").join(" | ")} |`, ...lines].join("\n");
}

const names = asked.length > 0 ? asked : BENCHMARKS;
const parts = [];
let failed = 0;
for (const name of names) {
  process.stderr.write(`${name}…\n`);
  const { code, rows } = await runOne(name);
  if (code !== 0) failed++;
  if (json) for (const row of rows) process.stdout.write(`${JSON.stringify({ bench: name, ...row })}\n`);
  else process.stdout.write(`\n## ${name}\n\n${table(rows)}\n`);
  parts.push(`## ${name}\n\n${table(rows)}\n`);
}
// Only a complete run replaces the published figures, because ratios of different runs must not be in one table.
if (asked.length === 0 && failed === 0) {
  const head = `# Results\n\nNode ${process.versions.node}, ${availableParallelism()} cores, ${new Date().toISOString().slice(0, 10)}. Ratios are taken inside one run, against what was measured just before; absolute figures are of this machine only.\n\n`;
  writeFileSync(join(here, "RESULTS.md"), head + parts.join("\n"));
}
process.exitCode = failed === 0 ? 0 : 1;
