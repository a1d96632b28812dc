// The rules of answering again, as plainly as possible and without code of the product: people are booleans, time is a
// number, and the state is computed from the whole history each time.

export type ModelPerson = {
  name: string;
  admin: boolean;
  auditor: boolean;
  lead: boolean;
  removed: boolean;
  paused: boolean;
  /** When this person was added; another person may have had the name before. */
  added: number;
};

export type ModelAsked = {
  quorum: number;
  lists: readonly (readonly string[])[];
  escalatedTo: readonly string[] | undefined;
  owner: string | undefined;
  requestedBy: string | undefined;
  selfReview: boolean;
  person: boolean;
  needsHuman: boolean;
  answerBy: number;
};

export type Happening =
  | {
      is: "answer";
      by: string;
      approve: boolean;
      right: boolean;
      process: boolean;
      bulk: boolean;
      /** Who made the means with which they proved their identity, if it was somebody else. */
      madeBy: string | undefined;
    }
  | { is: "people"; people: readonly ModelPerson[] }
  | { is: "pass"; ms: number };

export function modelState(asked: ModelAsked, first: readonly ModelPerson[], story: readonly Happening[]) {
  let people = first;
  let now = 0;
  let state = "pending";
  const yes: Yes[] = [];
  for (const event of story) {
    if (event.is === "people") people = event.people;
    if (event.is === "pass") now += event.ms;
    if (event.is !== "answer") continue;
    if (state !== "pending" || now >= asked.answerBy) continue;
    if (!event.right) continue;
    // A paused person may still deny.
    const asIf = event.approve ? people : people.map((one) => ({ ...one, paused: false }));
    if (!named(people, event.by) || !mayAnswer(asked, asIf, event.by)) continue;
    if ([event.by, event.madeBy ?? event.by].includes(asked.requestedBy ?? "") && !asked.selfReview) continue;
    if (asked.person && event.process) continue;
    if (asked.needsHuman && event.bulk) continue;
    if (!event.approve) {
      state = "denied";
      continue;
    }
    const hand = event.madeBy ?? event.by;
    const counts = yes.filter((one) => stillCounts(asked, people, one));
    if (counts.some((one) => one.name === event.by || one.hand === hand)) continue;
    yes.push({ name: event.by, at: now, hand });
    if (enough(asked, people, yes)) state = "approved";
  }
  return { state, approvers: [...new Set(yes.map((one) => one.name))].sort() };
}

type Yes = { name: string; at: number; hand: string };

function stillCounts(asked: ModelAsked, people: readonly ModelPerson[], given: Yes): boolean {
  for (const one of people) {
    if (one.name !== given.name) continue;
    const self = [one.name, given.hand].includes(asked.requestedBy ?? "") && !asked.selfReview;
    return given.at >= one.added && mayAnswer(asked, people, one.name) && !self;
  }
  return false;
}

function named(people: readonly ModelPerson[], name: string): boolean {
  for (const one of people) if (one.name === name) return true;
  return false;
}

function mayAnswer(asked: ModelAsked, people: readonly ModelPerson[], name: string): boolean {
  for (const one of people) {
    if (one.name !== name) continue;
    if (one.removed || one.auditor || one.paused) return false;
    if (asked.escalatedTo !== undefined && onList(asked.escalatedTo, one)) return true;
    if (asked.lists.length === 0) return true;
    for (const list of asked.lists) if (onList(list, one)) return true;
  }
  return false;
}

function onList(list: readonly string[], one: ModelPerson): boolean {
  if (list.includes(one.name)) return true;
  return one.lead && list.includes("group:leads");
}

function enough(asked: ModelAsked, people: readonly ModelPerson[], yes: readonly Yes[]): boolean {
  const counting: ModelPerson[] = [];
  const hands: string[] = [];
  for (const given of yes) {
    if (!stillCounts(asked, people, given)) continue;
    for (const one of people) if (one.name === given.name && !counting.includes(one)) counting.push(one);
    if (!hands.includes(given.hand)) hands.push(given.hand);
  }
  if (counting.length < asked.quorum || hands.length < asked.quorum) return false;
  for (const list of asked.lists) {
    let someone = false;
    for (const one of counting) {
      if (onList(list, one) || (asked.escalatedTo !== undefined && onList(asked.escalatedTo, one))) someone = true;
    }
    if (!someone) return false;
  }
  return true;
}
