import type { Piece } from "../../core/change.ts";
import type { ChannelKind, Contact, PersonReach } from "../../core/channel.ts";
import { type Refused, refused } from "../../core/codes.ts";
import type { PersonName } from "../../core/ids.ts";
import { say } from "../../core/messages/message.ts";
import { isTheirs, type Person } from "../../core/people.ts";
import { tellReplaced } from "../../core/steps/notices.ts";
import { sha256Hex } from "../../core/values/hash.ts";
import type { Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { toldOfAccess } from "./access-notices.ts";
import { type Acting, actStep, type HeldStanding, handOfActing, unsure } from "./acting.ts";
import { keptPerson, nobody, personAt } from "./people.ts";

// Accounts of people in channels. Only the person can link an account: they see a code on their settings page and send it
// from the account, or receive it there and type it on the page. Nobody else can link one for them.

type Changed = { ok: true; value: Person } | Refused;

/** A code is good for at least this long, and for at most twice as long. */
export const CODE_MS = 10 * 60_000;
const CODE_LETTERS = 8;
/** Letters that nobody confuses with another or with a digit. */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/** Wrong codes that one account may send, or one person may type, within the time of a code. */
const WRONG_MAX = 10;
const CONTACTS_MAX = 20;

/** The code that a signed-in person sends from the account that they want to link. */
export async function linkCode(
  deps: Deps,
  channel: ChannelKind,
  acting: Acting,
): Promise<{ ok: true; value: string } | Refused> {
  const person = await ownPerson(deps, acting);
  return "code" in person ? person : { ok: true, value: codeOf(deps, { person, about: channel }, deps.clock.nowMs()) };
}

/** The code that is sent to a mail address, and that its owner types on their settings page. */
export async function mailCode(
  deps: Deps,
  address: string,
  acting: Acting,
): Promise<{ ok: true; value: string } | Refused> {
  const person = await ownPerson(deps, acting);
  if ("code" in person) return person;
  return { ok: true, value: codeOf(deps, { person, about: `email ${address}` }, deps.clock.nowMs()) };
}

async function ownPerson(deps: Deps, acting: Acting): Promise<Person | Refused> {
  const inForce = (await deps.standing.current()) as HeldStanding;
  const person = inForce.rows.people.find(({ name, state }) => name === acting.by && state === "active");
  if (person === undefined) return nobody(acting.by);
  const maker = handOfActing(inForce, acting);
  if (maker !== acting.by)
    return refused("LEEWAY_FORBIDDEN", say("refusal.made_by_other", { person: maker }), say("hint.own_sign_in"));
  return unsure(inForce, acting) ?? person;
}

/**
 * A code is made from the gate's key and the time and is not stored, so that somebody who reads the database has none.
 * The time of the last change of the contacts is a part of it: others may have read the code where it was sent, so every
 * link and every unlink ends all codes from before it.
 */
function codeOf({ sealer, workspace }: Deps, of: { person: Person; about: string }, nowMs: number): string {
  const { name, addedMs, contactsMs = 0 } = of.person;
  const text = `link ${workspace} ${of.about} ${name} ${addedMs} ${Math.floor(nowMs / CODE_MS)} ${contactsMs}`;
  const mark = sealer.mark(text);
  const hex = sha256Hex(mark);
  const letters = Array.from({ length: CODE_LETTERS }, (_, at) => {
    const byte = Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16);
    return ALPHABET.charAt(byte % ALPHABET.length);
  });
  return letters.join("");
}

/** Links the account that sent the code to the person who was shown the code. */
export async function linkContact(
  deps: Deps,
  channel: ChannelKind,
  sent: Omit<Contact, "linkedMs" | "channel"> & { code: string },
): Promise<Changed> {
  const { code, ...contact } = sent;
  return linking(deps, { ...contact, channel }, contact.account, (inForce, nowMs) =>
    inForce.rows.people.find((person) => isCodeOf(deps, { person, about: channel }, code, nowMs)),
  );
}

