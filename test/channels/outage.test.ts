import { expect, test } from "vitest";
import { channelMaker } from "../../src/channels/index.ts";
import { channelTools } from "../../src/channels/tools.ts";
import { tick } from "../../src/gate/time/tick.ts";
import { sendingBy } from "../../src/serve.ts";
import { office } from "../verbs/kit.ts";
import { webhookReceiver } from "./webhook-receiver.ts";

const [AGENTS, QUESTIONS_EACH, CALLS] = process.env["LEEWAY_PROVE"] === "1" ? [100, 10, 10_000] : [20, 5, 500];
const MINUTE_MS = 60_000;

function policyFor(settings: object): string {
  return JSON.stringify({
    version: 1,
    tools: { publish: { class: "metadata.write" }, save: { class: "metadata.write" } },
    tiers: { publish: "ask", save: "notify" },
    channels: { webhook: settings },
  });
}

test("a channel that is down for an hour blocks no call, loses no question and is not flooded when it is back", async () => {
  const stage = await webhookReceiver();
  const { submit, clock, deps, rows } = await office(policyFor(stage.settings));
  const tools = channelTools(stage.env, { stateFolder: "", write: () => undefined, nowMs: Date.now });
  const maker = channelMaker(tools);
  const sending = sendingBy(maker, { origin: "http://127.0.0.1", url: "http://127.0.0.1" });
  stage.breaks("down");
  const asked: (string | undefined)[] = [];
  for (let agent = 0; agent < AGENTS; agent++) {
    for (let n = 0; n < QUESTIONS_EACH; n++) {
      const receipt = await submit("publish", { n }, { agent: `agent-${agent}` });
      expect(receipt.outcome).toBe("pending");
      asked.push(receipt.approvalId);
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
  stage.breaks(undefined);
  for (let round = 0; round < 60; round++) {
    await tick(deps, sending);
    clock.advance(MINUTE_MS / 2);
  }
  const left = (await rows("notices")).filter(({ channel, state }) => channel === "webhook" && state !== "delivered");
  expect(left).toEqual([]);
  const texts = stage.seen().map(({ text }) => text);
  const isDigest = (text: string) => /questions? waits? for|questions wait|ran under notify/.test(text);
  const digests = texts.filter(isDigest);
  expect(digests.some((text) => text.includes(`${asked.length} questions wait`))).toBe(true);
  expect(texts.length - digests.length).toBeLessThan(asked.length);
  expect(digests.length).toBeLessThan(12);
  await maker.close();
  await stage.close();
}, 120_000);
