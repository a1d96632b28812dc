import { clockText } from "../../core/show/when.ts";
import { visible } from "../../core/values/text.ts";
import { LeewayRefusal } from "../../service/refusal.ts";
import { nameOf } from "../commands/pause.ts";
import type { Out } from "../io.ts";
import { layerLines } from "../policy-view.ts";
import type { Given } from "../spec.ts";
import { facts } from "../table.ts";
import { pendingAt } from "./questions.ts";
import type { There } from "./server.ts";

/** What the token may see: an agent's only that the server is there, a person's how it stands. */
export async function statusThere(given: Given, there: There): Promise<number> {
  await there.ask({ path: "/healthz" });
  const seen = await standingThere(there);
  given.out.answer({ server: there.url, ...seen }, () => statusText(given.out, there.url, seen));
  return 0;
}

type Seen = Awaited<ReturnType<typeof standingOf>> | { policy: null };

async function standingThere(there: There): Promise<Seen> {
  try {
    return await standingOf(there);
  } catch (error) {
    if (error instanceof LeewayRefusal && error.code === "LEEWAY_FORBIDDEN") return { policy: null };
    throw error;
  }
}

async function standingOf(there: There) {
  const { gate } = there;
  const head = await gate.ledger.head();
  return {
    policy: await gate.policy.inForce(),
    pending: (await pendingAt(there)).length,
    pauses: (await gate.pauses()).map(({ id, scope, because, by, setMs }) => ({ id, scope, because, by, setMs })),
    people: (await gate.people.list()).map(({ name, admin }) => ({ name, admin })),
    agents: (await gate.agents.list()).length,
    ledger: { entries: head.index, head: head.hash },
  };
}

function statusText(out: Out, url: string, seen: Seen): string {
  if (seen.policy === null) return facts(out, [["server", `${url} answers; an agent's token sees no more`]]);
  const { policy, pending, pauses, people, agents, ledger } = seen;
  return facts(out, [
    ["server", url],
    ["policy", layerLines(policy).join("\n")],
    ["people", people.map(({ name, admin }) => (admin ? `${name} (admin)` : name)).join(", ")],
    ["agents", String(agents)],
    ["pending", pending === 0 ? "nothing" : out.colours.yellow(`${pending}: see \`leeway inbox\``)],
    ["ledger", `${ledger.entries} entries`],
    ...pauses.map(
      ({ scope, because, by, setMs }) =>
        [
          "paused",
          `${out.colours.red(`${nameOf(scope)}: ${visible(because)}`)} (by ${visible(by)}, ${clockText(setMs)}; Settings lifts it)`,
        ] as const,
    ),
  ]);
}
