// Loading a policy: from YAML text and from an object to rules that are checked, tried on their examples and indexed.
// Compared, in the same round, with the bare parser on the same text, which is the minimum. CPU time, five rounds.
// node --expose-gc bench/load.mjs [--json]
import { cpus } from "node:os";
import { parse } from "yaml";
import { makePolicy, toYaml, withoutExamples } from "./load-workload.mjs";

const dist = process.env.LEEWAY_DIST ?? new URL("../dist/", import.meta.url).href;
const load = (path) => import(new URL(path, dist).href);
const { readYaml } = await load("config/parse/yaml.js");
const { parsePolicyText, policyFromObject } = await load("config/policy/policy-text.js");
const { compileWhen } = await load("config/policy/when.js");
const { parsePolicy } = await load("core/policy/parse.js");
const { checkExamples } = await load("core/policy/examples.js");
const { compilePolicy } = await load("core/decide/compile.js");

const SIZES = [10, 100, 1_000, 10_000];
const ROUNDS = 5;
const GOAL_MS = 300;
const GOAL_BYTES = 1024;
const GROUND = { root: "/repo", home: "/home/ana" };
const json = process.argv.includes("--json");

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

function timed(work) {
  globalThis.gc?.();
  const before = process.cpuUsage();
  const value = work();
  const spent = process.cpuUsage(before);
  return { value, ms: (spent.user + spent.system) / 1000 };
}

/**
 * The memory of a loaded policy: rules, examples and indexes. It is loaded once before, so that compiled code and caches
 * exist in both measurements.
 */
function bytesOf(load) {
  load();
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const held = load();
  globalThis.gc?.();
  const bytes = process.memoryUsage().heapUsed - before;
  return held === undefined ? Number.NaN : bytes;
}

function sound(loaded) {
  if (!loaded.ok) throw new Error(`the policy does not load: ${JSON.stringify(loaded.faults[0])}`);
  return loaded;
}

/** The steps of loading after the text was parsed, from the same tree. */
function steps(text) {
  const read = timed(() => sound(readYaml(text, "leeway.yaml")));
  const parsed = timed(() => sound(parsePolicy(read.value.tree, { version: `sha256:${"0".repeat(64)}`, compileWhen })));
  const policy = { ...parsed.value.policy, ...GROUND };
  const examples = timed(() => checkExamples(policy));
  if (examples.value.length > 0) throw new Error(`an example does not hold: ${JSON.stringify(examples.value[0])}`);
  const indexed = timed(() => compilePolicy(policy));
  return { readMs: read.ms, checkMs: parsed.ms, examplesMs: examples.ms, indexMs: indexed.ms };
}

const FORMS = [
  {
    from: "yaml",
    textOf: toYaml,
    bare: (text) => parse(text, { uniqueKeys: false }),
    whole: (_value, text) => compilePolicy(sound(parsePolicyText(text, "leeway.yaml", GROUND)).policy),
  },
  {
    from: "object",
    textOf: (value) => JSON.stringify(value, undefined, 2),
    bare: (text) => JSON.parse(text),
    whole: (value) => compilePolicy(sound(policyFromObject(value, "the policy option", GROUND)).policy),
  },
];

function measure(size, { from, textOf, bare, whole }) {
  const value = makePolicy(size);
  const text = textOf(value);
  const rounds = Array.from({ length: ROUNDS }, () => {
    const bareMs = timed(() => bare(text)).ms;
    const totalMs = timed(() => whole(value, text)).ms;
    return { bareMs, totalMs, ...steps(text) };
  });
  const bytes = bytesOf(() => whole(value, text));
  const plain = withoutExamples(value);
  const plainText = textOf(plain);
  const bytesWithout = bytesOf(() => whole(plain, plainText));
  const of = (key) => median(rounds.map((round) => round[key]));
  const core = rounds.map((round) => round.checkMs + round.examplesMs + round.indexMs);
  const ratios = rounds.map((round) => round.totalMs / round.bareMs);
  return {
    bench: "load",
    from,
    rules: size,
    kilobytes: Math.round(text.length / 1024),
    bareMs: of("bareMs"),
    totalMs: of("totalMs"),
    ratio: median(ratios),
    ratioMin: Math.min(...ratios),
    ratioMax: Math.max(...ratios),
    firstMs: rounds[0].totalMs,
    readMs: of("readMs"),
    checkMs: of("checkMs"),
    examplesMs: of("examplesMs"),
    indexMs: of("indexMs"),
    checkedAndIndexedMs: median(core),
    withoutExamplesMs: median(rounds.map((round) => round.checkMs + round.indexMs)),
    bytesPerRule: bytes / size,
    bytesWithoutExamples: bytesWithout / size,
    rssMb: process.memoryUsage().rss / 1024 / 1024,
  };
}

function print(row) {
  const ms = (value) => value.toFixed(1).padStart(8);
  console.log(
    `${String(row.rules).padStart(6)} rules from ${row.from.padEnd(6)} ${ms(row.totalMs)} ms, bare parser ${ms(row.bareMs)} ms, ratio ${row.ratio.toFixed(2)} ` +
      `[${row.ratioMin.toFixed(2)}..${row.ratioMax.toFixed(2)}]; read ${ms(row.readMs)}, check ${ms(row.checkMs)}, examples ${ms(row.examplesMs)}, index ${ms(row.indexMs)}, ` +
      `checked and indexed ${ms(row.checkedAndIndexedMs)} ms, without examples ${ms(row.withoutExamplesMs)} ms; ` +
      `${row.bytesPerRule.toFixed(0)} B per rule, without examples ${row.bytesWithoutExamples.toFixed(0)} B`,
  );
}

if (!json)
  console.log(
    `load, two examples a rule, ${ROUNDS} rounds, CPU time, Node ${process.version}, ${cpus().length} cores (goal: 10,000 rules checked and indexed in under ${GOAL_MS} ms, under ${GOAL_BYTES} B of heap each)`,
  );
for (const size of SIZES) {
  for (const form of FORMS) {
    const row = measure(size, form);
    if (json)
      console.log(
        JSON.stringify({ ...row, node: process.version, cores: cpus().length, date: new Date().toISOString() }),
      );
    else print(row);
  }
}
