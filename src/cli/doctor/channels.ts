import { secretText } from "../../core/channel.ts";
import { channelStates, settingsInForce } from "../../gate/notices/channel-states.ts";
import type { Sending } from "../../gate/notices/sending.ts";
import type { OpenedGate } from "../gate/database.ts";
import { sendingHere, serverHere } from "../gate/local-channels.ts";
import type { Io } from "../terminal/io.ts";
import type { Finding } from "./finding.ts";

/** Whether the secrets of each channel are found, and, if a server runs here, whether its settings work. Sends no message. */
export async function channelChecks(io: Io, deps: OpenedGate): Promise<Finding[]> {
  if ((await settingsInForce(deps)).length === 0) return [];
  const isServed = serverHere(io) !== undefined;
  return sendingHere(io, async (sending) => {
    const findings: Finding[] = [];
    for (const { kind, secrets, dead } of await channelStates(deps, sending)) {
      const missing = secrets.filter(({ found }) => !found);
      const names = missing.map(({ key, ref }) => `${key} (${secretText(ref)})`).join(", ");
      if (missing.length > 0) findings.push(notFound(kind, names));
      else if (isServed) findings.push(await tried(deps, sending, kind));
      else findings.push(ok(kind, "its secrets are found; no server runs here that would send"));
      if (dead > 0) findings.push(givenUp(kind, dead));
    }
    return findings;
  });
}

const WHAT = "channel";

function ok(kind: string, says: string): Finding {
  return { what: WHAT, state: "ok", says: `${kind}: ${says}` };
}

function notFound(kind: string, names: string): Finding {
  return {
    what: WHAT,
    state: "warn",
    says: `${kind}: not found from this terminal: ${names}`,
    hint: "set it where the server is started; `leeway channels list` with LEEWAY_URL and LEEWAY_TOKEN asks the server itself",
  };
}

function givenUp(kind: string, count: number): Finding {
  const says = `${kind}: ${count} ${count === 1 ? "notice was" : "notices were"} given up`;
  return { what: WHAT, state: "warn", says, hint: "`leeway notices dead` says why" };
}

async function tried(deps: OpenedGate, sending: Sending, kind: string): Promise<Finding> {
  const settings = (await settingsInForce(deps)).find((one) => one.kind === kind);
  try {
    if (settings !== undefined) await (await sending.maker.open(settings)).try?.();
    return ok(kind, "its secrets are found and its settings work");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const hint = `correct the settings, then run \`leeway channels test ${kind}\``;
    return { what: WHAT, state: "warn", says: `${kind}: ${why}`, hint };
  }
}
