import type { ToolCall } from "../../core/call.ts";
import { textOf } from "../../core/messages/text.ts";
import type { Receipt } from "../../core/receipt.ts";
import { approvalAt } from "../../gate/approvals/approval-at.ts";
import { review } from "../../gate/approvals/review.ts";
import { DEFAULT_CALLER } from "../../gate/calls/judging.ts";
import { submit } from "../../gate/calls/submit.ts";
import { verifyLedger } from "../../gate/record/ledger.ts";
import { holdingOf } from "../../library/create-gate.ts";
import { carryOut } from "../../library/guard.ts";
import { cardOf } from "../../service/views/cards.ts";
import { callOf } from "../calls.ts";
import { closing, opening, type Played, questionText, sceneText, verdictText, whatNext } from "../demo/programme.ts";
import { type DemoReviewer, Left, personAtKeyboard, scriptedReviewer } from "../demo/reviewer.ts";
import { REVIEWER, type Stage, setStage } from "../demo/stage.ts";
import { type Scene, STORY } from "../demo/story.ts";
import { useTool } from "../demo/tools.ts";
import { Failure, failureOf } from "../failure.ts";
import type { CommandInput, CommandSpec } from "../spec.ts";
import { hasPerson } from "../terminal/io.ts";

/** The pause between two lines: at a terminal there is time to read them. */
const PACE_MS = { person: 350, script: 40 };

export const demo: CommandSpec = {
  name: "demo",
  summary: "watch a demo agent make a dozen calls and answer them yourself; none of your files are touched",
  examples: ["leeway demo"],
  exits: [0, 1, 2],
  act: async (given) => {
    const person = hasPerson(given.io) && given.io.stdout.isTTY === true && !given.out.json;
    const stage = await setStage(given.io);
    try {
      return await play(given, stage, person ? personAtKeyboard(given.io) : scriptedReviewer());
    } catch (error) {
      if (!(error instanceof Left)) throw error;
      given.out.say(`\nYou left early; nothing was kept.\n\n${whatNext(given.out)}`);
      return 0;
    } finally {
      await stage.strike();
    }
  },
};

async function play(given: CommandInput, stage: Stage, reviewer: DemoReviewer): Promise<number> {
  const { out, io } = given;
  out.say(opening(out, { isPerson: reviewer.isPerson }));
  for (const [at, scene] of STORY.entries()) {
    const played = await playScene(given, stage, reviewer, { scene, at: at + 1 });
    if (out.json) out.line(played, () => "");
    await io.clock.sleep(reviewer.isPerson ? PACE_MS.person : PACE_MS.script);
  }
  const verified = await verifyLedger(stage.deps);
  if (!verified.ok)
    throw new Failure(
      1,
      `the demo's record is broken at ${verified.fault.index}: ${textOf(verified.fault.why, "en")}`,
      "please report this",
    );
  out.answer(verified, () => closing(out, verified));
  return 0;
}

async function playScene(
  given: CommandInput,
  stage: Stage,
  reviewer: DemoReviewer,
  now: { scene: Scene; at: number },
): Promise<Played> {
  const { out } = given;
  const { deps } = stage;
  const { scene } = now;
  const call: ToolCall = {
    ...callOf(deps, { agent: "coder", tool: scene.tool, args: scene.args, cwd: stage.project }),
    ...(scene.says === undefined ? {} : { says: scene.says }),
  };
  const receipt = await submit(deps, call, DEFAULT_CALLER);
  const played: Played = {
    at: now.at,
    tool: scene.tool,
    args: scene.args,
    tier: receipt.decision.tier,
    outcome: receipt.outcome,
    code: receipt.code ?? receipt.decision.code ?? null,
  };
  out.say(sceneText(out, played, receipt));
  if (receipt.approvalId !== undefined && scene.answer !== undefined) {
    await ask(given, stage, reviewer, scene, receipt.approvalId);
    if (receipt.outcome === "pending") return finish(given, stage, call, played);
  }
  await runIfMay(stage, call, receipt);
  return played;
}

/** Shows the question as any reviewer would see it, and counts the answer. */
async function ask(
  given: CommandInput,
  stage: Stage,
  reviewer: DemoReviewer,
  scene: Scene,
  approvalId: string,
): Promise<void> {
  const { deps } = stage;
  const { out } = given;
  const asked = (await approvalAt(deps, approvalId))?.row;
  if (asked === undefined) throw new Error(`there is no question ${approvalId} (this is a bug)`);
  const question = questionText(out, await cardOf(deps, asked), {
    isPerson: reviewer.isPerson,
    project: stage.project,
  });
  // Raw mode is on before the question is shown, so that a key pressed at once counts too.
  const answer = reviewer.answer(scene);
  out.say(question);
  const { verdict, note, by } = await answer;
  const reviewed = await review(deps, asked.id, {
    by: REVIEWER,
    verdict,
    digest: asked.digest,
    note,
    assurance: by === "person" ? "tty" : "process",
    bulk: false,
  });
  if (!reviewed.ok) throw failureOf(reviewed);
  out.say(verdictText(out, { verdict, note, by }));
}

/** The agent makes the same call again: after an approval it runs once; after a denial it gets the same answer. */
async function finish(given: CommandInput, stage: Stage, call: ToolCall, played: Played): Promise<Played> {
  const receipt = await submit(stage.deps, call, DEFAULT_CALLER);
  await runIfMay(stage, call, receipt);
  const ended: Played = { ...played, outcome: receipt.outcome, code: receipt.code ?? null };
  given.out.say(sceneText(given.out, { ...ended, again: true }, receipt));
  return ended;
}

async function runIfMay(stage: Stage, call: ToolCall, receipt: Receipt): Promise<void> {
  const { executionId, attempt } = receipt;
  if (receipt.outcome !== "run" || executionId === undefined || attempt === undefined) return;
  await carryOut(holdingOf(stage.deps), { executionId, attempt, args: call.args }, () =>
    useTool(stage.project, call.tool, call.args),
  );
}
