import { expect, test } from "vitest";
import type { ChannelKind } from "../../src/core/channel.ts";
import { type FaultyLine, faultyLine, type LineFault } from "./faulty-line.ts";
import { type FeishuStage, feishuStage } from "./feishu-stage.ts";
import { mailStage } from "./mail-stage.ts";
import { type SlackService, slackService } from "./slack-service.ts";
import { approve, type Playing, playing, type Stage } from "./suite.ts";
import { webhookReceiver } from "./webhook-receiver.ts";

// Whatever goes wrong with a channel, everything that waits is delivered within a minute after it is right again.

const WITHIN_MS = 60_000;

type Fault<S> = {
  is: string;
  begin(stage: S): void;
  end(stage: S): void;
  /** Requests hang for a while in truth, so the minute is a true one. */
  hangs?: boolean;
};
type Recovering<S extends Stage> = {
  kind: ChannelKind;
  updates: boolean;
  start(): Promise<S>;
  faults: readonly Fault<S>[];
};

const COMMON: readonly Fault<Stage>[] = [
  { is: "the service is down (503)", begin: ({ breaks }) => breaks("down"), end: ({ breaks }) => breaks(undefined) },
  { is: "the service asks to wait", begin: ({ breaks }) => breaks("busy"), end: ({ breaks }) => breaks(undefined) },
];

const slackError = (error: string): Fault<SlackService> => ({
  is: `Slack answers ${error}`,
  begin: ({ fails }) => fails({ error }),
  end: ({ fails }) => fails(undefined),
});

const feishuCode = (code: number, is: string): Fault<FeishuStage> => ({
  is,
  begin: ({ feishu }) => {
    feishu.state.broken = { code };
  },
  end: ({ feishu }) => {
    feishu.state.broken = undefined;
  },
});

const SLACK: Recovering<SlackService> = {
  kind: "slack",
  updates: true,
  start: () => slackService(),
  faults: [...COMMON, slackError("token_expired"), slackError("ratelimited"), slackError("internal_error")],
};

const FEISHU: Recovering<FeishuStage> = {
  kind: "feishu",
  updates: true,
  start: () => feishuStage(),
  faults: [
    ...COMMON,
    feishuCode(99991663, "Feishu accepts no token"),
    feishuCode(99991400, "Feishu limits the app"),
    feishuCode(2200, "Feishu has an error inside"),
    {
      is: "all tokens have expired",
      begin: ({ feishu }) => feishu.state.tokens.clear(),
      end: ({ feishu }) => feishu.state.tokens.clear(),
    },
  ],
};

const MAIL: Recovering<Stage> = { kind: "email", updates: false, start: mailStage, faults: COMMON };

const WEBHOOK: Recovering<Stage & { trusts(own: boolean): void }> = {
  kind: "webhook",
  updates: false,
  start: webhookReceiver,
  faults: [
    ...COMMON,
    {
      is: "the receiver knows another secret",
      begin: ({ trusts }) => trusts(false),
      end: ({ trusts }) => trusts(true),
    },
  ],
};

const LINE_FAULTS: readonly LineFault[] = ["refused", "silent", "slow", "answer lost"];

/** The same stage, reached over a line that can break. */
async function overLine<S extends Stage>(start: () => Promise<S>): Promise<{ stage: S; line: FaultyLine }> {
  const stage = await start();
  const text = JSON.stringify(stage.settings);
  const port = /127\.0\.0\.1:(\d+)/.exec(text)?.[1] ?? "";
  const line = await faultyLine(Number(port));
  stage.settings = JSON.parse(text.replace(`127.0.0.1:${port}`, `127.0.0.1:${line.port}`)) as object;
  const { close } = stage;
  stage.close = async () => {
    await line.close();
    await close();
  };
  return { stage, line };
}

const told = (stage: Stage, id: string) => stage.seen().filter(({ text }) => text.includes(`/approvals/${id}`));

/** How long a step takes in truth. */
const STEP_S = 0.4;

async function seconds(clock: Playing["clock"], count: number): Promise<void> {
  clock.advance((count - STEP_S) * 1000);
  await new Promise((resolve) => setTimeout(resolve, STEP_S * 1000));
}

/** Gate seconds until it holds; each step takes part of a second in truth, so that whatever is due is done. */
async function secondsUntil(clock: Playing["clock"], holds: () => boolean, { step = 2 } = {}): Promise<number> {
  const startMs = clock.nowMs();
  while (!holds() && clock.nowMs() - startMs <= 2 * WITHIN_MS) await seconds(clock, step);
  return (clock.nowMs() - startMs) / 1000;
}

async function recovers<S extends Stage>(
  of: Recovering<S>,
  fault: Fault<{ stage: S; line: FaultyLine }>,
): Promise<void> {
  let line: FaultyLine | undefined;
  let own: S | undefined;
  const { on, clock, ask } = await playing(of.kind, async () => {
    const over = await overLine(of.start);
    line = over.line;
    own = over.stage;
    return over.stage;
  });
  if (line === undefined || own === undefined) throw new Error("no stage");
  const [stage, at] = [own, { stage: own, line }];
  const before = await ask(1);
  await secondsUntil(clock, () => told(stage, before).length > 0);
  fault.begin(at);
  const ids = [await ask(2), await ask(3), await ask(4)];
  await approve(on, before);
  for (let step = 0; step < 6; step++) await seconds(clock, 20);
  fault.end(at);
  const isUpdated = () => !of.updates || told(stage, before).every(({ buttons }) => buttons.length === 0);
  const isTold = () => ids.every((id) => told(stage, id).length > 0) && isUpdated();
  const took = await secondsUntil(clock, isTold, fault.hangs === true ? { step: STEP_S } : {});
  expect(took).toBeLessThanOrEqual(WITHIN_MS / 1000);
}

function recoverySuite<S extends Stage>(of: Recovering<S>): void {
  const atService = of.faults.map(({ is, begin, end }) => ({
    is,
    begin: ({ stage }: { stage: S }) => begin(stage),
    end: ({ stage }: { stage: S }) => end(stage),
  }));
  const atLine = LINE_FAULTS.map((how) => ({
    is: `the line is ${how}`,
    begin: ({ line }: { line: FaultyLine }) => line.breaks(how),
    end: ({ line }: { line: FaultyLine }) => line.breaks(undefined),
    hangs: how === "silent" || how === "slow",
  }));
  const isLong = process.env["LEEWAY_PROVE"] === "1";
  // The short run has one fault; the proofs have all.
  const faults = isLong ? [...atService, ...atLine] : atLine.slice(-1);
  for (const fault of faults)
    test(
      `${of.kind}: everything is delivered within a minute after this is over: ${fault.is}`,
      () => recovers(of, fault),
      180_000,
    );
}

recoverySuite(SLACK);
recoverySuite(FEISHU);
recoverySuite(MAIL);
recoverySuite(WEBHOOK);
