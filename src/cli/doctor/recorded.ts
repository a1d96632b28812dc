import { askingOf } from "../../client/server-connection.ts";
import { serverMeant } from "../../config/server-file.ts";
import { endSession } from "../../gate/calls/sessions.ts";
import { listEntries } from "../../gate/record/ledger.ts";
import type { HookServer } from "../../hooks/install/installed-hook.ts";
import { LeewayRefusal } from "../../service/refusal.ts";
import type { OpenedGate } from "../gate/database.ts";
import type { Io } from "../terminal/io.ts";

/** Whether a call of this session was recorded. The session is ended. */
export type WasRecorded = (host: string, session: string) => Promise<boolean>;

/** In the database of this machine. */
export function recordedIn(deps: OpenedGate): WasRecorded {
  return async (host, session) => {
    const [entry] = await listEntries(deps, { kinds: ["call.decided"], subject: { session } });
    await endSession(deps, { session, agent: host, by: host });
    return entry !== undefined;
  };
}

/** At the server that a hook asks: ending a session is refused if the server has no call of it. */
export function recordedAt(io: Io, { url, tokenFile }: HookServer): WasRecorded {
  return async (_, session) => {
    const meant = serverMeant({ ...io.env, LEEWAY_URL: url, LEEWAY_TOKEN: "", LEEWAY_TOKEN_FILE: tokenFile });
    if (meant === undefined) throw new Error("the hook names a server (this is a bug)");
    try {
      await askingOf({ ...meant, clock: io.clock }).ask("POST /v1/sessions/:id/end", {
        params: { id: session },
        body: {},
      });
      return true;
    } catch (error) {
      if (error instanceof LeewayRefusal) return false;
      throw error;
    }
  };
}
