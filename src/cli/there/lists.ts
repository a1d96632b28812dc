import { at } from "../../client/path.ts";
import type { Token } from "../../core/people.ts";
import { inOrAgo } from "../../core/show/when.ts";
import { visible } from "../../core/values/text.ts";
import type { Why } from "../../service/why.ts";
import { grantsShown } from "../commands/grants.ts";
import { roleOf } from "../commands/people.ts";
import { tokensText } from "../commands/tokens.ts";
import { declarationsShown } from "../commands/tools.ts";
import { explain } from "../commands/why.ts";
import { first, flag, type Given } from "../spec.ts";
import { table } from "../table.ts";
import { personThere, type There } from "./server.ts";

// What stands at the server, and what a token may take away there.

export async function whyThere(given: Given, { ask }: There): Promise<number> {
  return explain(given, (await ask({ path: at`/v1/calls/${first(given)}/why` })) as unknown as Why);
}

export async function grantsThere(given: Given, { gate }: There): Promise<number> {
  const grants = (await gate.grants.list()).filter(({ grant }) => flag(given, "all") || grant.state === "live");
  return grantsShown(given, grants, given.io.clock.nowMs());
}

export async function revokeGrantThere(given: Given, there: There): Promise<number> {
  const by = await personThere(there, given);
  const revoked = await there.gate.grants.revoke(first(given), { by });
  given.out.answer(revoked, () => `revoked ${revoked.id}; it covers nothing from now on`);
  return 0;
}

export async function toolsThere(given: Given, { gate }: There): Promise<number> {
  return declarationsShown(given, await gate.tools.list());
}

export async function forgetToolThere(given: Given, there: There): Promise<number> {
  const by = await personThere(there, given);
  const { id, ...rest } = await there.gate.tools.forget(first(given), { by });
  given.out.answer({ id, ...rest }, () => `forgotten ${id}; the tool is unknown again`);
  return 0;
}

/** Without whether somebody has a passphrase, which a server tells nobody. */
export async function peopleThere(given: Given, { gate }: There): Promise<number> {
  const people = await gate.people.list();
  const nowMs = given.io.clock.nowMs();
  const rows = people.map((one) => [
    visible(one.name),
    roleOf(one),
    one.groups.map(visible).join(", ") || "-",
    one.state,
    inOrAgo(one.addedMs, nowMs),
  ]);
  given.out.answer(people, () => table(given.out, ["NAME", "ROLE", "GROUPS", "STATE", "ADDED"], rows));
  return 0;
}

export async function tokensThere(given: Given, { ask }: There): Promise<number> {
  const { tokens } = (await ask({ path: "/v1/tokens" })) as unknown as { tokens: readonly Omit<Token, "lock">[] };
  given.out.answer(tokens, () => tokensText(given.out, tokens, given.io.clock.nowMs()));
  return 0;
}

export async function revokeTokenThere(given: Given, { ask }: There): Promise<number> {
  const revoked = (await ask({ path: at`/v1/tokens/${first(given)}`, method: "DELETE" })) as unknown as Token;
  const { id, state } = revoked;
  given.out.answer({ id, state }, () => `revoked ${id}`);
  return 0;
}