/** Links the address that received the code to the person who typed the code. */
export async function linkMail(deps: Deps, address: string, code: string, acting: Acting): Promise<Changed> {
  const person = await ownPerson(deps, acting);
  if ("code" in person) return person;
  // Counted by person: anybody can type an address that is not theirs.
  return linking(deps, { channel: "email", account: address, label: address }, person.name, (inForce, nowMs) => {
    const own = inForce.rows.people.find(({ name }) => name === person.name);
    return own !== undefined && isCodeOf(deps, { person: own, about: `email ${address}` }, code, nowMs)
      ? own
      : undefined;
  });
}

/** A browser of a person who is signed in there: being signed in is the proof. */
export async function linkBrowser(deps: Deps, contact: Omit<Contact, "linkedMs">, acting: Acting): Promise<Changed> {
  const person = await ownPerson(deps, acting);
  if ("code" in person) return person;
  return linking(deps, contact, person.name, (inForce) => inForce.rows.people.find(({ name }) => name === person.name));
}

function isCodeOf(deps: Deps, of: { person: Person; about: string }, code: string, nowMs: number): boolean {
  if (of.person.state !== "active") return false;
  const given = code.trim().toUpperCase();
  return [nowMs, nowMs - CODE_MS].some((atMs) => codeOf(deps, of, atMs) === given);
}

type Finding = (inForce: HeldStanding, nowMs: number) => Person | undefined;

/** `sender`: the account that sent the code, or the person who typed it; their wrong codes are counted. */
async function linking(
  deps: Deps,
  contact: Omit<Contact, "linkedMs">,
  sender: string,
  find: Finding,
): Promise<Changed> {
  const { channel, account } = contact;
  const linked = await actStep(deps, async (nowMs, inForce): Promise<Step<Person>> => {
    const tried = await triesLeft(deps, { channel, sender }, nowMs);
    const found = tried ? find(inForce, nowMs) : undefined;
    if (found === undefined) return refused("LEEWAY_FORBIDDEN", say("refusal.wrong_code"), say("hint.new_code"));
    const holder = holderOf(inForce, contact);
    if (holder !== undefined && holder.name !== found.name)
      return refused("LEEWAY_BAD_INPUT", say("refusal.contact_taken"), say("hint.unlink_there"));
    const held = await personAt(deps, found.name);
    if (held?.row.state !== "active") return nobody(found.name);
    const others = (held.row.contacts ?? []).filter((one) => one.channel !== channel || keepsBeside(one, account));
    if (others.length >= CONTACTS_MAX)
      return refused("LEEWAY_BAD_INPUT", say("refusal.too_many_contacts"), say("hint.remove_one"));
    const row = withContacts(held.row, [...others, { ...contact, linkedMs: nowMs }], nowMs);
    const kept = keptPerson(deps, held, row, { kind: "person.changed", by: found.name });
    if (!kept.ok) return kept;
    const replaced = toldReplaced(deps, held.row, contact, nowMs);
    return { ...kept, pieces: [...kept.pieces, told(deps, inForce, row, contact, nowMs), replaced] };
  });
  if (!linked.ok && linked.code === "LEEWAY_FORBIDDEN") await countWrong(deps, { channel, sender });
  return linked;
}

/** Two changes in the same millisecond still have different times. */
function withContacts(person: Person, contacts: readonly Contact[], nowMs: number): Person {
  return { ...person, contacts, contactsMs: Math.max(nowMs, (person.contactsMs ?? 0) + 1) };
}

/** A person has one account in each channel, but any number of browsers. */
function keepsBeside(one: Contact, account: string): boolean {
  return one.channel === "push" && one.account !== account;
}

/** An account belongs to one person. That person must unlink it first, so that nobody can take it without their knowledge. */
function holderOf({ rows }: HeldStanding, { channel, account }: Omit<Contact, "linkedMs">): Person | undefined {
  return rows.people.find(
    ({ state, contacts = [] }) =>
      state === "active" && contacts.some((one) => one.channel === channel && one.account === account),
  );
}

function told(
  deps: Deps,
  inForce: HeldStanding,
  { name }: Person,
  { channel, label }: Omit<Contact, "linkedMs">,
  nowMs: number,
): Piece {
  const title = say("notice.contact_linked", { person: name, channel, account: label });
  return toldOfAccess(deps, inForce, { to: name, title, text: say("notice.unlink_if_not_you"), ref: name, nowMs });
}

