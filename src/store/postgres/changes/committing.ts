import type { Committed } from "../../../core/change.ts";
import type { WorkspaceId } from "../../../core/ids.ts";
import type { Observers } from "../../../observer-port.ts";
import { StoreUnavailable } from "../../../ports.ts";
import { Unfit } from "../../grouping.ts";
import { FIRST_EPOCH, indexAt, placeOf, SPACES_MAX } from "../../sql/places.ts";
import type { Ready } from "../../sql/prepare.ts";
import { storedText } from "../../sql/text.ts";
import type { Secrets } from "../secrets.ts";
import { isOfValues, isTaken, isUnanswered } from "../server/faults.ts";
import { patiently } from "../server/patience.ts";
import type { Server } from "../server/server.ts";
import type { Session } from "../server/session.ts";
import { refuseWithoutStandby } from "../server/standby.ts";
import { applyTo } from "./apply.ts";
import { type LoadedHead, load, type SeenHead } from "./loading.ts";
import { type BatchView, viewOf } from "./view.ts";
import { wantAgain, wantFor } from "./wanting.ts";
import { write } from "./writing.ts";

// Two ways to commit a batch, which end in the same statement. Alone on a workspace, a process usually knows everything
// from its last commit: it writes at once, and the stamp proves that nobody else wrote. If somebody did, the process
// takes the lock of the chain first, reads, and writes; and for the next batches too, because it is not alone.

/** After so many batches in which nobody else wrote between, the short way is tried again. */
const LOCKED_BATCHES = 8;

export type Applier = (batch: () => readonly Ready[]) => Promise<readonly Committed[]>;

type Workspace = {
  name: WorkspaceId;
  view: BatchView;
  secrets: Secrets;
  /** The end of the chain after the last commit of this process: it cannot disappear. */
  seen: SeenHead | undefined;
  /** How many batches must still take the lock. */
  locked: number;
  /** The last batch that took the lock: the next one is probably about the same agents. */
  last: readonly Ready[];
  /** Calls that seem new are not looked up: the index refuses a key that is taken. */
  trusting: boolean;
  observers: Observers;
};

/** Applies batches of Changes of one workspace. */
export function applierFor(
  server: Server,
  secrets: Secrets,
  name: WorkspaceId,
  observers: Observers = new Set(),
): Applier {
  const of: Workspace = {
    ...{ name, view: viewOf(), secrets, observers },
    ...{ seen: undefined, locked: 0, last: [], trusting: true },
  };
  return async (batch) => {
    let isInDoubt = false;
    try {
      return await patiently(async () => {
        try {
          return await applyBatch(server, of, batch);
        } catch (error) {
          // Whatever went wrong, what is known may be wrong now.
          of.view.forget();
          isInDoubt ||= isUnanswered(error);
          await refuseWithoutStandby(server, error);
          throw error;
        }
      });
    } catch (error) {
      throw isInDoubt && error instanceof StoreUnavailable ? inDoubt(error) : error;
    }
  };
}

function inDoubt(error: StoreUnavailable): StoreUnavailable {
  const { message, hint, cause, refused: why, lost } = error;
  return new StoreUnavailable(why ?? message, {
    hint,
    cause,
    isInDoubt: true,
    ...(lost === undefined ? {} : { lost }),
  });
}

async function applyBatch(server: Server, of: Workspace, batch: () => readonly Ready[]): Promise<readonly Committed[]> {
  of.trusting = true;
  if (of.locked === 0) {
    const done = await attempt(of, batch(), (ready) => server.use((session) => applyUnlocked(session, of, ready)));
    if (done !== undefined) return done;
    for (const observer of of.observers) observer.overtaken?.();
    of.locked = LOCKED_BATCHES;
  }
  return server.use((session) => applyLocked(session, of, batch));
}

