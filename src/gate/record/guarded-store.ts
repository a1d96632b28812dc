import type { Change } from "../../core/change.ts";
import { type Refused, refused } from "../../core/codes.ts";
import type { WorkspaceId } from "../../core/ids.ts";
import type { EntryDraft } from "../../core/ledger.ts";
import { say } from "../../core/messages/message.ts";
import { type Found, type Query, type Store, StoreUnavailable } from "../../ports.ts";
import type { Deps } from "../deps.ts";
import { keepAdmins } from "../people/admins.ts";
import { sealLedger, whyWentBack } from "./sealing.ts";

type Guarding = Pick<Deps, "store" | "seals" | "sealer" | "mint" | "clock">;

/**
 * The store as every door uses it. Where the database went back, nothing that decisions rest on is read and nothing is
 * written, so that nothing runs; what people look into stays readable. And a checkpoint is signed after each act of a
 * person, and after each use of a person's yes, before anybody hears that it was done.
 */
export function guardedStore(given: Guarding): Store {
  const { store } = given;
  const { admit, doubting, seen } = admissions(given);
  const sign = new Map<WorkspaceId, () => Promise<void>>();
  const signed = (workspace: WorkspaceId) => {
    const known = sign.get(workspace) ?? sharing(() => signNow(given, workspace));
    sign.set(workspace, known);
    return known();
  };
  return {
    ...store,
    read: <const Q extends Query>(query: Q) =>
      doubting(async () => {
        const { ask, workspace } = query;
        if (ask !== "standing" && ask !== "submission") return store.read(query);
        await admit(workspace);
        const found = (await store.read(query)) as { epoch: number } | undefined;
        if (found !== undefined) seen(workspace, found.epoch);
        return found as Found<Q>;
      }),
    commit: (change) =>
      doubting(async () => {
        await admit(change.workspace);
        const committed = await store.commit(change);
        if (committed.ok && isSignedFor(change)) {
          await keepUses(given, change);
          await signed(change.workspace);
        }
        return committed;
      }),
    take: (queue, t) =>
      doubting(async () => {
        await admit(t.workspace);
        return store.take(queue, t);
      }),
  };
}

/** Who was compared with the newest checkpoint, and found to be what was signed. */
function admissions(given: Guarding) {
  const admitted = new Set<WorkspaceId>();
  const epochs = new Map<WorkspaceId, number>();
  return {
    admit: async (workspace: WorkspaceId) => {
      if (admitted.has(workspace)) return;
      const why = await whyWentBack({ ...given, workspace });
      if (why !== undefined) throw new StoreUnavailable(why);
      admitted.add(workspace);
    },
    /** After a failure the database may be another one: it is compared again. */
    doubting: async <T>(act: () => Promise<T>): Promise<T> => {
      try {
        return await act();
      } catch (error) {
        admitted.clear();
        throw error;
      }
    },
    seen: (workspace: WorkspaceId, epoch: number) => {
      if (epoch < (epochs.get(workspace) ?? 0)) throw new StoreUnavailable(OLDER);
      epochs.set(workspace, epoch);
    },
  };
}

const OLDER = refused("LEEWAY_WENT_BACK", say("refusal.older_than_seen"), say("hint.doctor_and_restart"));

function isSignedFor({ entries }: Change): boolean {
  return entries.some((entry) => entry.actor.startsWith("person:") || isUse(entry));
}

/** Somebody's yes is used up: an older state of the database would give it again. */
function isUse({ kind, subject }: EntryDraft): boolean {
  return (kind === "execution.claimed" || kind === "execution.handed") && subject.approval !== undefined;
}

/** Outside the database too: there a row of before, and a ledger that does not say so, would make it unused. */
async function keepUses({ seals }: Guarding, { workspace, entries, writes }: Change): Promise<void> {
  if (seals === undefined || !entries.some(isUse)) return;
  for (const write of writes) {
    if (write.do !== "step") continue;
    const { id, state, attempts } = write.right;
    if (state === "claimed" || state === "handed") await seals.keepUse(workspace, id, attempts);
  }
}

async function signNow(given: Guarding, workspace: WorkspaceId): Promise<void> {
  if (given.seals === undefined) return;
  const sealed = await sealLedger({ ...given, workspace });
  if (!sealed.ok) throw new StoreUnavailable(unsigned(sealed));
  await keepAdmins({ ...given, seals: given.seals, workspace });
}

function unsigned({ reason, ...rest }: Refused): Refused {
  return { ...rest, reason: say("refusal.not_signed", { reason }) };
}

/** Those who come while one is under way share the next. */
function sharing(act: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = () => {
    running = act().finally(() => {
      running = undefined;
    });
    return running;
  };
  const after = async (before: Promise<void>) => {
    await Promise.allSettled([before]);
    next = undefined;
    await start();
  };
  return () => {
    if (running === undefined) return start();
    next ??= after(running);
    return next;
  };
}

/** Once closed it stays closed: a late call must not quietly open the database again. */
export function closable(store: Store): Store {
  let closed = false;
  const whileOpen = <T>(act: () => Promise<T>): Promise<T> =>
    closed ? Promise.reject(new StoreUnavailable("the gate is closed")) : act();
  return {
    read: (query) => whileOpen(() => store.read(query)),
    commit: (change) => whileOpen(() => store.commit(change)),
    take: (queue, t) => whileOpen(() => store.take(queue, t)),
    watch: (workspace, wake) => store.watch(workspace, wake),
    close: async () => {
      if (closed) return;
      closed = true;
      await store.close();
    },
  };
}
