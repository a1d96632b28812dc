import { test } from "vitest";
import { writeFileSync } from "node:fs";
import { office } from "./kit.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { standingView } from "../../src/gate/standing.ts";
import { effectOf } from "../../src/gate/judging.ts";
import { submit } from "../../src/gate/submit.ts";
import { digestOf } from "../../src/core/call.ts";
import { systemClock, systemMint } from "../../src/system.ts";
test("x", async () => {
  const inner = memoryStore();
  let stub = false;
  let seen: unknown;
  let change: unknown;
  const store = { ...inner,
    read: (async (q: never) => { if (!stub) return inner.read(q); return seen; }) as typeof inner.read,
    commit: async (c: never) => { if (!stub) return inner.commit(c); change = c; return { ok: true as const, firstIndex: 1 }; } };
  const o = await office(undefined, { store, clock: systemClock, mint: systemMint() });
  await o.submit("lookup", { id: 1 });
  await o.submit("lookup", { id: 2 });
  seen = await inner.read({ ask: "submission", workspace: "default", callKey: "none", agent: "coder", digest: "sha256:none", counters: [], nowMs: Date.now() });
  stub = true;
  const calls = Array.from({ length: 20000 }, (_, n) => o.call("lookup", { id: n, query: "select something", page: 3 }));
  let out = "";
  const inForce = await o.deps.standing.known();
  for (let round = 0; round < 3; round++) {
    let t = process.hrtime.bigint();
    for (const call of calls) await submit(o.deps, call);
    out += `submit ${Number(process.hrtime.bigint() - t) / calls.length / 1000} us\n`;
    t = process.hrtime.bigint();
    for (const call of calls) effectOf(o.deps, call, inForce);
    out += `effect ${Number(process.hrtime.bigint() - t) / calls.length / 1000} us\n`;
    t = process.hrtime.bigint();
    for (const call of calls) digestOf(call);
    out += `digest ${Number(process.hrtime.bigint() - t) / calls.length / 1000} us\n`;
    t = process.hrtime.bigint();
    for (const call of calls) o.deps.sealer.seal("{\"id\":1,\"query\":\"select something\",\"page\":3}", "sha256:x");
    out += `seal ${Number(process.hrtime.bigint() - t) / calls.length / 1000} us\n`;
  }
  out += JSON.stringify(change).length;
  writeFileSync("/tmp/out.txt", out);
});
