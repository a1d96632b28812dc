import type { Approval, Question, Review } from "../approval.ts";
import type { PersonName } from "../ids.ts";
import type { Person } from "../people.ts";

/** Who may answer and who is told, as of now: groups are looked up live, a removed person is nobody. */
export type Circle = {
  people: readonly Person[];
  owner?: PersonName;
  pausedReviewers: readonly PersonName[];
  /** Every place notices go to. */
  channels: readonly string[];
};

type Asked = Pick<Question, "reviewers" | "escalate">;

/** The listed people and groups, else the owner and the admins. Who is missing, removed or paused may not. */
export function mayReview(question: Asked, by: PersonName, circle: Circle): boolean {
  const person = circle.people.find((candidate) => candidate.name === by);
  return person !== undefined && isReviewer(question, person, circle);
}

function isReviewer(question: Asked, person: Person, circle: Circle): boolean {
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
function widened(question: Asked): readonly string[] {
  return question.escalate?.done === true ? question.escalate.to : [];
}

/** Distinct people who may review now, at least the quorum, and one from each named list. */
export function isMet(
  question: Question,
  reviews: readonly Review[],
  circle: Circle,
  quorum: number = question.quorum,
): boolean {
  const approvers = new Set(reviews.filter((given) => given.verdict === "approve").map((given) => given.by));
  const counted = circle.people.filter(
    (person) => approvers.has(person.name) && isReviewer(question, person, circle) && !asksThemself(question, person),
  );
  return counted.length >= quorum && everyListHasOne(question, counted);
}

/** False where the people who are known could never answer it, however long one waits. */
export function canBeMet(question: Question, circle: Circle): boolean {
  if (circle.people.length === 0) return true;
  const later = {
    ...question,
    ...(question.escalate === undefined ? {} : { escalate: { ...question.escalate, done: true } }),
  };
  const able = circle.people.filter((person) => isReviewer(later, person, circle) && !asksThemself(question, person));
  return able.length >= question.quorum && everyListHasOne(later, able);
}

function asksThemself(question: Question, person: Person): boolean {
  return person.name === question.requestedBy && !question.selfReview;
}

function everyListHasOne(question: Asked, people: readonly Person[]): boolean {
  const extra = widened(question);
  return question.reviewers.every((list) => people.some((person) => isIn(list, person) || isIn(extra, person)));
}

export function audience(approval: Approval): string {
  const named = approval.reviewers.flat();
  return named.length === 0 ? "the agent's owner and the admins" : named.join(", ");
}
