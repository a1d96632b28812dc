import { bodyTextOf, type Link } from "../../core/ledger.ts";
import { miscountedUses, type RowFault } from "../../core/record/row-fault.ts";
import { grantCounter } from "../../core/standing/grant.ts";
import { isObject, type JsonObject } from "../../core/values/json.ts";
import type { Deps } from "../deps.ts";

// How often each live grant with a maximum was used, according to the entries. Its counter decides whether it may be used again, and
// nothing protects that counter. A call that certainly did not start gave its use back.

/** `running`: the grants that calls used which may still give their use back. */
export type UsesFold = { uses: Map<string, number>; running: Map<string, string[]> };

export function startUses(): UsesFold {
  return { uses: new Map(), running: new Map() };
}

const GIVEN_BACK: ReadonlySet<string> = new Set(["execution.released", "execution.void"]);
const ENDED: ReadonlySet<string> = new Set(["execution.succeeded", "execution.failed"]);

/** Adds the next entry. The chain itself is verified elsewhere. */
export function foldUsesLink({ uses, running }: UsesFold, { kind, subject, body }: Link): void {
  if (kind === "grant.created") {
    const { grant } = parsed(subject);
    const usesMax = body === undefined ? undefined : parsed(bodyTextOf(body))["usesMax"];
    if (typeof grant === "string" && typeof usesMax === "number") uses.set(grant, 0);
    return;
  }
  if (kind === "grant.revoked" || kind === "grant.expired") {
    uses.delete(String(parsed(subject)["grant"]));
    return;
  }
  if (kind === "grant.used") {
    const { grant, call } = parsed(subject);
    const used = uses.get(String(grant));
    if (typeof grant !== "string" || typeof call !== "string" || used === undefined) return;
    uses.set(grant, used + 1);
    running.set(call, [...(running.get(call) ?? []), grant]);
    return;
  }
  if (running.size === 0 || !(GIVEN_BACK.has(kind) || ENDED.has(kind))) return;
  const call = String(parsed(subject)["call"]);
  const used = running.get(call);
  if (used === undefined) return;
  running.delete(call);
  if (GIVEN_BACK.has(kind)) for (const grant of used) if (uses.has(grant)) uses.set(grant, (uses.get(grant) ?? 0) - 1);
}

/** A forged entry with valid hashes may contain anything. */
function parsed(text: string): JsonObject {
  try {
    const value = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Grants whose counter is below what the entries add up to. */
export async function miscountedGrants(
  { store, workspace }: Pick<Deps, "store" | "workspace">,
  { uses }: UsesFold,
): Promise<readonly RowFault[]> {
  const grants = [...uses].filter(([, count]) => count > 0);
  const counters = grants.map(([grant]) => grantCounter(grant as Parameters<typeof grantCounter>[0]));
  const found = await store.read({ ask: "counters", workspace, counters, nowMs: 0 });
  return grants.flatMap(([grant, count], i) => {
    const counted = found[i] ?? 0;
    return counted < count ? [miscountedUses(grant, { count, counted })] : [];
  });
}