/** Nothing, if the batch must be tried again under the lock. */
async function attempt(
  of: Workspace,
  ready: readonly Ready[],
  apply: (ready: readonly Ready[]) => Promise<readonly Committed[] | undefined>,
): Promise<readonly Committed[] | undefined> {
  try {
    return await apply(ready);
  } catch (error) {
    if (!isTaken(error)) throw isOfValues(error) ? await findUnfit(of, ready, apply, error) : error;
    of.view.forget();
    of.trusting = false;
    return undefined;
  }
}

/**
 * Returns the error to throw. A value that the server refuses fails the whole statement, so each Change is tried alone. Those that were applied
 * before the faulty one was found are recognised when they are sent again.
 */
async function findUnfit(
  of: Workspace,
  ready: readonly Ready[],
  apply: (ready: readonly Ready[]) => Promise<unknown>,
  error: unknown,
): Promise<unknown> {
  if (ready.length === 1) return new Unfit(0, error);
  of.trusting = false;
  for (const [place, one] of ready.entries()) {
    of.view.forget();
    try {
      await apply([one]);
    } catch (failure) {
      if (isOfValues(failure)) return new Unfit(place, failure);
      return failure;
    }
  }
  return error;
}

async function applyUnlocked(
  session: Session,
  of: Workspace,
  ready: readonly Ready[],
): Promise<readonly Committed[] | undefined> {
  begin(of, ready);
  const found = await answersIn(session, of, ready);
  if (found === undefined) return undefined;
  if (isMoved(of.view)) {
    if (!(await write(session, of.view, ready[0]?.atMs ?? 0))) return undefined;
    of.view.written();
    of.seen = seenIn(of.view);
    return found.answers;
  }
  // Only stale and known Changes: they are so only if what is known is still so.
  if (found.isFresh) return found.answers;
  const known = of.view.stamp();
  return (await load(session, of.view, of.name, of.seen))?.stamp === known ? found.answers : undefined;
}

async function applyLocked(
  session: Session,
  of: Workspace,
  batch: () => readonly Ready[],
): Promise<readonly Committed[]> {
  let ready: readonly Ready[] = [];
  try {
    const answers = await session.transaction(
      async () => {
        await lockAndRead(session, of, batch);
        // As late as possible, so that Changes that came while it waited for the lock join.
        ready = batch();
        want(of, ready);
        const found = await answersIn(session, of, ready);
        if (found === undefined) throw changedUnderLock();
        return found.answers;
      },
      async () => {
        if (!isMoved(of.view) || (await write(session, of.view, ready[0]?.atMs ?? 0))) return;
        throw changedUnderLock();
      },
    );
    if (isMoved(of.view)) of.view.written();
    of.seen = seenIn(of.view);
    of.last = ready;
    return answers;
  } catch (error) {
    if (!isOfValues(error)) throw error;
    await session.exec("rollback");
    if (of.trusting && isTaken(error)) {
      of.trusting = false;
      return applyLocked(session, of, () => ready);
    }
    throw await findUnfit(of, ready, (one) => applyLocked(session, of, () => one), error);
  }
}

function changedUnderLock(): Error {
  return new Error("the chain changed under its lock (this is a bug)");
}

/**
 * Both are sent at once. Somebody else has probably written, so what was known is read again, also what the Changes that
 * come while it waits for the lock will probably look at: another question would be asked with the lock held.
 */
async function lockAndRead(session: Session, of: Workspace, batch: () => readonly Ready[]): Promise<void> {
  const known = of.view.stamp();
  const restart = () => {
    of.view.forget();
    begin(of, batch());
    for (const one of of.last) wantAgain(of.view, one);
  };
  restart();
  const [isLocked] = await Promise.all([lock(session, of), read(session, of)]);
  if (!isLocked) {
    // A new workspace: reading has created it, or somebody else did.
    await lock(session, of);
    restart();
    await read(session, of);
  }
  of.locked = of.view.stamp() === known ? Math.max(of.locked - 1, 0) : LOCKED_BATCHES;
}

