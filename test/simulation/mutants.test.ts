import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { root } from "../tidy/sources.ts";
import { loadProduct } from "./product.ts";
import { tell } from "./story.ts";

// The simulator is only worth what it would catch. Each of these is one plausible mistake, made in a copy of the
// sources; the stories must tell of it.

type Mutant = { mistake: string; file: string; replace: string; by: string; told: RegExp };

const MUTANTS: readonly Mutant[] = [
  {
    mistake: "the digest of an answer is not checked",
    told: /valid answers/,
    file: "core/steps/reviewing.ts",
    replace: "given.digest !== approval.digest",
    by: "false",
  },
  {
    mistake: "an answer after the deadline counts",
    told: /valid answers/,
    file: "core/approval.ts",
    // Both readings of the clock: one alone would only contradict the other.
    replace: "approval.answerByMs",
    by: "Number.MAX_SAFE_INTEGER",
  },
  {
    mistake: "a right is not used up by claiming it",
    told: /times/,
    file: "core/steps/running.ts",
    replace: 'needs: [unchanged("executions", row.id, held.version)],\n      writes',
    by: "needs: [],\n      writes",
  },
  {
    mistake: "one answer is enough whatever the quorum",
    told: /valid answers/,
    file: "core/steps/quorum.ts",
    replace: "Math.min(people.length, hands.size) >= quorum",
    by: "people.length >= 1",
  },
  {
    mistake: "a pause of everything is overlooked",
    told: /paused/,
    file: "core/decide/closed.ts",
    replace: 'case "everything":\n      return true;',
    by: 'case "everything":\n      return false;',
  },
  {
    mistake: "the effect comes before the claim is committed",
    told: /while its right was ready/,
    file: "gate/execute.ts",
    replace: '  const claimed = await claim(deps, id, "leeway");',
    by: [
      '  const asked = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "calls", id: held.row.call });',
      '  if (asked === undefined) return "elsewhere";',
      "  const early = { call: asked.row, args: JSON.parse(deps.sealer.open(asked.row.args, asked.row.digest)) };",
      "  await runOnce(runner, { ...early, idempotencyKey: id, attempt: 1, signal: new AbortController().signal });",
      '  const claimed = await claim(deps, id, "leeway");',
    ].join("\n"),
  },
];

const SEEDS_MAX = 600;
const folder = join(root, "artefacts", "mutants");

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(MUTANTS)(
  "the stories catch it when $mistake",
  async (mutant) => {
    const copy = join(folder, `${MUTANTS.indexOf(mutant)}`);
    cpSync(join(root, "src"), copy, { recursive: true });
    const file = join(copy, mutant.file);
    const text = readFileSync(file, "utf8");
    expect(text.split(mutant.replace).length, `${mutant.file} should hold the line to break`).toBeGreaterThan(1);
    writeFileSync(file, text.replaceAll(mutant.replace, mutant.by));
    const product = await loadProduct(copy);
    const caught = [];
    for (let seed = 1; seed <= SEEDS_MAX && caught.length === 0; seed++) {
      const { violations } = await tell(product, seed);
      caught.push(...violations.filter((sentence) => mutant.told.test(sentence)));
    }
    expect(caught).not.toEqual([]);
  },
  300_000,
);

test("an unbroken copy tells nothing of the kind", async () => {
  const copy = join(folder, "unbroken");
  cpSync(join(root, "src"), copy, { recursive: true });
  const product = await loadProduct(copy);
  for (let seed = 1; seed <= 100; seed++) expect((await tell(product, seed)).violations).toEqual([]);
}, 300_000);
