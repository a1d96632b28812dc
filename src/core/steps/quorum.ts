import { type Approval, type Question, type Review, requestersOf } from "../approval.ts";
import type { ChannelInForce } from "../channel.ts";
import type { PersonName } from "../ids.ts";
import { type Message, say } from "../messages/message.ts";
import { isTheirs, type Person } from "../people.ts";
import { PIN_TOOL } from "../standing/pin.ts";

/** Who may answer and who is told, now: groups are looked up live, and removed people do not count. */
export type Circle = {
  people: readonly Person[];
  owner?: PersonName;
  pausedReviewers: readonly PersonName[];
  /** Where people are told, the inbox included. */
  channels: readonly ChannelInForce[];
};

type ReviewersAsked = Pick<Question, "reviewers" | "escalate" | "tool">;

/**
 * The listed people and groups, else everybody whose role it is: all people except auditors. Missing, removed or paused people
 * may not answer.
 */
export function mayReview(question: ReviewersAsked, by: PersonName, circle: Circle): boolean {
  const person = circle.people.find((candidate) => candidate.name === by);
  return person !== undefined && isReviewer(question, person, circle);
}

/** A paused reviewer cannot approve, but can still deny, which can only make the result stricter. */
export function mayDeny(question: ReviewersAsked, by: PersonName, circle: Circle): boolean {
  return mayReview(question, by, { ...circle, pausedReviewers: [] });
}

function isReviewer(question: ReviewersAsked, person: Person, circle: Circle): boolean {
  if (person.state !== "active" || person.auditor || circle.pausedReviewers.includes(person.name)) return false;
  if (isIn(widened(question), person)) return true;
  if (question.reviewers.length === 0) {
    return !isForAdmins(question) || person.admin || person.name === circle.owner;
  }
  return question.reviewers.some((list) => isIn(list, person));
}

/** What an MCP server offers is read by every model, for as long as it is accepted: that is more than one answer. */
export function isForAdmins({ tool }: Pick<Question, "tool">): boolean {
  return tool === PIN_TOOL;
}

function isIn(list: readonly string[], person: Person): boolean {
  return list.some((name) =>
    name.startsWith("group:") ? person.groups.includes(name.slice("group:".length)) : name === person.name,
  );
}

/** People added by the escalation: they may replace any list. */
function widened(question: ReviewersAsked): readonly string[] {
  return question.escalate?.done === true ? question.escalate.to : [];
}

/**
 * Approvals of people who may review now, each given by that person and not by somebody who had the same name before.
 */
export function countingYeses(question: Question, reviews: readonly Review[], circle: Circle): readonly Review[] {
  return reviews.filter((given) => {
    const person = circle.people.find(({ name }) => name === given.by);
    if (given.verdict !== "approve" || person === undefined || !isTheirs(person, given.atMs)) return false;
    return isSureEnough(question, given) && isReviewer(question, person, circle) && !isOfRequester(question, given);
  });
}

/** A question that is opened again under a stricter policy may have answers that were given under a looser one. */
function isSureEnough({ assurance, needsHuman }: Question, given: Review): boolean {
  if (assurance === "person" && given.assurance === "process") return false;
  return !needsHuman || given.human === true;
}

/** The person whose approval this may be: if another person made the token or passphrase, it could be that person's. */
export function handOf({ by, madeBy = by }: Pick<Review, "by" | "madeBy">): PersonName {
  return madeBy;
}

/**
 * Enough approvals: different people who may review now, none of them with a token that another made, at least the quorum, and one
 * from each list.
 */
export function isMet(
  question: Question,
  reviews: readonly Review[],
  circle: Circle,
  quorum: number = question.quorum,
): boolean {
  return yesesOf(question, reviews, circle) >= quorum && everyListHasOne(question, peopleOf(question, reviews, circle));
}

/** How many of the answers so far are approvals that count. */
export function yesesOf(question: Question, reviews: readonly Review[], circle: Circle): number {
  const hands = new Set(countingYeses(question, reviews, circle).map(handOf));
  return Math.min(peopleOf(question, reviews, circle).length, hands.size);
}

/** What keeps the answers so far from being enough. */
export function lacking(question: Question, circle: Circle): Message {
  const yeses = yesesOf(question, question.reviews, circle);
  if (yeses < question.quorum) return say("reason.too_few_approvals", { count: yeses, quorum: question.quorum });
  const people = peopleOf(question, question.reviews, circle);
  const list = question.reviewers.find((one) => !everyListHasOne({ ...question, reviewers: [one] }, people)) ?? [];
  return say("reason.approval_missing", { names: eitherOf(list) });
}

function peopleOf(question: Question, reviews: readonly Review[], circle: Circle): readonly Person[] {
  const yeses = countingYeses(question, reviews, circle);
  return circle.people.filter(({ name }) => yeses.some(({ by }) => by === name));
}

/** False if the known people could never answer it. */
export function canBeMet(question: Question, circle: Circle): boolean {
  if (circle.people.length === 0) return true;
  const later = {
    ...question,
    ...(question.escalate === undefined ? {} : { escalate: { ...question.escalate, done: true } }),
  };
  const able = circle.people.filter(
    (person) => isReviewer(later, person, circle) && !asksThemself(question, person.name),
  );
  return able.length >= question.quorum && everyListHasOne(later, able);
}

/** Whether the requester answers: under their own name, or as somebody for whom they made a token or passphrase. */
export function isOfRequester(question: RequestersAsked, given: Pick<Review, "by" | "madeBy">): boolean {
  return asksThemself(question, given.by) || asksThemself(question, handOf(given));
}

type RequestersAsked = Pick<Question, "selfReview" | "requestedBy" | "joinedBy">;

function asksThemself(question: RequestersAsked, name: PersonName): boolean {
  return !question.selfReview && requestersOf(question).includes(name);
}

function everyListHasOne(question: ReviewersAsked, people: readonly Person[]): boolean {
  const extra = widened(question);
  return question.reviewers.every((list) => people.some((person) => isIn(list, person) || isIn(extra, person)));
}

function eitherOf([first = "", ...rest]: readonly string[]): Message | string {
  return rest.length === 0 ? first : say("text.either", { first, rest: eitherOf(rest) });
}

export function audience(approval: Approval): Message | string {
  const named = approval.reviewers.flat();
  if (named.length > 0) return named.join(", ");
  return isForAdmins(approval) ? say("hint.owner_and_admins") : say("hint.all_reviewers");
}
