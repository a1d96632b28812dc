import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test } from "vitest";
import { channelMaker } from "../../src/channels/index.ts";
import { channelTools } from "../../src/channels/tools.ts";
import type { ChannelKind } from "../../src/core/channel.ts";
import { tick } from "../../src/gate/time/tick.ts";
import { sendingBy } from "../../src/serve.ts";
import { sqliteStore } from "../../src/store/sqlite/index.ts";
import { sealer } from "../fixtures/rows.ts";
import { office } from "../verbs/kit.ts";
import { feishuStage } from "./feishu-stage.ts";
import { CHAT, slackService } from "./slack-service.ts";
import type { Stage } from "./suite.ts";
import { webhookReceiver } from "./webhook-receiver.ts";

const [AGENTS, QUESTIONS_EACH, CALLS] = process.env["LEEWAY_PROVE"] === "1" ? [100, 10, 10_000] : [20, 5, 500];
const MINUTE_MS = 60_000;
/** Much less than the questions and calls together are: they must be on the disk, and not in memory. */
const GROWTH_BYTES_MAX = 12 * 1024 * 1024;

function policyFor(kind: ChannelKind, settings: object): string {
  return JSON.stringify({
    version: 1,
    tools: { publish: { class: "metadata.write" }, save: { class: "metadata.write" } },
    tiers: { publish: "ask", save: "notify" },
    channels: { [kind]: settings },
  });
}

/** What is still in use after everything else was thrown away. */
function bytesInUse(): number {
  setFlagsFromString("--expose_gc");
  const collect: () => void = runInNewContext("gc");
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

const CHANNELS: readonly (readonly [ChannelKind, () => Promise<Stage>])[] = [
  ["webhook", webhookReceiver],
  ["slack", () => slackService({ chat: CHAT })],
  ["feishu", () => feishuStage({ chat: "oc_team" })],
];

for (const [kind, start] of CHANNELS)
  test(`${kind}: down for an hour, it blocks no call, loses no question, takes no memory and is not flooded when it is back`, async () => {
    const stage = await start();
    const folder = mkdtempSync(join(tmpdir(), "leeway-outage-"));
    const store = sqliteStore(join(folder, "leeway.db"), { sealer });
    const { submit, clock, deps, rows } = await office(policyFor(kind, stage.settings), { store });
    const tools = channelTools(stage.env, { stateFolder: "", write: () => undefined, nowMs: Date.now });
    const maker = channelMaker(tools);
    onTestFinished(async () => {
      await maker.close();
      await stage.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const sending = sendingBy(maker, { origin: "http://127.0.0.1", url: "http://127.0.0.1" });
    stage.breaks("down");
    expect((await submit("save", { n: "first" }, { agent: "agent-0" })).outcome).toBe("run");
    await tick(deps, sending);
    const startBytes = bytesInUse();
    let asked = 0;
    for (let agent = 0; agent < AGENTS; agent++) {
      for (let n = 0; n < QUESTIONS_EACH; n++) {
        const receipt = await submit("publish", { n }, { agent: `agent-${agent}` });
        expect(receipt.outcome).toBe("pending");
        asked += 1;
      }
    }
    for (let n = 0; n < CALLS; n++) {
      expect((await submit("save", { n }, { agent: `agent-${n % AGENTS}` })).outcome).toBe("run");
    }
    for (let minute = 0; minute < 60; minute++) {
      await tick(deps, sending);
      clock.advance(MINUTE_MS);
    }
    expect(stage.seen()).toEqual([]);
    expect(bytesInUse() - startBytes).toBeLessThan(GROWTH_BYTES_MAX);
    stage.breaks(undefined);
    for (let round = 0; round < 60; round++) {
      await tick(deps, sending);
      clock.advance(MINUTE_MS / 2);
    }
    const left = (await rows("notices")).filter(({ channel, state }) => channel === kind && state !== "delivered");
    expect(left).toEqual([]);
    const texts = stage.seen().map(({ text }) => text);
    const isDigest = (text: string) => /questions? waits? for|questions wait|ran under notify/.test(text);
    const digests = texts.filter(isDigest);
    expect(digests.some((text) => text.includes(`${asked} questions wait`))).toBe(true);
    expect(texts.length - digests.length).toBeLessThan(asked);
    expect(digests.length).toBeLessThan(12);
  }, 300_000);
