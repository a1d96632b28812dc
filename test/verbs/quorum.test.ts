import fc from "fast-check";
import { expect, test } from "vitest";
import type { Approval, Pending } from "../../src/core/approval.ts";
import { INBOX } from "../../src/core/channel.ts";
import type { Person } from "../../src/core/people.ts";
import type { Circle } from "../../src/core/steps/quorum.ts";
import { type GivenReview, review } from "../../src/core/steps/reviewing.ts";
import { testMint } from "../../src/testing.ts";
import { question } from "../fixtures/rows.ts";
import { type Happening, type ModelAsked, type ModelPerson, modelState } from "./quorum-model.ts";

const SEQUENCES = process.env["LEEWAY_PROVE"] === undefined ? 5_000 : 500_000;
const NAMES = ["ana", "ben", "cleo", "dan", "agent", ""] as const;
const DIGEST = "sha256:asked";

const person = fc.record({
  name: fc.constantFrom("ana", "ben", "cleo", "dan"),
  admin: fc.boolean(),
  auditor: fc.boolean(),
  lead: fc.boolean(),
  removed: fc.boolean(),
  paused: fc.boolean(),
  added: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }) }),
});
const people = fc.uniqueArray(person, { selector: (one) => one.name, maxLength: 4 });
const list = fc.subarray(["ana", "ben", "group:leads"], { minLength: 1 });

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      is: fc.constant("answer" as const),
      by: fc.constantFrom(...NAMES),
      approve: fc.boolean(),
      right: fc.boolean(),
      process: fc.boolean(),
      bulk: fc.boolean(),
      madeBy: fc.option(fc.constantFrom("ana", "ben"), { nil: undefined, freq: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant("people" as const), people }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant("pass" as const), ms: fc.integer({ min: 0, max: 60 }) }) },
);

const story = fc.record({
  asked: fc.record({
    quorum: fc.integer({ min: 1, max: 3 }),
    lists: fc.array(list, { maxLength: 2 }),
    escalatedTo: fc.option(list, { nil: undefined }),
    owner: fc.constantFrom("ana", "dan", undefined),
    requestedBy: fc.constantFrom("ana", "ben", undefined),
    selfReview: fc.boolean(),
    person: fc.boolean(),
    needsHuman: fc.boolean(),
    answerBy: fc.integer({ min: 1, max: 100 }),
  }),
  people,
  happenings: fc.array(happening, { maxLength: 8 }),
});

test("P8: any sequence of answers gives the result of a naive implementation of the rules", () => {
  fc.assert(
    fc.property(story, ({ asked, people: first, happenings }) => {
      expect(playOut(asked, first, happenings)).toEqual(modelState(asked, first, happenings));
    }),
    { numRuns: SEQUENCES },
  );
});

/** The same history given to the product, one answer after the other, each applied only if it was accepted. */
function playOut(asked: ModelAsked, first: readonly ModelPerson[], happenings: readonly Happening[]) {
  const mint = testMint();
  let approval: Approval = questionOf(asked);
  let circle = circleOf(asked, first);
  let nowMs = 0;
  let version = 1;
  for (const happening of happenings) {
    if (happening.is === "people") circle = circleOf(asked, happening.people);
    else if (happening.is === "pass") nowMs += happening.ms;
    else {
      const step = review({ row: approval, version }, answerOf(happening), circle, mint, nowMs);
      if (!step.ok) continue;
      approval = step.approval;
      version += 1;
    }
  }
  const approvers = [...new Set(approval.reviews.filter((one) => one.verdict === "approve").map((one) => one.by))];
  return { state: approval.state, approvers: approvers.sort() };
}

function answerOf(given: Extract<Happening, { is: "answer" }>): GivenReview {
  return {
    by: given.by,
    verdict: given.approve ? "approve" : "deny",
    digest: given.right ? DIGEST : "sha256:other",
    note: "",
    assurance: given.process ? "process" : "tty",
    bulk: given.bulk,
    ...(given.madeBy === undefined ? {} : { madeBy: given.madeBy }),
  };
}

function circleOf(asked: ModelAsked, people: readonly ModelPerson[]): Circle {
  return {
    people: people.map((one): Person => {
      const base = { name: one.name, workspace: "w", admin: one.admin, auditor: one.auditor, addedMs: one.added };
      const groups = one.lead ? ["leads"] : [];
      return one.removed ? { ...base, groups, state: "removed", atMs: 0 } : { ...base, groups, state: "active" };
    }),
    ...(asked.owner === undefined ? {} : { owner: asked.owner }),
    pausedReviewers: people.filter((one) => one.paused).map((one) => one.name),
    channels: [INBOX],
  };
}

function questionOf(asked: ModelAsked): Pending {
  return question("1", {
    agent: "agent",
    digest: DIGEST,
    needsHuman: asked.needsHuman,
    openedMs: 0,
    answerByMs: asked.answerBy,
    quorum: asked.quorum,
    reviewers: asked.lists,
    ...(asked.escalatedTo === undefined ? {} : { escalate: { atMs: 0, to: asked.escalatedTo, done: true } }),
    selfReview: asked.selfReview,
    assurance: asked.person ? "person" : "any",
    ...(asked.requestedBy === undefined ? {} : { requestedBy: asked.requestedBy }),
  });
}