/** An account that is replaced is told too: whoever linked another one in the person's name cannot hide it from there. */
function toldReplaced(deps: Deps, before: Person, contact: Omit<Contact, "linkedMs">, nowMs: number): Piece {
  const { mint, workspace } = deps;
  const { channel, label } = contact;
  const gone = (before.contacts ?? []).filter(
    (one) => one.channel === channel && one.account !== contact.account && !keepsBeside(one, contact.account),
  );
  const title = say("notice.contact_replaced", { person: before.name, channel, account: label });
  const text = say("notice.link_back_if_not_you");
  const of = { person: before.name, channel, title, text, workspace, nowMs };
  return { writes: gone.map(({ account }) => tellReplaced(mint, { ...of, account })) };
}

type Guessing = { channel: ChannelKind; sender: string };

function wrongCounter({ channel, sender }: Guessing, nowMs: number): string {
  return `wrong code:${channel}:${sender}:${Math.floor(nowMs / CODE_MS)}`;
}

async function triesLeft(deps: Deps, guessing: Guessing, nowMs: number): Promise<boolean> {
  const counters = [wrongCounter(guessing, nowMs)];
  const [wrong = 0] = await deps.store.read({ ask: "counters", workspace: deps.workspace, counters, nowMs });
  return wrong < WRONG_MAX;
}

async function countWrong(deps: Deps, guessing: Guessing): Promise<void> {
  await actStep(deps, async (nowMs): Promise<Step<undefined>> => {
    const counter = wrongCounter(guessing, nowMs);
    const write = { do: "add" as const, counter, by: 1, untilMs: nowMs + 2 * CODE_MS };
    return { ok: true, pieces: [{ writes: [write] }], value: undefined };
  });
}

/** Whose account this is, if it was linked under a name that is still theirs. */
export async function personWithContact(
  deps: Deps,
  channel: ChannelKind,
  account: string,
): Promise<Person | undefined> {
  const { people } = (await deps.standing.current()).rows;
  return people.find((person) =>
    person.contacts?.some(
      (one) => one.channel === channel && one.account === account && isTheirs(person, one.linkedMs),
    ),
  );
}

/** Unlinks an account. Its person can do this, and so can an admin. */
export function unlinkContact(
  deps: Deps,
  name: PersonName,
  of: { channel: ChannelKind; account: string },
  acting: Pick<Acting, "by">,
): Promise<Changed> {
  return actStep(deps, async (nowMs, inForce): Promise<Step<Person>> => {
    const isAdmin = inForce.rows.people.some((one) => one.name === acting.by && one.admin && one.state === "active");
    if (acting.by !== name && !isAdmin)
      return refused("LEEWAY_FORBIDDEN", say("refusal.somebody_else"), say("hint.do_as_yourself"));
    return without(deps, name, of, { by: acting.by, nowMs });
  });
}

async function without(
  deps: Deps,
  name: PersonName,
  { channel, account }: { channel: string; account?: string },
  { by, nowMs }: { by: PersonName; nowMs: number },
): Promise<Step<Person>> {
  const held = await personAt(deps, name);
  if (held?.row.state !== "active") return nobody(name);
  const { contacts = [] } = held.row;
  const left = contacts.filter((one) => one.channel !== channel || (account !== undefined && one.account !== account));
  if (left.length === contacts.length) return { ok: true, pieces: [], value: held.row };
  return keptPerson(deps, held, withContacts(held.row, left, nowMs), { kind: "person.changed", by });
}

/** An account or a browser that is no longer there. */
export async function forgetContact(deps: Deps, name: PersonName, channel: string, account?: string): Promise<void> {
  await actStep(deps, async (nowMs): Promise<Step<Person>> => {
    const of = { channel, ...(account === undefined ? {} : { account }) };
    return without(deps, name, of, { by: name, nowMs });
  });
}

/** When, where and in which language a person wants to be told. */
export function setReach(deps: Deps, name: PersonName, reach: PersonReach): Promise<Changed> {
  return actStep(deps, async (): Promise<Step<Person>> => {
    const held = await personAt(deps, name);
    if (held?.row.state !== "active") return nobody(name);
    return keptPerson(deps, held, { ...held.row, reach }, { kind: "person.changed", by: name });
  });
}
