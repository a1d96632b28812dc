import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript-api";
import { afterAll, expect, test } from "vitest";
import { compiled } from "../cli/program.ts";
import { root } from "../tidy/sources.ts";
import { loadProduct } from "./product.ts";
import { tell } from "./story.ts";

// Tests the simulation itself. Each mutant is one plausible mistake, made in a copy of the compiled sources, and the
// simulation must report it.

/**
 * `story`: the first one that shows the mistake when all are told from the first. Everyday runs begin there, which saves a
 * minute; the long proofs begin with the first.
 */
type Mutant = { mistake: string; file: string; replace: string; by: string; told: RegExp; story: number };

const MUTANTS: readonly Mutant[] = [
  {
    mistake: "the digest of an answer is not checked",
    story: 279,
    told: /valid answers/,
    file: "core/steps/reviewing.ts",
    replace: "given.digest !== approval.digest",
    by: "false",
  },
  {
    mistake: "an answer after the deadline counts",
    story: 1,
    told: /valid answers/,
    file: "core/approval.ts",
    // Both reads of the clock: changing only one would contradict the other.
    replace: "approval.answerByMs",
    by: "Number.MAX_SAFE_INTEGER",
  },
  {
    mistake: "an execution can be claimed twice",
    story: 716,
    told: /happened (2 times|and is void)/,
    file: "core/change.ts",
    replace: 'if (write.do === "step") return unchanged("executions", write.right.id, write.from);',
    by: 'if (write.do === "step") return { is: "room", counters: [], add: 0, max: 0 };',
  },
  {
    mistake: "one answer is enough whatever the quorum",
    story: 66,
    told: /valid answers/,
    file: "core/steps/quorum.ts",
    replace: "yesesOf(question, reviews, circle) >= quorum",
    by: "yesesOf(question, reviews, circle) >= 1",
  },
  {
    mistake: "a pause of everything is ignored",
    story: 9,
    told: /paused/,
    file: "core/decide/decide.ts",
    replace: 'case "everything":\n      return true;',
    by: 'case "everything":\n      return false;',
  },
  {
    mistake: "an approval still counts after its reviewer was removed",
    story: 403,
    told: /approvals of existing people/,
    file: "core/steps/reopening.ts",
    replace: "if (isMet(question, question.reviews, circle)) return undefined;",
    by: "if (question.id !== undefined) return undefined;",
  },
  {
    mistake: "the effect happens before the claim is committed",
    story: 2,
    told: /while its execution was ready/,
    file: "gate/calls/execute.ts",
    replace: '  const claimed = await claim(deps, id, "leeway", { handed: false, boxed: runner.boxes === true });',
    by: [
      '  const asked = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "calls", id: held.row.call });',
      '  if (asked === undefined) return "elsewhere";',
      "  const early = { call: asked.row, args: JSON.parse(asked.row.args.open()) };",
      "  await runOnce(runner, { ...early, idempotencyKey: id, attempt: 1, signal: new AbortController().signal });",
      '  const claimed = await claim(deps, id, "leeway", { handed: false, boxed: runner.boxes === true });',
    ].join("\n"),
  },
];

const SEEDS_MAX = 6_000;
// Inside node_modules, from where packages are found.
const cache = join(root, "node_modules", ".cache");
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, "leeway-mutants-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A new copy each time, because a module is loaded once. */
function copied(name: string): string {
  const copy = join(folder, name);
  for (const part of ["core", "gate", "store", "ports.js"]) {
    cpSync(join(compiled(), part), join(copy, part), { recursive: true });
  }
  return copy;
}

function compile(text: string): string {
  const { ESNext } = ts.ModuleKind;
  const target = ts.ScriptTarget.ES2023;
  const options = { module: ESNext, target, verbatimModuleSyntax: true, rewriteRelativeImportExtensions: true };
  return ts.transpileModule(text, { compilerOptions: options }).outputText;
}

test.each(MUTANTS)(
  "the simulation finds the mistake if $mistake",
  async (mutant) => {
    const text = readFileSync(join(root, "src", mutant.file), "utf8");
    expect(text.split(mutant.replace).length, `${mutant.file} should hold the line to break`).toBeGreaterThan(1);
    const copy = copied(`${MUTANTS.indexOf(mutant)}`);
    const broken = compile(text.replaceAll(mutant.replace, mutant.by));
    writeFileSync(join(copy, mutant.file.replace(/ts$/, "js")), broken);
    const product = await loadProduct(copy);
    const caught = [];
    const first = process.env["LEEWAY_PROVE"] === undefined ? mutant.story : 1;
    for (let seed = first; seed < first + SEEDS_MAX && caught.length === 0; seed++) {
      const { violations } = await tell(product, seed);
      caught.push(...violations.filter((sentence) => mutant.told.test(sentence)));
    }
    expect(caught).not.toEqual([]);
  },
  300_000,
);

const STORIES = process.env["LEEWAY_PROVE"] === undefined ? 40 : 100;

test("the simulation finds no mistake in an unchanged copy", async () => {
  const product = await loadProduct(copied("unbroken"));
  for (let seed = 1; seed <= STORIES; seed++) expect((await tell(product, seed)).violations).toEqual([]);
}, 300_000);
