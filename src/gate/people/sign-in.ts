import { type Piece, put, unchanged } from "../../core/change.ts";
import { type Refused, refused } from "../../core/codes.ts";
import type { PersonName, SignInId } from "../../core/ids.ts";
import type { EntryKind } from "../../core/ledger.ts";
import { type Message, say } from "../../core/messages/message.ts";
import { isTheirs, type Person, type SignIn } from "../../core/people.ts";
import type { Assurance } from "../../core/policy.ts";
import { madeRow } from "../../core/rows/row-hash.ts";
import type { Versioned } from "../../core/rows/rows.ts";
import { browserText } from "../../core/show/browser.ts";
import { draft } from "../../core/steps/draft.ts";
import { isVouchedSignIn } from "../calls/vouched.ts";
import type { Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import type { InForce } from "../standing/standing.ts";
import { timeToRead } from "../time/clock.ts";
import { toldOfAccess } from "./access-notices.ts";
import { actStep, type HeldStanding } from "./acting.ts";
import { isOpenedBy, lockOf, newSecret } from "./secret-locks.ts";

/** How long a sign-in lasts, also if it is used. */
const SIGN_IN_MS = 12 * 3_600_000;
/** Acts that give leeway or authority need a sign-in that is at most this old. */
const FRESH_MS = 5 * 60_000;

/** `madeBy`: who made the link that was used, if it was somebody else. */
type Proof = { assurance: Assurance; browser: string; madeBy?: PersonName };
type Changed = { ok: true; value: SignIn } | Refused;
/** `text` is the value of the browser's cookie, and is stored nowhere else. */
type SignedIn = { ok: true; value: { signIn: SignIn; text: string } } | Refused;

/** The caller must have checked the proof. */
export async function startSignIn(deps: Deps, person: PersonName, proof: Proof): Promise<SignedIn> {
  const secret = newSecret(deps);
  return actStep(deps, async (nowMs, inForce) => {
    if (personNow(inForce, person) === undefined) {
      return refused("LEEWAY_FORBIDDEN", say("refusal.may_not_sign_in", { person }), say("hint.ask_admin"));
    }
    const { assurance, madeBy } = proof;
    const proved = {
      id: deps.mint.next("sin"),
      person,
      assurance,
      ...(madeBy === undefined ? {} : { madeBy }),
      startedMs: nowMs,
      // A link may have been forwarded, so it proves less than a passphrase.
      provedMs: assurance === "token" ? nowMs - FRESH_MS : nowMs,
      untilMs: nowMs + SIGN_IN_MS,
    };
    const signIn: SignIn = {
      ...proved,
      workspace: deps.workspace,
      lock: lockOf(deps, secret, opens(proved)),
      browser: proof.browser.slice(0, BROWSER_LENGTH_MAX),
      state: "live",
    };
    const pieces = [keeping(deps, signIn, undefined, "signin.started"), told(deps, inForce, signIn)];
    return { ok: true, pieces, value: { signIn, text: textOf(signIn, secret) } };
  });
}

function told(
  deps: Deps,
  inForce: HeldStanding,
  { id: ref, person, assurance, browser, startedMs: nowMs }: SignIn,
): Piece {
  const text = say("notice.signed_in_by", {
    means: MEANS[assurance] ?? assurance,
    browser: browser === "" ? say("notice.unknown_browser") : browserText(browser),
  });
  const title = say("notice.signed_in", { person });
  return toldOfAccess(deps, inForce, { to: person, title, text, ref, nowMs });
}

/** The name of the way to sign in, for people. */
const MEANS: { readonly [by in Assurance]?: Message } = {
  token: say("notice.by_link"),
  password: say("notice.by_passphrase"),
  passkey: say("notice.by_passkey"),
  oidc: say("notice.by_account"),
};

function textOf({ id }: SignIn, secret: string): string {
  return `${id}.${secret}`;
}

const BROWSER_LENGTH_MAX = 200;

/** The live sign-in of this cookie. A removed person has none. */
export async function signInOf(deps: Deps, text: string): Promise<SignIn | undefined> {
  const [, id, secret] = /^(sin_[0-9a-z]+)\.([0-9a-f]{64})$/.exec(text) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  const held = await signInAt(deps, id);
  if (held === undefined || !isLive(held.row, await timeToRead(deps))) return undefined;
  const { lock, person } = held.row;
  if (!isOpenedBy(deps, lock, secret, opens(held.row))) return undefined;
  // If somebody puts back the row as it was before the sign-in ended, its hash still matches. So the ledger is compared too.
  if (!(await isVouchedSignIn(deps, held.row))) return undefined;
  const now = personNow(await deps.standing.current(), person);
  return now !== undefined && isTheirs(now, held.row.startedMs) ? held.row : undefined;
}

export function isFresh({ provedMs }: SignIn, nowMs: number): boolean {
  return nowMs - provedMs < FRESH_MS;
}

/**
 * The person proved again who they are, so the sign-in is fresh. It gets a new secret, so that somebody with a copy of the
 * old cookie does not become fresh too.
 */
export async function proveAgain(deps: Deps, id: SignInId): Promise<SignedIn> {
  const secret = newSecret(deps);
  const proved = await changing(deps, id, (signIn, nowMs) => ({
    kind: "signin.proved",
    next: { ...signIn, lock: lockOf(deps, secret, opens({ ...signIn, provedMs: nowMs })), provedMs: nowMs },
  }));
  return proved.ok ? { ok: true, value: { signIn: proved.value, text: textOf(proved.value, secret) } } : proved;
}

export function endSignIn(deps: Deps, id: string, { by }: { by: PersonName }): Promise<Changed> {
  return changing(deps, id, (signIn, nowMs) => {
    if (signIn.person !== by)
      return refused("LEEWAY_FORBIDDEN", say("refusal.not_your_sign_in"), say("hint.end_your_own"));
    return { kind: "signin.ended", next: over(deps, signIn, nowMs) };
  });
}

/** The live sign-ins of a person, newest first. */
export async function listSignIns(deps: Deps, person: PersonName): Promise<readonly SignIn[]> {
  const now = personNow(await deps.standing.current(), person);
  const live = (await liveOf(deps, person, deps.clock.nowMs())).map(({ row }) => row);
  return live.filter(({ startedMs }) => now !== undefined && isTheirs(now, startedMs));
}

/** Ends the sign-ins of a person, except the named one. */
export async function endedSignInsOf(
  deps: Deps,
  whose: { person: PersonName; but?: SignInId },
  how: { by: PersonName; nowMs: number },
): Promise<readonly Piece[]> {
  const { by, nowMs } = how;
  const live = await liveOf(deps, whose.person, nowMs);
  return live
    .filter(({ row }) => row.id !== whose.but)
    .map((held) => keeping(deps, over(deps, held.row, nowMs), held, "signin.ended", by));
}

const PAGE = 500;

/** Newest first, so reading can stop at the first one that is older than a sign-in lasts. */
async function liveOf(deps: Deps, person: PersonName, nowMs: number): Promise<readonly Versioned<"signins">[]> {
  const found: Versioned<"signins">[] = [];
  for (let after: { sortMs: number; id: string } | undefined; ; ) {
    const page = await deps.store.read({
      ask: "rows",
      workspace: deps.workspace,
      table: "signins",
      where: { state: "live" },
      limit: PAGE,
      order: "newest",
      ...(after === undefined ? {} : { after }),
    });
    found.push(...page.filter(({ row }) => row.person === person && isLive(row, nowMs)));
    const last = page.at(-1)?.row;
    if (last === undefined || page.length < PAGE || !isLive(last, nowMs)) return found;
    after = { sortMs: last.startedMs, id: last.id };
  }
}

function isLive(signIn: SignIn, nowMs: number): boolean {
  return signIn.state === "live" && nowMs < signIn.untilMs;
}

function personNow({ rows: { people } }: InForce, name: PersonName): Person | undefined {
  return people.find((person) => person.name === name && person.state === "active");
}

function changing(
  deps: Deps,
  id: string,
  change: (signIn: SignIn, nowMs: number) => { kind: EntryKind; next: SignIn } | Refused,
): Promise<Changed> {
  return actStep(deps, async (nowMs, inForce): Promise<Step<SignIn>> => {
    const held = await signInAt(deps, id);
    const person = held === undefined ? undefined : personNow(inForce, held.row.person);
    if (held === undefined || !isLive(held.row, nowMs) || person === undefined) {
      return refused("LEEWAY_NOT_FOUND", say("refusal.sign_in_over"), say("hint.sign_in_again"));
    }
    const changed = change(held.row, nowMs);
    if ("code" in changed) return changed;
    return { ok: true, pieces: [keeping(deps, changed.next, held, changed.kind)], value: changed.next };
  });
}

function signInAt(deps: Deps, id: string): Promise<Versioned<"signins"> | undefined> {
  return deps.store.read({ ask: "row", workspace: deps.workspace, table: "signins", id });
}

/** Replaces the hash with one that no secret matches, so that editing the state in the database does not make the sign-in live again. */
function over(deps: Deps, signIn: SignIn, nowMs: number): SignIn {
  return { ...signIn, lock: lockOf(deps, newSecret(deps), "nothing"), state: "ended", atMs: nowMs };
}

type Locked = Pick<SignIn, "id" | "person" | "assurance" | "madeBy" | "startedMs" | "provedMs" | "untilMs">;

/** The person, the way of signing in and the times are encrypted with the hash, so that nobody can change them. */
function opens({ id, person, assurance, madeBy, startedMs, provedMs, untilMs }: Locked): string {
  return [id, person, assurance, startedMs, provedMs, untilMs, ...(madeBy === undefined ? [] : [madeBy])].join(" ");
}

function keeping(
  deps: Deps,
  signIn: SignIn,
  held: Versioned<"signins"> | undefined,
  kind: EntryKind,
  by: PersonName = signIn.person,
): Piece {
  const { id, person, assurance, browser } = signIn;
  return {
    needs: [unchanged("signins", id, held?.version ?? 0)],
    writes: [put("signins", signIn)],
    entries: [
      draft(deps.mint, {
        kind,
        actor: `person:${by}`,
        subject: { person },
        body: { signIn: id, assurance, browser },
        rows: [madeRow("signins", signIn, held?.row)],
      }),
    ],
  };
}