/** False, if the workspace does not exist yet. */
async function lock(session: Session, { name, observers }: Workspace): Promise<boolean> {
  const startMs = performance.now();
  const found = await session.run("select 1 as found from chains where workspace = $1 for update", [name]);
  for (const observer of observers) observer.locked?.(performance.now() - startMs);
  return found.length > 0;
}

/** How often a workspace may change between two reads of one batch, before the lock is taken instead. */
const READS_MAX = 3;

/**
 * Answers from the view, in which the batch has begun, after everything that is missing was read. `isFresh`: it was read just now. Nothing, if the
 * workspace changes all the time.
 */
async function answersIn(session: Session, of: Workspace, ready: readonly Ready[]) {
  const { view } = of;
  const writing = { view, workspace: of.name, secrets: of.secrets };
  let isFresh = false;
  for (let outdated = 0; outdated < READS_MAX; ) {
    if (view.stamp() === undefined || view.wanted().length > 0) {
      if (await read(session, of)) isFresh = true;
      else {
        outdated += 1;
        view.forget();
        begin(of, ready);
        continue;
      }
    }
    const answers = applyTo(writing, ready);
    if (answers !== undefined) return { answers, isFresh };
  }
  return undefined;
}

function begin(of: Workspace, ready: readonly Ready[]): void {
  of.view.begin();
  want(of, ready);
}

function want(of: Workspace, ready: readonly Ready[]): void {
  // A trusted key is proved by writing it. A need that only looks at the key proves nothing, so such a key is read.
  const looked = new Set(ready.flatMap(({ needs }) => needs.flatMap((need) => (need.is === "unique" ? need.key : []))));
  for (const one of ready) {
    const start = one.proving?.write;
    if (of.trusting && start?.do === "start" && start.from === 0 && !looked.has(start.key)) {
      of.view.learned("callKey", [storedText(start.key)], false);
    }
    wantFor(of.view, one);
  }
}

/** Every Change that is applied moves the workspace. */
function isMoved(view: BatchView): boolean {
  return view.mark().steps > 0;
}

function seenIn(view: BatchView): SeenHead | undefined {
  if (view.stamp() === undefined) return undefined;
  const { space, head } = view.state();
  return head.index === 0 ? undefined : { place: placeOf(space, head.index), hash: head.hash };
}

/** Reads what is wanted. False, if the view belongs to an earlier state of the workspace. */
async function read(session: Session, of: Workspace): Promise<boolean> {
  const { view, name, seen } = of;
  const known = view.stamp();
  let head = await load(session, view, name, seen);
  if (head === undefined) {
    await createChain(session, name);
    head = await load(session, view, name, seen);
  }
  if (head === undefined) return false;
  refuseOlder(head, seen);
  return known === undefined || known === head.stamp;
}

/** Appended and synced entries cannot disappear by themselves: the server was replaced by an older copy. */
function refuseOlder({ knownHash }: LoadedHead, seen: SeenHead | undefined): void {
  if (seen === undefined || seen.hash === knownHash) return;
  throw new StoreUnavailable(
    `the database went back while it was in use: entry ${indexAt(seen.place)} is not the one that was appended; ` +
      "stop this process, and see what `leeway doctor` says",
    seen.hash === null ? {} : { lost: { index: indexAt(seen.place), hash: seen.hash } },
  );
}

/** Two processes may choose the same number; then one of them finds nothing, and tries again. */
const CREATE =
  "insert into chains (space, workspace, epoch, entry, at_ms, stamp) " +
  `select coalesce(max(space), 0) + 1, $1, ${FIRST_EPOCH}, 0, 0, 0 from chains ` +
  `having coalesce(max(space), 0) + 1 < ${SPACES_MAX} on conflict do nothing`;

async function createChain(session: Session, workspace: WorkspaceId): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    await session.run(CREATE, [workspace]);
    const found = await session.run("select 1 as found from chains where workspace = $1", [workspace]);
    if (found.length > 0) return;
  }
  throw new StoreUnavailable(`one database holds ${SPACES_MAX} workspaces; use another one`);
}
