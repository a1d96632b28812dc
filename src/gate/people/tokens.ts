import { timingSafeEqual } from "node:crypto";
import { type Piece, put, unchanged } from "../../core/change.ts";
import { type Refused, refused } from "../../core/codes.ts";
import { type AgentName, FIRST_WORKSPACE, type PersonName, type TokenId, type WorkspaceId } from "../../core/ids.ts";
import type { Actor, Entry, EntryKind } from "../../core/ledger.ts";
import { say } from "../../core/messages/message.ts";
import { type Holder, isTheirs, makerOf, type Person, type Token } from "../../core/people.ts";
import { madeRow } from "../../core/rows/row-hash.ts";
import { tokenBucket, type Versioned } from "../../core/rows/rows.ts";
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

/** `text` is shown once; it cannot be computed from the row. */
type NewToken = { token: Token; text: string };
export type TokenMade = { ok: true; value: NewToken } | Refused;

/** Makes a token for oneself; an admin can make one for any person and any agent. */
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
 * If a program set up the gate, nobody can prove anything, and whoever runs the program has access to the state folder. So
 * a token for an agent can be made without a proof until the first call is decided. After that a person is needed, because
 * there are agents. If a person set up the gate at a terminal, a proof is always needed. A token for a person always needs
 * that person, because the program may be an agent.
 */
export async function addTokenAtSetUp(deps: Deps, holder: Holder): Promise<TokenMade> {
  if ("person" in holder) {
    const what = say("refusal.token_needs_person", { person: holder.person });
    return refused("LEEWAY_ASSURANCE", what, say("hint.their_passphrase"));
  }
  const [added] = await entriesOf(deps, "person.added");
  const [called] = await entriesOf(deps, "call.decided");
  // A token that may say for whom an agent acts can make decisions looser, so it always needs a person.
  const isPlain = holder.can === undefined;
  const isBeingSetUp = isPlain && called === undefined && added?.body?.json["assurance"] === "process";
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
  /** Further writes of the same Change. */
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
    // If the person used a token or link of somebody else, that person counts as the maker.
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
    return { ok: true, pieces, value: { token, text: textOf(deps, id, secret) } };
  });
}

function makerFor({ rows: { people } }: HeldStanding, acting: Acting): PersonName | undefined {
  const person = people.find(({ name }) => name === acting.by);
  return person && makerOf(person, acting);
}

/** Who made a person's token, if it was somebody else. An approval with this token counts as the maker's. */
export function makerOfToken({ holder, by }: Token): PersonName | undefined {
  return "agent" in holder || by === "leeway" || by === holder.person ? undefined : by;
}

/** Nobody is told about an invitation, because its person has no account yet. */
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
    // The name of an agent must not be the name of a person, so that entries are clear.
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

/** A token, and the epoch in which it was found. */
export type FoundToken = { token: Token; epoch: number };

/** The live token of this text; undefined if it is unknown, revoked, used or expired. */
export async function tokenOf(deps: Deps, text: string): Promise<Token | undefined> {
  return (await tokenNow(deps, text))?.token;
}

/** The same with its epoch. A Change that needs this epoch cannot be committed with a token that was revoked before. */
export async function tokenNow(deps: Deps, text: string): Promise<FoundToken | undefined> {
  const shown = shownIn(deps, text);
  if (shown === undefined) return undefined;
  const inForce = await deps.standing.current();
  const token = remembered(deps, inForce, shown.id) ?? (await lookedUp(deps, inForce, shown.id));
  if (token === undefined || !isGood(deps, inForce, token, shown.secret)) return undefined;
  if (token.untilMs !== undefined && (await timeToRead(deps)) >= token.untilMs) return undefined;
  return { token, epoch: inForce.rows.epoch };
}

/**
 * The same from the cache, without reading the store. It must not be used before the store has confirmed this epoch.
 * Undefined also if the store must be read or written for another reason.
 */
export function tokenKnown(deps: Deps, text: string): FoundToken | undefined {
  const shown = shownIn(deps, text);
  const inForce = deps.standing.known();
  if (shown === undefined || inForce === undefined) return undefined;
  const token = remembered(deps, inForce, shown.id);
  if (token === undefined || !isGood(deps, inForce, token, shown.secret) || !isNoted(deps, token)) return undefined;
  if (token.untilMs !== undefined && (deps.clock.isDue() || deps.clock.nowMs() >= token.untilMs)) return undefined;
  return { token, epoch: inForce.rows.epoch };
}

/** The name at the end is that of its workspace; a token of the first one has none. */
const TOKEN_TEXT = /^lwy_([0-9a-z]+)_([0-9a-f]{64})(?:\.([A-Za-z0-9._-]{1,64}))?$/;

