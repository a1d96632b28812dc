import { timingSafeEqual } from "node:crypto";
import { type Piece, put, unchanged } from "../../core/change.ts";
import { type Refused, refused } from "../../core/codes.ts";
import type { AgentName, PersonName, TokenId } from "../../core/ids.ts";
import type { Actor, Entry, EntryKind } from "../../core/ledger.ts";
import { say } from "../../core/messages/message.ts";
import { type Holder, isTheirs, makerOf, type Person, type Token } from "../../core/people.ts";
import { madeRow } from "../../core/row-hash.ts";
import { tokenBucket, type Versioned } from "../../core/rows.ts";
import { draft } from "../../core/steps/draft.ts";
import { canonical } from "../../core/values/canonical.ts";
import { type Hash, sha256 } from "../../core/values/hash.ts";
import { commitStep, type Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import type { InForce } from "../standing/standing.ts";
import { timeToRead } from "../time/clock.ts";
import { toldOfAccess } from "./access-notices.ts";
import { type Acting, actingAdmin, actingPerson, actStep, type HeldStanding, unsure } from "./acting.ts";
import { isOpenedBy, lockOf, newSecret } from "./secret-locks.ts";

/** `text` is shown once: nobody can make it from the row. */
type NewToken = { token: Token; text: string };
export type TokenMade = { ok: true; value: NewToken } | Refused;

/** One's own token, or anybody's and any agent's for an admin. */
export async function addToken(deps: Deps, holder: Holder, acting: Acting & { forMs?: number }): Promise<TokenMade> {
  const mayAdd = (inForce: HeldStanding): Refused | undefined => {
    const isOwn = "person" in holder && holder.person === acting.by;
    const person = isOwn ? actingPerson(inForce, acting.by) : actingAdmin(inForce, acting.by, say("act.make_tokens"));
    return "code" in person ? person : unsure(inForce, acting);
  };
  return makeToken(deps, holder, {
    mayAdd,
    by: acting.by,
    acting,
    ...(acting.forMs === undefined ? {} : { forMs: acting.forMs }),
  });
}

/**
 * Where a program set everything up, nobody is there to prove anything, and whoever runs it holds the state folder. This
 * holds until the first call is decided: from then on there are agents about, and a token takes a person. Where a person
 * sat at the terminal when it was set up, it never holds. What would speak for a person takes that person always: the
 * program that asks may be an agent that was here first.
 */
export async function addTokenAtSetUp(deps: Deps, holder: Holder): Promise<TokenMade> {
  if ("person" in holder) {
    const what = say("refusal.token_needs_person", { person: holder.person });
    return refused("LEEWAY_ASSURANCE", what, say("hint.their_passphrase"));
  }
  const [added] = await entriesOf(deps, "person.added");
  const [called] = await entriesOf(deps, "call.decided");
  const isBeingSetUp = called === undefined && added?.body?.json["assurance"] === "process";
  const mayAdd = (): Refused | undefined =>
    isBeingSetUp
      ? undefined
      : refused("LEEWAY_ASSURANCE", say("refusal.token_needs_proof"), say("hint.your_passphrase"));
  return makeToken(deps, holder, { mayAdd, by: "leeway" });
}

function entriesOf({ store, workspace }: Deps, kind: EntryKind): Promise<readonly Entry[]> {
  return store.read({ ask: "entries", workspace, where: { kinds: [kind] }, limit: 1, order: "oldest" });
}

type Making = {
  mayAdd(inForce: HeldStanding): Refused | undefined;
  by: Token["by"];
  acting?: Acting;
  forMs?: number;
  /** What else changes with it. */
  also?(nowMs: number): Promise<readonly Piece[]>;
};

export function makeToken(
  deps: Deps,
  holder: Holder,
  { mayAdd, by: maker, acting, forMs, also }: Making,
): Promise<TokenMade> {
  const secret = newSecret(deps);
  return actStep(deps, async (nowMs, inForce): Promise<Step<NewToken>> => {
    const no = mayAdd(inForce) ?? noHolder(inForce, holder);
    if (no !== undefined) return no;
    const id = deps.mint.next("tok");
    // Whoever made what they came with could have made this, and is who made it.
    const by = (acting && makerFor(inForce, acting)) ?? maker;
    const token: Token = {
      id,
      workspace: deps.workspace,
      lock: lockOf(deps, secret, opens(id, holder)),
      holder,
      createdMs: nowMs,
      by,
      ...(forMs === undefined ? {} : { untilMs: nowMs + forMs }),
      state: "live",
    };
    const kept = keeping(deps, token, undefined, "token.added", maker === "leeway" ? maker : `person:${maker}`);
    const pieces = [kept, ...toldOfToken(deps, inForce, token, nowMs), ...((await also?.(nowMs)) ?? [])];
    return { ok: true, pieces, value: { token, text: textOf(id, secret) } };
  });
}

function makerFor({ rows: { people } }: HeldStanding, acting: Acting): PersonName | undefined {
  const person = people.find(({ name }) => name === acting.by);
  return person && makerOf(person, acting);
}

/** Who made a person's token, where that was somebody else: a yes that is given with it counts as theirs. */
export function makerOfToken({ holder, by }: Token): PersonName | undefined {
  return "agent" in holder || by === "leeway" || by === holder.person ? undefined : by;
}

/** Of an invitation nobody is told: who gets it is not here yet. */
const MADE = {
  read: "notice.token_read",
  approve: "notice.token_approve",
  "sign-in": "notice.link_made",
} as const;

function toldOfToken(deps: Deps, inForce: HeldStanding, token: Token, nowMs: number): readonly Piece[] {
  const { holder, id: ref } = token;
  const who = makerOfToken(token);
  if (who === undefined || "agent" in holder || holder.can === "join") return [];
  const { person, can } = holder;
  const title = say(MADE[can], { by: who, person });
  return [toldOfAccess(deps, inForce, { to: person, title, text: say("notice.revoke_if_not_asked"), ref, nowMs })];
}

function noHolder(inForce: InForce, holder: Holder): Refused | undefined {
  if ("agent" in holder) {
    const isName = /^[^\s\p{C}]{1,128}$/u.test(holder.agent);
    if (!isName) return refused("LEEWAY_BAD_INPUT", say("refusal.not_agent_name"), say("hint.letters_digits"));
    // Nobody should have to guess from a name whether a person did something or a program.
    if (!isPerson(inForce, holder.agent)) return undefined;
    return refused(
      "LEEWAY_BAD_INPUT",
      say("refusal.agent_is_person", { name: holder.agent }),
      say("hint.agent_otherwise"),
    );
  }
  if (isPerson(inForce, holder.person)) return undefined;
  return refused(
    "LEEWAY_NOT_FOUND",
    say("refusal.unknown_person", { person: holder.person }),
    say("hint.people_list_shows"),
  );
}

function isPerson(inForce: InForce, name: string): boolean {
  return inForce.rows.people.some((person) => person.name === name && person.state === "active");
}

/** A token, and the epoch of what it was found in. */
export type FoundToken = { token: Token; epoch: number };

/** The live token of this text. Unknown, revoked, used and outlived are told apart by nobody. */
export async function tokenOf(deps: Deps, text: string): Promise<Token | undefined> {
  return (await tokenNow(deps, text))?.token;
}

/** The same, with the epoch: whoever commits with it as a need has done nothing with a token that was revoked before. */
export async function tokenNow(deps: Deps, text: string): Promise<FoundToken | undefined> {
  const shown = shownIn(text);
  if (shown === undefined) return undefined;
  const inForce = await deps.standing.current();
  const token = remembered(deps, inForce, shown.id) ?? (await lookedUp(deps, inForce, shown.id));
  if (token === undefined || !isGood(deps, inForce, token, shown.secret)) return undefined;
  if (token.untilMs !== undefined && (await timeToRead(deps)) >= token.untilMs) return undefined;
  return { token, epoch: inForce.rows.epoch };
}

/**
 * The same by what was last read, without a look at the store: good for nothing until the store has said that this epoch
 * still holds. Nothing also where the store has to be looked at or written for another reason.
 */
export function tokenKnown(deps: Deps, text: string): FoundToken | undefined {
  const shown = shownIn(text);
  const inForce = deps.standing.known();
  if (shown === undefined || inForce === undefined) return undefined;
  const token = remembered(deps, inForce, shown.id);
  if (token === undefined || !isGood(deps, inForce, token, shown.secret) || !isNoted(deps, token)) return undefined;
  if (token.untilMs !== undefined && (deps.clock.isDue() || deps.clock.nowMs() >= token.untilMs)) return undefined;
  return { token, epoch: inForce.rows.epoch };
}

const TOKEN_TEXT = /^lwy_([0-9a-z]+)_([0-9a-f]{64})$/;

function shownIn(text: string): { id: TokenId; secret: string } | undefined {
  const [, tail, secret] = TOKEN_TEXT.exec(text) ?? [];
  return tail === undefined || secret === undefined ? undefined : { id: `tok_${tail}`, secret };
}

/** Live tokens by id, each with the epoch that it was looked up under and the hash of the bucket that proved it. */
type LookedUp = { token: Token; epoch: number; hash: Hash | undefined };
const looked = new WeakMap<Deps, Map<TokenId, LookedUp>>();

/** As it was looked up before, as long as nothing changed, or nothing in its bucket. */
function remembered(deps: Deps, inForce: InForce, id: TokenId): Token | undefined {
  const known = looked.get(deps)?.get(id);
  if (known === undefined) return undefined;
  if (known.epoch === inForce.rows.epoch) return known.token;
  const isSame = known.hash !== undefined && known.hash === inForce.buckets.get(tokenBucket(known.token.holder));
  if (isSame) return known.token;
  looked.get(deps)?.delete(id);
  return undefined;
}

/** What is live now was live before or not yet there: so the epoch may be one from before it was looked up. */
async function lookedUp(deps: Deps, inForce: InForce, id: TokenId): Promise<Token | undefined> {
  const token = (await tokenAt(deps, id))?.row;
  if (token?.state !== "live") return undefined;
  const here = looked.get(deps) ?? new Map<TokenId, LookedUp>();
  const hash = inForce.buckets.get(tokenBucket(token.holder));
  looked.set(deps, here.set(id, { token, epoch: inForce.rows.epoch, hash }));
  return token;
}

/** Whether its time is over is for whoever asks to see. */
function isGood(deps: Deps, { rows }: InForce, token: Token, secret: string): boolean {
  return isTokenOf(deps, token, secret) && isHeld(token, rows.people);
}

/** Every live token of an agent or a person. */
export async function liveTokensOf(
  { store, workspace }: Deps,
  holder: { agent: AgentName } | { person: PersonName },
): Promise<readonly Versioned<"tokens">[]> {
  const found = await store.read({
    ask: "rows",
    workspace,
    table: "tokens",
    where: { collect: tokenBucket(holder) },
    limit: Number.MAX_SAFE_INTEGER,
    order: "oldest",
  });
  return found.filter(({ row }) =>
    "agent" in holder
      ? "agent" in row.holder && row.holder.agent === holder.agent
      : "person" in row.holder && row.holder.person === holder.person,
  );
}

function isHeld({ holder, createdMs }: Token, people: readonly Person[]): boolean {
  return "agent" in holder || people.some((one) => one.name === holder.person && isTheirs(one, createdMs));
}

/** By the row that it was looked up in: whatever changes the row, or the standing, has it looked at anew. */
const opened = new WeakMap<Token, Buffer>();

/** A token comes with every request, and unsealing its lock each time would cost more than the rest of knowing who asks. */
function isTokenOf(deps: Deps, token: Token, secret: string): boolean {
  const shown = Buffer.from(sha256(secret));
  const known = opened.get(token);
  if (known !== undefined) return timingSafeEqual(known, shown);
  if (!isOpenedBy(deps, token.lock, secret, opens(token.id, token.holder))) return false;
  opened.set(token, shown);
  return true;
}

/** Often enough to tell a token that is in use from one that is not, seldom enough to cost nothing. */
const USED_EVERY_MS = 60_000;

const noted = new WeakMap<Deps, Map<TokenId, number>>();

/** Bookkeeping: no entry tells of it, and the standing need not be read again for it. */
export async function noteUse(deps: Deps, { id }: Pick<Token, "id">): Promise<void> {
  if (isNoted(deps, { id })) return;
  const here = noted.get(deps) ?? new Map<TokenId, number>();
  noted.set(deps, here.set(id, deps.clock.nowMs()));
  await commitStep(deps, async (nowMs): Promise<Step<undefined>> => {
    const held = await tokenAt(deps, id);
    const isNews = held !== undefined && nowMs - (held.row.usedMs ?? 0) >= USED_EVERY_MS;
    if (!isNews) return { ok: true, pieces: [], value: undefined };
    const needs = [unchanged("tokens", id, held.version)];
    return { ok: true, pieces: [{ needs, writes: [put("tokens", { ...held.row, usedMs: nowMs })] }], value: undefined };
  });
}

function isNoted(deps: Deps, { id }: Pick<Token, "id">): boolean {
  return deps.clock.nowMs() - (noted.get(deps)?.get(id) ?? 0) < USED_EVERY_MS;
}

/** A link signs in once. Of two who follow it at once, one is too late. */
export async function useUp(deps: Deps, token: Token): Promise<{ ok: true; value: Token } | Refused> {
  return actStep(deps, (nowMs, inForce) => usedUp(deps, inForce, token, nowMs));
}

/** The same as a part of a larger step. */
export async function usedUp(deps: Deps, inForce: HeldStanding, { id }: Token, nowMs: number): Promise<Step<Token>> {
  const held = await tokenAt(deps, id);
  const isOver = held?.row.untilMs !== undefined && nowMs >= held.row.untilMs;
  if (held?.row.state !== "live" || isOver || !isHeld(held.row, inForce.rows.people))
    return refused("LEEWAY_FORBIDDEN", say("refusal.link_used"), say("hint.ask_for_another"));
  const used: Token = { ...held.row, state: "used", atMs: nowMs };
  return { ok: true, pieces: [keeping(deps, used, held, "token.used", "leeway")], value: used };
}

/** One's own, or anybody's for an admin. What takes authority away needs no proof beyond being signed in. */
export async function revokeToken(
  deps: Deps,
  id: string,
  { by }: Pick<Acting, "by">,
): Promise<{ ok: true; value: Token } | Refused> {
  return actStep(deps, async (nowMs, inForce): Promise<Step<Token>> => {
    const held = await tokenAt(deps, id);
    if (held === undefined)
      return refused("LEEWAY_NOT_FOUND", say("refusal.no_token", { id }), say("hint.tokens_list"));
    const { holder, state } = held.row;
    const isOwn = "person" in holder && holder.person === by;
    const acting = isOwn ? actingPerson(inForce, by) : actingAdmin(inForce, by, say("act.revoke_token"));
    if ("code" in acting) return acting;
    if (state !== "live") return { ok: true, pieces: [], value: held.row };
    const revoked = revoking(deps, held, { by, nowMs });
    return { ok: true, pieces: [revoked.piece], value: revoked.token };
  });
}

function revoking(deps: Deps, held: Versioned<"tokens">, { by, nowMs }: { by: PersonName; nowMs: number }) {
  const token: Token = { ...held.row, state: "revoked", atMs: nowMs, by };
  return { token, piece: keeping(deps, token, held, "token.revoked", `person:${by}`) };
}

/** What ends every token of a person, or only the links that let somebody in under their name. */
export async function revokedTokensOf(
  deps: Deps,
  whose: { person: PersonName; only?: "links"; but?: TokenId },
  how: { by: PersonName; nowMs: number },
): Promise<readonly Piece[]> {
  const { person, only, but } = whose;
  const live = await liveTokensOf(deps, { person });
  return live
    .filter(({ row: { id, holder } }) => {
      const isLink = "person" in holder && (holder.can === "sign-in" || holder.can === "join");
      return id !== but && (only !== "links" || isLink);
    })
    .map((held) => revoking(deps, held, how).piece);
}

/** Those that are over too. */
export async function listTokens({ store, workspace }: Deps): Promise<readonly Token[]> {
  const limit = await store.read({ ask: "count", workspace, table: "tokens", where: {} });
  const rows = await store.read({ ask: "rows", workspace, table: "tokens", where: {}, limit, order: "oldest" });
  return rows.map(({ row }) => row);
}

function tokenAt(deps: Deps, id: string): Promise<Versioned<"tokens"> | undefined> {
  return deps.store.read({ ask: "row", workspace: deps.workspace, table: "tokens", id });
}

function textOf(id: TokenId, secret: string): string {
  return `lwy_${id.slice("tok_".length)}_${secret}`;
}

function opens(id: TokenId, holder: Holder): string {
  return `${id} ${canonical(holder)}`;
}

function keeping(deps: Deps, token: Token, held: Versioned<"tokens"> | undefined, kind: EntryKind, actor: Actor) {
  const { holder } = token;
  const subject = { token: token.id, ...("agent" in holder ? { agent: holder.agent } : { person: holder.person }) };
  return {
    needs: [unchanged("tokens", token.id, held?.version ?? 0)],
    writes: [put("tokens", token), { do: "turn" as const }],
    entries: [
      draft(deps.mint, { kind, actor, subject, body: { holder }, rows: [madeRow("tokens", token, held?.row)] }),
    ],
  };
}
