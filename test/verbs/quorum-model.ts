// The rules of answering once more, as plainly as they can be written and sharing nothing with the product: people are
// booleans, time is a number, and the state is worked out from the whole story each time.

export type ModelPerson = {
  name: string;
  admin: boolean;
  auditor: boolean;
  lead: boolean;
  removed: boolean;
  paused: boolean;
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
  | { is: "answer"; by: string; approve: boolean; right: boolean; process: boolean; bulk: boolean }
  | { is: "people"; people: readonly ModelPerson[] }
  | { is: "pass"; ms: number };

export function modelState(asked: ModelAsked, first: readonly ModelPerson[], story: readonly Happening[]) {
  let people = first;
  let now = 0;
  let state = "pending";
  const yes: string[] = [];
  for (const event of story) {
    if (event.is === "people") people = event.people;
    if (event.is === "pass") now += event.ms;
    if (event.is !== "answer") continue;
    if (state !== "pending" || now >= asked.answerBy) continue;
    if (!event.right) continue;
    if (!named(people, event.by) || !mayAnswer(asked, people, event.by)) continue;
    if (event.by === asked.requestedBy && !asked.selfReview) continue;
    if (asked.person && event.process) continue;
    if (asked.needsHuman && event.bulk) continue;
    if (!event.approve) {
      state = "denied";
      continue;
    }
    if (yes.includes(event.by)) continue;
    yes.push(event.by);
    if (enough(asked, people, yes)) state = "approved";
  }
  return { state, approvers: [...yes].sort() };
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
    if (asked.lists.length === 0) return one.admin || one.name === asked.owner;
    for (const list of asked.lists) if (onList(list, one)) return true;
  }
  return false;
}

function onList(list: readonly string[], one: ModelPerson): boolean {
  if (list.includes(one.name)) return true;
  return one.lead && list.includes("group:leads");
}

function enough(asked: ModelAsked, people: readonly ModelPerson[], yes: readonly string[]): boolean {
  const counting: ModelPerson[] = [];
  for (const one of people) {
    const self = one.name === asked.requestedBy && !asked.selfReview;
    if (yes.includes(one.name) && mayAnswer(asked, people, one.name) && !self) counting.push(one);
  }
  if (counting.length < asked.quorum) return false;
  for (const list of asked.lists) {
    let someone = false;
    for (const one of counting) {
      if (onList(list, one) || (asked.escalatedTo !== undefined && onList(asked.escalatedTo, one))) someone = true;
    }
    if (!someone) return false;
  }
  return true;
}
