import { type Approval, type Question, type Review, requestersOf } from "../approval.ts";
import type { PersonName } from "../ids.ts";
import { isTheirs, type Person } from "../people.ts";

/** Who may answer and who is told, as of now: groups are looked up live, a removed person is nobody. */
export type Circle = {
  people: readonly Person[];
  owner?: PersonName;
  pausedReviewers: readonly PersonName[];
  /** Every place notices go to. */
  channels: readonly string[];
};

type ReviewersAsked = Pick<Question, "reviewers" | "escalate">;

/** The listed people and groups, else the owner and the admins. Who is missing, removed or paused may not. */
export function mayReview(question: ReviewersAsked, by: PersonName, circle: Circle): boolean {
  const person = circle.people.find((candidate) => candidate.name === by);
  return person !== undefined && isReviewer(question, person, circle);
}

/** A pause takes somebody's yes away and never their no, which can only tighten. */
export function mayDeny(question: ReviewersAsked, by: PersonName, circle: Circle): boolean {
  return mayReview(question, by, { ...circle, pausedReviewers: [] });
}

function isReviewer(question: ReviewersAsked, person: Person, circle: Circle): boolean {
  if (person.state !== "active" || person.auditor || circle.pausedReviewers.includes(person.name)) return false;
  if (isIn(widened(question), person)) return true;
  if (question.reviewers.length === 0) return person.admin || person.name === circle.owner;
  return question.reviewers.some((list) => isIn(list, person));
}

function isIn(list: readonly string[], person: Person): boolean {
  return list.some((name) =>
    name.startsWith("group:") ? person.groups.includes(name.slice("group:".length)) : name === person.name,
  );
}

/** Whom the escalation added: they may stand in for any list. */
function widened(question: ReviewersAsked): readonly string[] {
  return question.escalate?.done === true ? question.escalate.to : [];
}

/** Yeses of people who may review now, each given by that very person and not by who had their name before. */
export function countingYeses(question: Question, reviews: readonly Review[], circle: Circle): readonly Review[] {
  return reviews.filter((given) => {
    const person = circle.people.find(({ name }) => name === given.by);
    if (given.verdict !== "approve" || person === undefined || !isTheirs(person, given.atMs)) return false;
    return isSureEnough(question, given) && isReviewer(question, person, circle) && !isOfRequester(question, given);
  });
}

/** A question that is opened again under a stricter policy may hold answers that were given under a milder one. */
function isSureEnough({ assurance, needsHuman }: Question, given: Review): boolean {
  if (assurance === "person" && given.assurance === "process") return false;
  return !needsHuman || given.human === true;
}

/** Whose word it is: with a token or a passphrase that somebody else made, it could be theirs. */
export function handOf({ by, madeBy = by }: Pick<Review, "by" | "madeBy">): PersonName {
  return madeBy;
}

/** Distinct people who may review now, by as many hands, at least the quorum, and one from each named list. */
export function isMet(
  question: Question,
  reviews: readonly Review[],
  circle: Circle,
  quorum: number = question.quorum,
): boolean {
  return yesesOf(question, reviews, circle) >= quorum && everyListHasOne(question, peopleOf(question, reviews, circle));
}

/** How many of the answers so far are yeses that count. */
export function yesesOf(question: Question, reviews: readonly Review[], circle: Circle): number {
  const hands = new Set(countingYeses(question, reviews, circle).map(handOf));
  return Math.min(peopleOf(question, reviews, circle).length, hands.size);
}

/** What keeps the answers so far from being enough. */
export function lacking(question: Question, circle: Circle): string {
  const yeses = yesesOf(question, question.reviews, circle);
  if (yeses < question.quorum) return `${yeses} of the ${question.quorum} approvals that it needs count now`;
  const people = peopleOf(question, question.reviews, circle);
  const list = question.reviewers.find((one) => !everyListHasOne({ ...question, reviewers: [one] }, people)) ?? [];
  return `an approval by ${list.join(" or ")} is missing now`;
}

function peopleOf(question: Question, reviews: readonly Review[], circle: Circle): readonly Person[] {
  const yeses = countingYeses(question, reviews, circle);
  return circle.people.filter(({ name }) => yeses.some(({ by }) => by === name));
}

/** False where the people who are known could never answer it, however long one waits. */
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

/** By their own name, or by a name that they hold the means to speak for. */
export function isOfRequester(question: Question, given: Pick<Review, "by" | "madeBy">): boolean {
  return asksThemself(question, given.by) || asksThemself(question, handOf(given));
}

function asksThemself(question: Question, name: PersonName): boolean {
  return !question.selfReview && requestersOf(question).includes(name);
}

function everyListHasOne(question: ReviewersAsked, people: readonly Person[]): boolean {
  const extra = widened(question);
  return question.reviewers.every((list) => people.some((person) => isIn(list, person) || isIn(extra, person)));
}

export function audience(approval: Approval): string {
  const named = approval.reviewers.flat();
  return named.length === 0 ? "the agent's owner and the admins" : named.join(", ");
}
