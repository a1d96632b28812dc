import { randomBytes } from "node:crypto";
import type { Code } from "../core/codes.ts";
import type { Message } from "../core/messages/message.ts";
import type { Answer } from "./answer.ts";
import type { Asked } from "./request.ts";

// The answer to a form is always a redirect: a page that is reloaded never sends a form twice. What the form's route has to
// say is kept here until the browser comes for it.

/** Why a form was refused, on which address it was sent, and what was typed into it. */
export type RefusedForm = {
  action: string;
  code: Code;
  reason: Message;
  hint: Message;
  fields: Readonly<Record<string, string>>;
};

type Told = { is: "page"; answer: Answer } | { is: "refusal"; refusal: RefusedForm };

export type Kept = {
  /** Keeps it for whoever asked and returns the key that they find it by. */
  keep(asked: Asked, told: Told): string;
  page(asked: Asked, key: string): Answer | undefined;
  refusal(asked: Asked, key: string | undefined): RefusedForm | undefined;
};

const KEPT_MS = 10 * 60 * 1000;
/** For each browser, and for all of them together; the oldest goes first. */
const [OWN_MAX, ALL_MAX] = [16, 1_000];
const ALL_LENGTH_MAX = 32 * 1024 * 1024;

type Item = { key: string; owner: string; told: Told; untilMs: number; length: number };

export function keptBy(nowMs: () => number): Kept {
  let items: readonly Item[] = [];
  const find = (asked: Asked, key: string): Told | undefined => {
    const found = items.find((item) => item.key === key && item.owner === ownerOf(asked) && item.untilMs > nowMs());
    if (found?.told.is === "page" && found.told.answer.once === true) items = items.filter((item) => item !== found);
    return found?.told;
  };
  return {
    keep(asked, told) {
      const owner = ownerOf(asked);
      const item = {
        key: randomBytes(16).toString("hex"),
        owner,
        told,
        untilMs: nowMs() + KEPT_MS,
        length: lengthOf(told),
      };
      const own = items.filter((one) => one.owner === owner).slice(0, -(OWN_MAX - 1));
      items = bounded([...items.filter((one) => one.untilMs > nowMs() && !own.includes(one)), item]);
      return item.key;
    },
    page(asked, key) {
      const told = find(asked, key);
      return told?.is === "page" ? told.answer : undefined;
    },
    refusal(asked, key) {
      const told = key === undefined ? undefined : find(asked, key);
      return told?.is === "refusal" ? told.refusal : undefined;
    },
  };
}

/** Each sign-in finds only what was said to itself. */
function ownerOf({ who, address }: Asked): string {
  if (who.is === "person" && who.signIn !== undefined) return who.signIn.id;
  return who.is === "person" ? `person ${who.person.name}` : `address ${address}`;
}

function lengthOf(told: Told): number {
  if (told.is === "refusal") return JSON.stringify(told.refusal).length;
  return typeof told.answer.body === "string" ? told.answer.body.length : 0;
}

function bounded(items: readonly Item[]): readonly Item[] {
  let length = items.reduce((sum, item) => sum + item.length, 0);
  let first = Math.max(0, items.length - ALL_MAX);
  for (const item of items.slice(0, first)) length -= item.length;
  // The newest is kept in any case: somebody is on the way to it.
  for (; length > ALL_LENGTH_MAX && first < items.length - 1; first++) length -= items[first]?.length ?? 0;
  return items.slice(first);
}
