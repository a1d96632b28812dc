import { expect, test } from "vitest";
import type { Change } from "../../src/core/change.ts";
import type { Refused } from "../../src/core/codes.ts";
import { cancel } from "../../src/gate/approvals/cancel.ts";
import { edit } from "../../src/gate/approvals/edit.ts";
import { review, reviewAll } from "../../src/gate/approvals/review.ts";
import { claim } from "../../src/gate/calls/claim.ts";
import { reconcile } from "../../src/gate/calls/reconcile.ts";
import { endSession } from "../../src/gate/calls/sessions.ts";
import type { Deps } from "../../src/gate/deps.ts";
import { type Acting, actStep } from "../../src/gate/people/acting.ts";
import { addPasskey, linkAccount, removePasskey } from "../../src/gate/people/credentials.ts";
import { addPerson, changePerson, removePerson, setPassphrase } from "../../src/gate/people/people.ts";
import { endSignIn, proveAgain, startSignIn } from "../../src/gate/people/sign-in.ts";
import { addToken, revokeToken } from "../../src/gate/people/tokens.ts";
import { eraseBody } from "../../src/gate/record/ledger.ts";
import { demote, promote, setOwner } from "../../src/gate/standing/agents.ts";
import { addGrant, revokeGrant } from "../../src/gate/standing/grants.ts";
import { liftPause, setPause } from "../../src/gate/standing/pause.ts";
import { acceptPolicy } from "../../src/gate/standing/policy.ts";
import { tick } from "../../src/gate/time/tick.ts";
import { HOUR_MS, type Office, office } from "./kit.ts";

// The person who acts is looked up first, and their act is recorded after that. In between an admin may have removed them.

const ANA: Acting = { by: "ana", assurance: "tty" };
const EVE: Acting = { by: "eve", assurance: "tty" };
const KEY = { id: "key", publicKey: "pk", counter: 0, name: "phone", addedMs: 0 };
const REFUNDS = { tool: { name: "refund" }, targets: [], level: "admin" } as const;

type Act = (deps: Deps) => Promise<{ ok: boolean } | Refused>;
type Verb = (at: Office) => Promise<Act>;

/** Everything that a person can do, by its verb: what must exist first, then what eve does. */
const VERBS: { readonly [name: string]: Verb } = {
  review: async (at) => {
    const { approvalId: id = "", digest } = await asked(at);
    return (deps) => review(deps, id, { ...EVE, verdict: "approve", digest, note: "", bulk: false });
  },
  "review and remember": async (at) => {
    const { approvalId: id = "", digest } = await asked(at);
    return (deps) => review(deps, id, { ...EVE, verdict: "approve", digest, note: "", bulk: false, remember: {} });
  },
  reviewAll: async (at) => {
    const { approvalId: id = "", digest } = await asked(at);
    return async (deps) => {
      const [outcome] = await reviewAll(deps, [{ id, digest }], { ...EVE, verdict: "approve", note: "" });
      return outcome ?? { ok: true };
    };
  },
  edit: async (at) => {
    const { approvalId: id = "", digest } = await asked(at);
    const answer = { ...EVE, verdict: "approve", digest, note: "", bulk: false } as const;
    return (deps) => edit(deps, id, { ...answer, args: { amount: 2 } });
  },
  cancel: async (at) => {
    const { approvalId: id = "" } = await asked(at);
    return (deps) => cancel(deps, id, EVE);
  },
  reconcile: async (at) => {
    const { approvalId } = await asked(at);
    await at.approve(approvalId);
    const approval = await at.approval(approvalId);
    const id = approval.state === "approved" ? approval.executionId : "";
    await claim(at.deps, id, "caller");
    at.clock.advance(HOUR_MS / 4);
    await tick(at.deps);
    return (deps) => reconcile(deps, id, { ...EVE, ok: true, note: "looked" });
  },
  addGrant: async () => (deps) => addGrant(deps, { ...EVE, subject: {}, covers: REFUNDS, because: "x" }),
  revokeGrant: async ({ deps }) => {
    const { id } = must(await addGrant(deps, { ...ANA, subject: {}, covers: REFUNDS, because: "x" }));
    return (there) => revokeGrant(there, id, EVE);
  },
  promote: async (at) => {
    await at.submit("lookup");
    return (deps) => promote(deps, { ...EVE, agent: "coder", tier: "auto", because: "x" });
  },
  demote: async (at) => {
    await at.submit("lookup");
    return (deps) => demote(deps, { by: "eve", agent: "coder", tier: "ask", because: "x" });
  },
  setOwner: async (at) => {
    await at.submit("lookup");
    return (deps) => setOwner(deps, { ...EVE, agent: "coder", owner: "ben" });
  },
  setPause: async () => (deps) => setPause(deps, { ...EVE, scope: { of: "everything" }, because: "x" }),
  liftPause: async ({ deps }) => {
    const { id } = must(await setPause(deps, { ...ANA, scope: { of: "everything" }, because: "x" }));
    return (there) => liftPause(there, id, EVE);
  },
  endSession: async (at) => {
    await at.submit("refund", {}, { session: "ses_1" });
    return (deps) => endSession(deps, { session: "ses_1", by: "eve" });
  },
  addPerson: async () => (deps) => addPerson(deps, { ...EVE, name: "mole", admin: true }),
  changePerson: async () => (deps) => changePerson(deps, "ben", { ...EVE, admin: true }),
  removePerson: async () => (deps) => removePerson(deps, "ben", EVE),
  "setPassphrase of one's own": async () => (deps) => setPassphrase(deps, "eve", { ...EVE, passphrase: "long enough" }),
  "setPassphrase of another": async () => (deps) => setPassphrase(deps, "ben", { ...EVE, passphrase: "long enough" }),
  addPasskey: async () => (deps) => addPasskey(deps, "eve", KEY, EVE),
  removePasskey: async ({ deps }) => {
    must(await addPasskey(deps, "ben", KEY, { by: "ben", assurance: "tty" }));
    return (there) => removePasskey(there, "ben", "key", EVE);
  },
  linkAccount: async () => (deps) => linkAccount(deps, "ben", { issuer: "https://id.example", subject: "1" }, EVE),
  addToken: async () => (deps) => addToken(deps, { agent: "bot" }, EVE),
  "addToken of one's own": async () => (deps) => addToken(deps, { person: "eve", can: "approve" }, EVE),
  revokeToken: async ({ deps }) => {
    const { token } = must(await addToken(deps, { agent: "bot" }, ANA));
    return (there) => revokeToken(there, token.id, EVE);
  },
  acceptPolicy: async ({ deps }) => {
    const [file] = deps.policies.current().files;
    if (file?.loaded.ok !== true) throw new Error("the policy does not load");
    const { version } = file.loaded.policy;
    return (there) => acceptPolicy(there, file.path, { ...EVE, version });
  },
  eraseBody: async (at) => {
    await at.submit("lookup");
    const entries = await at.deps.store.read({
      ask: "entries",
      workspace: at.deps.workspace,
      where: { kinds: ["execution.claimed", "agent.registered", "signin.started"] },
      limit: 1,
      order: "newest",
    });
    return (deps) => eraseBody(deps, entries[0]?.index ?? 0, { ...EVE, because: "x" });
  },
  startSignIn: async () => (deps) => startSignIn(deps, "eve", { assurance: "password", browser: "b" }),
  proveAgain: async ({ deps }) => {
    const { signIn } = must(await startSignIn(deps, "eve", { assurance: "password", browser: "b" }));
    return (there) => proveAgain(there, signIn.id);
  },
  endSignIn: async ({ deps }) => {
    const { signIn } = must(await startSignIn(deps, "eve", { assurance: "password", browser: "b" }));
    return (there) => endSignIn(there, signIn.id, { by: "eve" });
  },
};

