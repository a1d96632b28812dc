import { put, unchanged } from "../core/change.ts";
import { type Refused, refused } from "../core/codes.ts";
import type { PersonName, SignInId } from "../core/ids.ts";
import type { EntryKind } from "../core/ledger.ts";
import type { SignIn } from "../core/people.ts";
import type { Assurance } from "../core/policy.ts";
import type { Versioned } from "../core/rows.ts";
import { draft } from "../core/steps/draft.ts";
import { commitStep, type Step } from "./commit.ts";
import type { Deps } from "./deps.ts";
import { isOpenedBy, lockOf, newSecret } from "./locks.ts";

/** How long a browser stays signed in, whatever is done in it. */
export const SIGN_IN_MS = 12 * 3_600_000;
/** What gives leeway or authority wants a person who proved to be themself this recently. */
export const FRESH_MS = 5 * 60_000;

type Proof = { assurance: Assurance; browser: string };
type Changed = { ok: true; value: SignIn } | Refused;

/** Whoever calls this has just seen the proof. `text` goes into the browser's cookie and is kept nowhere else. */
export async function startSignIn(
  deps: Deps,
  person: PersonName,
  proof: Proof,
): Promise<{ ok: true; value: { signIn: SignIn; text: string } } | Refused> {
  const secret = newSecret(deps);
  return commitStep(deps, async (nowMs) => {
    if (!(await isActive(deps, person))) {
      return refused("LEEWAY_FORBIDDEN", `${person} may not sign in`, "ask an admin");
    }
    const id = deps.mint.next("sin");
    const signIn: SignIn = {
      id,
      workspace: deps.workspace,
      person,
      lock: lockOf(deps, secret, opens(id, person, proof.assurance)),
      assurance: proof.assurance,
      startedMs: nowMs,
      provedMs: nowMs,
      untilMs: nowMs + SIGN_IN_MS,
      browser: proof.browser.slice(0, BROWSER_LENGTH_MAX),
      state: "live",
    };
    const value = { signIn, text: `${id}.${secret}` };
    return { ok: true, pieces: [keeping(deps, signIn, undefined, "signin.started")], value };
  });
}

const BROWSER_LENGTH_MAX = 200;

/** The live sign-in of this cookie. A person who was removed is signed in nowhere. */
export async function signInOf(deps: Deps, text: string): Promise<SignIn | undefined> {
  const [, id, secret] = /^(sin_[0-9a-z]+)\.([0-9a-f]{64})$/.exec(text) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  const held = await signInAt(deps, id);
  if (held === undefined || !isLive(held.row, deps.clock.nowMs())) return undefined;
  const { lock, person, assurance } = held.row;
  if (!isOpenedBy(deps, lock, secret, opens(held.row.id, person, assurance))) return undefined;
  return (await isActive(deps, person)) ? held.row : undefined;
}

export function isFresh({ provedMs }: SignIn, nowMs: number): boolean {
  return nowMs - provedMs < FRESH_MS;
}

/** The same person proved it once more, in the same way or another: what they do next is theirs. */
export function proveAgain(deps: Deps, id: SignInId): Promise<Changed> {
  return changing(deps, id, (signIn, nowMs) => ({
    kind: "signin.proved",
    next: { ...signIn, provedMs: nowMs },
  }));
}

export function endSignIn(deps: Deps, id: string, { by }: { by: PersonName }): Promise<Changed> {
  return changing(deps, id, (signIn, nowMs) => {
    if (signIn.person !== by) return refused("LEEWAY_FORBIDDEN", "that is somebody else's sign-in", "end your own");
    return { kind: "signin.ended", next: { ...signIn, state: "ended", atMs: nowMs } };
  });
}

const LISTED_MAX = 500;

/** Where a person is signed in now, newest first. */
export async function listSignIns(deps: Deps, person: PersonName): Promise<readonly SignIn[]> {
  const nowMs = deps.clock.nowMs();
  const live = await deps.store.read({
    ask: "rows",
    workspace: deps.workspace,
    table: "signins",
    where: { state: "live" },
    limit: LISTED_MAX,
    order: "newest",
  });
  return live.map(({ row }) => row).filter((row) => row.person === person && isLive(row, nowMs));
}

function isLive(signIn: SignIn, nowMs: number): boolean {
  return signIn.state === "live" && nowMs < signIn.untilMs;
}

async function isActive(deps: Deps, name: PersonName): Promise<boolean> {
  const { people } = (await deps.standing.current()).rows;
  return people.some((person) => person.name === name && person.state === "active");
}

function changing(
  deps: Deps,
  id: string,
  change: (signIn: SignIn, nowMs: number) => { kind: EntryKind; next: SignIn } | Refused,
): Promise<Changed> {
  return commitStep(deps, async (nowMs): Promise<Step<SignIn>> => {
    const held = await signInAt(deps, id);
    if (held === undefined || !isLive(held.row, nowMs)) {
      return refused("LEEWAY_NOT_FOUND", "that sign-in is over", "sign in again");
    }
    const changed = change(held.row, nowMs);
    if ("code" in changed) return changed;
    return { ok: true, pieces: [keeping(deps, changed.next, held, changed.kind)], value: changed.next };
  });
}

function signInAt(deps: Deps, id: string): Promise<Versioned<"signins"> | undefined> {
  return deps.store.read({ ask: "row", workspace: deps.workspace, table: "signins", id });
}

/** A proof of one kind must not pass for a better one. */
function opens(id: SignInId, person: PersonName, assurance: Assurance): string {
  return `${id} ${person} ${assurance}`;
}

function keeping(deps: Deps, signIn: SignIn, held: Versioned<"signins"> | undefined, kind: EntryKind) {
  const { id, person, assurance, browser } = signIn;
  return {
    needs: [unchanged("signins", id, held?.version ?? 0)],
    writes: [put("signins", signIn)],
    entries: [
      draft(deps.mint, {
        kind,
        actor: `person:${person}`,
        subject: { person },
        body: { signIn: id, assurance, browser },
      }),
    ],
  };
}
