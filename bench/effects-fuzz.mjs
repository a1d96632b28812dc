// The random and the hostile texts of test/shell, and the CPU time of each from its arguments to the decision.
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript-api";
import { callOf, knowing, runsUnasked } from "./effects-cases.mjs";
import { largeCalls } from "./effects-large.mjs";

const INPUTS = 100_000;
const SEED = 20_261_117;
const GOAL_MS = 50;
/** A text that took longer than half the goal is measured again, and the minimum counts, because the machine may have paused. */
const AGAIN = 5;
const root = fileURLToPath(new URL("../", import.meta.url));
const SOURCES = [
  "test/shell/inputs",
  "test/shell/hostile",
  "test/shell/mutate",
  "test/shell/scripts",
  "test/model/random",
  "src/core/shell/script",
];

/** The generators are TypeScript, which not every version of Node can load. */
async function generators() {
  const folder = mkdtempSync(join(tmpdir(), "leeway-bench-"));
  try {
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    for (const name of SOURCES) {
      const { outputText } = ts.transpileModule(readFileSync(join(root, `${name}.ts`), "utf8"), {
        compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
      });
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, `${name}.js`), outputText.replaceAll(/(from ".*)\.ts"/g, '$1.js"'));
    }
    copyFileSync(join(root, "test/shell/pieces.json"), join(folder, "test/shell/pieces.json"));
    const load = (name) => import(pathToFileURL(join(folder, `${name}.js`)).href);
    const [{ inputsFrom, LARGE }, { hostileTexts }, { random }] = await Promise.all(
      ["test/shell/inputs", "test/shell/hostile", "test/model/random"].map(load),
    );
    return { inputs: inputsFrom(random(SEED), INPUTS), hostile: [...Object.entries(LARGE), ...hostileTexts()] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

function msOf(call, knowledge) {
  const before = cpuMs();
  runsUnasked(call, knowledge);
  return cpuMs() - before;
}

function timed(one) {
  const call = callOf(one);
  const knowledge = knowing(call);
  // The parser caches the last command.
  const fresh = () => {
    knowing(callOf({ command: "true" }));
    return msOf(call, knowledge);
  };
  let ms = fresh();
  for (let i = 0; i < AGAIN && ms > GOAL_MS / 2; i++) ms = Math.min(ms, fresh());
  return ms;
}

function row(group, named) {
  let slowest = { ms: 0, name: "" };
  let over = 0;
  let inputs = 0;
  for (const [name, one] of named) {
    inputs++;
    const ms = timed(one);
    if (ms > GOAL_MS) over++;
    if (ms > slowest.ms) slowest = { ms, name };
  }
  return {
    group,
    inputs,
    over50Ms: over,
    slowestMs: slowest.ms,
    slowest: JSON.stringify(slowest.name.slice(0, 60)).replaceAll("|", "\\|"),
  };
}

/** Rows for random texts, for hostile texts and for arguments of other tools: how many took more than 50 ms, and the slowest one. */
export async function fuzzRows() {
  const { inputs, hostile } = await generators();
  return [
    row(
      "fuzz inputs",
      inputs.map((text) => [text, { command: text }]),
    ),
    row(
      "hostile inputs",
      hostile.map(([name, text]) => [name, { command: text }]),
    ),
    row("large arguments of other tools", largeCalls()),
  ];
}