test.each(Object.keys(VERBS))("%s works normally, and is refused if the person was removed meanwhile", async (name) => {
  const undisturbed = await staffed();
  expect(await (await prepared(name, undisturbed))(undisturbed.deps)).toMatchObject({ ok: true });
  const at = await staffed();
  const act = await prepared(name, at);
  const removed = interrupted(at.deps, async () => void must(await removePerson(at.deps, "eve", ANA)));
  expect(await act(removed.deps)).toMatchObject({ ok: false });
  expect(removed.interrupted()).toBe(true);
});

test("an act based on the standing is committed only while that standing is unchanged", async () => {
  const { deps } = await staffed();
  let looks = 0;
  const { deps: there } = interrupted(deps, async () => void must(await addPerson(deps, { ...ANA, name: "fay" })));
  const done = await actStep(there, async (_, inForce) => {
    looks += 1;
    const writes = [{ do: "turn" as const }];
    return { ok: true, pieces: [{ writes }], value: inForce.rows.people.length };
  });
  expect({ done, looks }).toEqual({ done: { ok: true, value: 7 }, looks: 2 });
});

async function staffed(): Promise<Office> {
  const at = await office();
  must(await addPerson(at.deps, { ...ANA, name: "eve", admin: true }));
  return at;
}

function prepared(name: string, at: Office): Promise<Act> {
  const verb = VERBS[name];
  if (verb === undefined) throw new Error(`there is no verb ${name}`);
  return verb(at);
}

async function asked(at: Office) {
  return at.submit("refund", { amount: 1 }, { callId: "c1" });
}

/** The same gate, where something else happens just before the first Change is committed. */
function interrupted(deps: Deps, meanwhile: () => Promise<void>): { deps: Deps; interrupted(): boolean } {
  let due = true;
  const commit = async (change: Change) => {
    if (due) {
      due = false;
      await meanwhile();
    }
    return deps.store.commit(change);
  };
  return { deps: { ...deps, store: { ...deps.store, commit } }, interrupted: () => !due };
}

function must<T>(done: { ok: true; value: T } | Refused): T {
  if (!done.ok) throw new Error(done.reason.say);
  return done.value;
}
