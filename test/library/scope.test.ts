import { setImmediate, setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { LeewayRefusal } from "../../src/index.ts";
import { type ProgramScope, within } from "../../src/service/scope.ts";
import { createTestGate, opened, refusalFrom } from "./gates.ts";

test("without an identity, calls are made in the name of the default agent", () => {
  expect(createTestGate().gate.current()).toEqual({ agent: "runtime", chain: [] });
  expect(createTestGate({}, { agent: "coder" }).gate.current()).toEqual({ agent: "coder", chain: [] });
});

test("identities can be nested, survive await, and end with their function", async () => {
  const { gate } = createTestGate();
  await gate.as({ agent: "coder", session: "s1", traceId: "t1" }, async () => {
    await setImmediate();
    expect(gate.current()).toEqual({ agent: "coder", session: "s1", traceId: "t1", chain: [] });
    await gate.as({ agent: "tester", run: "r1" }, async () => {
      await setTimeout(1);
      expect(gate.current()).toEqual({ agent: "tester", session: "s1", traceId: "t1", run: "r1", chain: ["coder"] });
    });
    expect(gate.current().agent).toBe("coder");
  });
  expect(gate.current()).toEqual({ agent: "runtime", chain: [] });
});

test("a call inside a scope has its identity and the whole chain of agents above it", async () => {
  const { gate, deps } = createTestGate();
  const receipt = await gate.as({ agent: "root", session: "s1" }, () =>
    gate.as({ agent: "parent" }, () => gate.submit({ agent: "child", tool: "look", args: {} })),
  );
  const row = await deps.store.read({ ask: "row", workspace: "default", table: "calls", id: receipt.id });
  expect([row?.row.agent, row?.row.chain, row?.row.session]).toEqual(["child", ["root", "parent"], "s1"]);
});

test("what an agent may not do, its sub-agents may not do either", async () => {
  const { gate } = createTestGate({ agents: { intern: { tier: "deny" } } });
  const outcomeAs = async (...agents: readonly string[]): Promise<string> => {
    const [agent, ...below] = agents;
    if (agent === undefined) return (await gate.submit({ tool: "look" })).outcome;
    return gate.as({ agent }, () => outcomeAs(...below));
  };
  expect(await Promise.all([outcomeAs("coder"), outcomeAs("intern"), outcomeAs("intern", "coder", "tester")])).toEqual([
    "run",
    "denied",
    "denied",
  ]);
});

test("an inner scope cannot change who asked for the work, and undefined values keep the outer identity", () => {
  const { gate } = createTestGate();
  gate.as({ agent: "coder", requestedBy: "ana" }, () => {
    expect(() => gate.as({ requestedBy: "ben" }, () => "never")).toThrow(LeewayRefusal);
    gate.as({ agent: undefined, requestedBy: undefined } as never, () => {
      expect(gate.current()).toEqual({ agent: "coder", requestedBy: "ana", chain: [] });
    });
  });
});

test("two gates in one program have separate scopes", () => {
  const [one, two] = [createTestGate().gate, createTestGate().gate];
  one.as({ agent: "coder" }, () => expect(two.current().agent).toBe("runtime"));
});

type Tree = { agent: string; tier: string; pause: number; inner: readonly Tree[] };

const trees = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.record({
    agent: fc.constantFrom("a", "b", "c"),
    tier: fc.constantFrom("deny", "shadow", "suggest", "ask", "auto"),
    pause: fc.nat(3),
    inner: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie("tree"), { maxLength: 3 })),
  }),
})).tree;

test("however tasks interleave, each sees only its own identity and layers", async () => {
  const { gate } = createTestGate();
  await fc.assert(
    fc.asyncProperty(fc.array(trees, { minLength: 1, maxLength: 5 }), async (tasks) => {
      const walk = (tree: Tree, above: readonly string[], tiers: readonly string[]): Promise<void> =>
        gate.as({ agent: tree.agent, session: tree.tier }, () =>
          gate.withPolicy({ tiers: { "fs.write": tree.tier as never } }, async () => {
            const path = [...above, tree.agent];
            const layers = [...tiers, tree.tier];
            await breathe(tree.pause);
            expect(seen(gate.current())).toEqual(expected(path, tree.tier));
            await Promise.all(tree.inner.map((child) => walk(child, path, layers)));
            expect(seen(gate.current())).toEqual(expected(path, tree.tier));
            expect((await gate.check({ tool: "write_file", args: { path: "a" } })).decision.tier).toBe(
              strictest(layers),
            );
          }),
        );
      await Promise.all(tasks.map((tree) => walk(tree, [], ["auto"])));
      expect(gate.current()).toEqual({ agent: "runtime", chain: [] });
    }),
    { numRuns: process.env["LEEWAY_PROVE"] ? 1000 : 40 },
  );
});

function seen({ agent, chain, session }: { agent: string; chain: readonly string[]; session?: string }) {
  return { agent, chain, session };
}

/** The same agent inside itself is not a delegation. */
function expected(path: readonly string[], session: string) {
  const turns = path.filter((agent, at) => agent !== path[at + 1]);
  return { agent: path.at(-1), chain: turns.slice(0, -1), session };
}

function strictest(tiers: readonly string[]): string | undefined {
  return ["deny", "shadow", "suggest", "ask", "notify", "auto"].find((tier) => tiers.includes(tier));
}

async function breathe(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await (turn % 2 === 0 ? setImmediate() : Promise.resolve());
}

test("an inner scope is never looser than the scope around it", () => {
  const identities = fc.record(
    { agent: fc.constantFrom("a", "b"), session: fc.constantFrom("s", "t"), requestedBy: fc.constant("ana") },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(identities, { maxLength: 8 }), (nested) => {
      let scope: ProgramScope = { chain: [], layers: [] };
      for (const identity of nested) {
        const inner = within(scope, identity);
        expect(inner.chain.slice(0, scope.chain.length)).toEqual(scope.chain);
        expect(inner.layers).toBe(scope.layers);
        if (scope.requestedBy !== undefined) expect(inner.requestedBy).toBe(scope.requestedBy);
        if (scope.agent !== undefined) expect([...inner.chain, inner.agent]).toContain(scope.agent);
        scope = inner;
      }
    }),
  );
});

test("inside the scope of one agent, calls of another cannot be claimed, renewed or settled", async () => {
  const { gate } = await opened();
  const { approvalId = "", digest } = await gate.submit({ agent: "coder", tool: "pay" });
  await gate.review(approvalId, { by: "ana", verdict: "approve", digest });
  const { executionId = "" } = await gate.wait(approvalId);
  const asOther = <T>(fn: () => T): T => gate.as({ agent: "other" }, fn);
  expect((await asOther(() => refusalFrom(gate.claim(executionId)))).code).toBe("LEEWAY_FORBIDDEN");
  const { attempt } = await gate.as({ agent: "coder" }, () => gate.claim(executionId));
  const refusals = await asOther(() =>
    Promise.all([
      refusalFrom(gate.renew(executionId, { attempt })),
      refusalFrom(gate.settle(executionId, { attempt, ok: true })),
    ]),
  );
  expect(refusals.map(({ code }) => code)).toEqual(["LEEWAY_FORBIDDEN", "LEEWAY_FORBIDDEN"]);
  const settled = await gate.as({ agent: "coder" }, () => gate.settle(executionId, { attempt, ok: true }));
  expect(settled.state).toBe("succeeded");
});
