import { randomBytes } from "node:crypto";
import type { Code } from "../core/codes.ts";
import type { Message } from "../core/messages/message.ts";
import type { Answer } from "./answer.ts";
import type { HttpRequest } from "./request.ts";

// The response to a form is always a redirect, so that reloading the page does not send the form again. The answer of the
// form's route is kept here until the browser fetches it.

/** Why a form was refused, the address it was sent to, and what was typed into it. */
export type RefusedForm = {
  action: string;
  code: Code;
  reason: Message;
  hint: Message;
  fields: Readonly<Record<string, string>>;
};

type FormAnswer = { is: "page"; answer: Answer } | { is: "refusal"; refusal: RefusedForm };

export type KeptForms = {
  /** Keeps it for the sender of the request, and returns the key with which they get it. */
  keep(request: HttpRequest, told: FormAnswer): string;
  page(request: HttpRequest, key: string): Answer | undefined;
  refusal(request: HttpRequest, key: string | undefined): RefusedForm | undefined;
  /** The newest refusal of the sender's form with this address, without its key. */
  refusalAt(request: HttpRequest, action: string): RefusedForm | undefined;
  /** Drops all refusals of the sender's form with this address. */
  forget(request: HttpRequest, action: string): void;
};

const KEPT_MS = 10 * 60 * 1000;
/** How many are kept for each browser, and for all together. The oldest is dropped first. */
const [OWN_MAX, ALL_MAX] = [16, 1_000];
const ALL_LENGTH_MAX = 32 * 1024 * 1024;

type Item = { key: string; owner: string; told: FormAnswer; untilMs: number; length: number };

export function keptBy(nowMs: () => number): KeptForms {
  let items: readonly Item[] = [];
  const find = (request: HttpRequest, key: string): FormAnswer | undefined => {
    const found = items.find((item) => item.key === key && item.owner === ownerOf(request) && item.untilMs > nowMs());
    if (found?.told.is === "page" && found.told.answer.once === true) items = items.filter((item) => item !== found);
    return found?.told;
  };
  const isAt = (action: string, owner: string) => (item: Item) =>
    item.owner === owner && item.told.is === "refusal" && item.told.refusal.action === action;
  return {
    refusalAt(request, action) {
      const found = items.filter((item) => item.untilMs > nowMs()).findLast(isAt(action, ownerOf(request)))?.told;
      return found?.is === "refusal" ? found.refusal : undefined;
    },
    forget(request, action) {
      const isDropped = isAt(action, ownerOf(request));
      items = items.filter((item) => !isDropped(item));
    },
    keep(request, told) {
      const owner = ownerOf(request);
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
    page(request, key) {
      const told = find(request, key);
      return told?.is === "page" ? told.answer : undefined;
    },
    refusal(request, key) {
      const told = key === undefined ? undefined : find(request, key);
      return told?.is === "refusal" ? told.refusal : undefined;
    },
  };
}

/** Each sign-in gets only its own answers. */
function ownerOf({ who, address }: HttpRequest): string {
  if (who.is === "person" && who.signIn !== undefined) return who.signIn.id;
  return who.is === "person" ? `person ${who.person.name}` : `address ${address}`;
}

function lengthOf(told: FormAnswer): number {
  if (told.is === "refusal") return JSON.stringify(told.refusal).length;
  return typeof told.answer.body === "string" ? told.answer.body.length : 0;
}

function bounded(items: readonly Item[]): readonly Item[] {
  let length = items.reduce((sum, item) => sum + item.length, 0);
  let first = Math.max(0, items.length - ALL_MAX);
  for (const item of items.slice(0, first)) length -= item.length;
  // The newest is always kept, because its browser will fetch it next.
  for (; length > ALL_LENGTH_MAX && first < items.length - 1; first++) length -= items[first]?.length ?? 0;
  return items.slice(first);
}