/** A token that names another workspace is not looked up here. */
function shownIn({ workspace }: Deps, text: string): { id: TokenId; secret: string } | undefined {
  const [, tail, secret, named = workspace] = TOKEN_TEXT.exec(text) ?? [];
  if (tail === undefined || secret === undefined || named !== workspace) return undefined;
  return { id: `tok_${tail}`, secret };
}

/** The workspace that a token names. This proves nothing: the token is then looked up there, and only there. */
export function workspaceNamed(text: string): WorkspaceId | undefined {
  return TOKEN_TEXT.exec(text)?.[3];
}

/** Live tokens by id, each with the epoch in which it was read and the hash of its bucket. */
type LookedUp = { token: Token; epoch: number; hash: Hash | undefined };
const looked = new WeakMap<Deps, Map<TokenId, LookedUp>>();

/** The cached token, if nothing in its bucket has changed. */
function remembered(deps: Deps, inForce: InForce, id: TokenId): Token | undefined {
  const known = looked.get(deps)?.get(id);
  if (known === undefined) return undefined;
  if (known.epoch === inForce.rows.epoch) return known.token;
  const isSame = known.hash !== undefined && known.hash === inForce.buckets.get(tokenBucket(known.token.holder));
  if (isSame) return known.token;
  looked.get(deps)?.delete(id);
  return undefined;
}

/** A token that is live now was live before or did not exist. So the epoch may be from before the token was read. */
async function lookedUp(deps: Deps, inForce: InForce, id: TokenId): Promise<Token | undefined> {
  const token = (await tokenAt(deps, id))?.row;
  if (token?.state !== "live") return undefined;
  const here = looked.get(deps) ?? new Map<TokenId, LookedUp>();
  const hash = inForce.buckets.get(tokenBucket(token.holder));
  looked.set(deps, here.set(id, { token, epoch: inForce.rows.epoch, hash }));
  return token;
}

/** The caller must check whether it has expired. */
function isGood(deps: Deps, { rows }: InForce, token: Token, secret: string): boolean {
  return isTokenOf(deps, token, secret) && isHeld(token, rows.people);
}

/** All live tokens of an agent or a person. */
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

/** Cached by the row object: if the row or the standing changes, the hash is decrypted again. */
const opened = new WeakMap<Token, Buffer>();

/** A token comes with every request, and decrypting its hash each time would take most of the time of authentication. */
function isTokenOf(deps: Deps, token: Token, secret: string): boolean {
  const shown = Buffer.from(sha256(secret));
  const known = opened.get(token);
  if (known !== undefined) return timingSafeEqual(known, shown);
  if (!isOpenedBy(deps, token.lock, secret, opens(token.id, token.holder))) return false;
  opened.set(token, shown);
  return true;
}

/** How often the last use of a token is stored. */
const USED_EVERY_MS = 60_000;

const noted = new WeakMap<Deps, Map<TokenId, number>>();

/** The last use is stored without an entry and without a new epoch. */
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

/** A link can be used once, also if it is opened twice at the same time. */
export async function useUp(deps: Deps, token: Token): Promise<{ ok: true; value: Token } | Refused> {
  return actStep(deps, (nowMs, inForce) => usedUp(deps, inForce, token, nowMs));
}

/** The same as part of another step. */
export async function usedUp(deps: Deps, inForce: HeldStanding, { id }: Token, nowMs: number): Promise<Step<Token>> {
  const held = await tokenAt(deps, id);
  const isOver = held?.row.untilMs !== undefined && nowMs >= held.row.untilMs;
  if (held?.row.state !== "live" || isOver || !isHeld(held.row, inForce.rows.people))
    return refused("LEEWAY_FORBIDDEN", say("refusal.link_used"), say("hint.ask_for_another"));
  const used: Token = { ...held.row, state: "used", atMs: nowMs };
  return { ok: true, pieces: [keeping(deps, used, held, "token.used", "leeway")], value: used };
}

/** Revokes a person's own token; an admin can revoke any token. A fresh proof is not needed, because it takes authority away. */
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

/** Ends all tokens of a person, or only the links with which somebody could sign in. */
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

/** Includes ended ones. */
export async function listTokens({ store, workspace }: Deps): Promise<readonly Token[]> {
  const limit = await store.read({ ask: "count", workspace, table: "tokens", where: {} });
  const rows = await store.read({ ask: "rows", workspace, table: "tokens", where: {}, limit, order: "oldest" });
  return rows.map(({ row }) => row);
}

function tokenAt(deps: Deps, id: string): Promise<Versioned<"tokens"> | undefined> {
  return deps.store.read({ ask: "row", workspace: deps.workspace, table: "tokens", id });
}

function textOf({ workspace }: Deps, id: TokenId, secret: string): string {
  const text = `lwy_${id.slice("tok_".length)}_${secret}`;
  return workspace === FIRST_WORKSPACE ? text : `${text}.${workspace}`;
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
