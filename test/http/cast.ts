import { join } from "node:path";
import { openDeps } from "../../src/compose.ts";
import { addPerson } from "../../src/gate/people/people.ts";
import { startSignIn } from "../../src/gate/people/sign-in.ts";
import { addToken, revokeToken } from "../../src/gate/people/tokens.ts";
import { type Asking, PASSPHRASE, type Served, served, type TurnedClock } from "./served.ts";

// Everybody who can make a request, each with their credentials.

export const CAST = [
  "nobody",
  "the agent",
  "another agent",
  "an unknown token",
  "a revoked token",
  "a token of another database",
  "a token of another workspace",
  "a link as a token",
  "a read token",
  "an approve token",
  "a reviewer",
  "an auditor",
  "an admin",
  "an admin of six minutes ago",
  "somebody removed",
] as const;
export type Role = (typeof CAST)[number];
export type Cast = { readonly [R in Role]: Asking };

/** Both tokens of people are the admin's: what they cannot do, they cannot do because they are tokens. Ben reviews, cleo audits. */
export async function castOf(on: Served, clock: TurnedClock): Promise<Cast> {
  const stale = await cookieOf(on, "ana");
  clock.advance(6 * 60_000);
  const revoked = await on.token({ agent: "coder" });
  const [, tail] = revoked.split("_");
  await revokeToken(on.deps, `tok_${tail}`, { by: "ana" });
  const elsewhere = await served();
  const foreign = await elsewhere.token({ agent: "coder" });
  await elsewhere.remove();
  const link = await addToken(on.deps, { person: "ana", can: "sign-in" }, { by: "ana", assurance: "tty" });
  if (!link.ok) throw new Error(link.reason.say);
  const approve = await on.token({ person: "ana", can: "approve" });
  return {
    nobody: {},
    "the agent": { token: await on.token({ agent: "coder" }) },
    "another agent": { token: await on.token({ agent: "other" }) },
    "an unknown token": { token: approve.replace(/.$/, (last) => (last === "0" ? "1" : "0")) },
    "a revoked token": { token: revoked },
    "a token of another database": { token: foreign },
    "a token of another workspace": { token: await tokenNextDoor(on) },
    "a link as a token": { token: link.value.text },
    "a read token": { token: await on.token({ person: "ana", can: "read" }) },
    "an approve token": { token: approve },
    "a reviewer": { cookie: await cookieOf(on, "ben") },
    "an auditor": { cookie: await cookieOf(on, "cleo") },
    "an admin": { cookie: await cookieOf(on, "ana") },
    "an admin of six minutes ago": { cookie: stale },
    "somebody removed": { cookie: await removedCookie(on) },
  };
}

/** A token of an agent with the same name, in another workspace of the same database. */
async function tokenNextDoor(on: Served): Promise<string> {
  const env = { HOME: join(on.state, ".."), XDG_STATE_HOME: join(on.state, "..") };
  const deps = await openDeps({
    env,
    cwd: on.project,
    policy: join(on.project, "leeway.yaml"),
    workspace: "next-door",
  });
  try {
    const added = await addPerson(deps, { name: "ana", by: "ana", assurance: "tty" });
    const made = await addToken(deps, { agent: "coder" }, { by: "ana", assurance: "tty" });
    if (!added.ok || !made.ok) throw new Error("the workspace next door could not be begun");
    return made.value.text;
  } finally {
    await deps.close();
  }
}

async function removedCookie(on: Served): Promise<string> {
  const admin: Asking = { cookie: await cookieOf(on, "ana") };
  await on.ask("POST", "/v1/people", { ...admin, body: { name: "dan", passphrase: PASSPHRASE } });
  const cookie = await cookieOf(on, "dan");
  await on.ask("DELETE", "/v1/people/dan", admin);
  return cookie;
}

/** Without the passphrase, whose check takes long on purpose. */
export async function cookieOf(on: Served, person: string): Promise<string> {
  const started = await startSignIn(on.deps, person, { assurance: "password", browser: "a test" });
  if (!started.ok) throw new Error(started.reason.say);
  return `leeway-${on.port}=${started.value.text}`;
}
