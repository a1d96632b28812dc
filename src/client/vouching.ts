import { say } from "../core/messages/message.ts";
import { LeewayRefusal } from "../service/refusal.ts";
import { textOf } from "../service/shape.ts";
import type { ServerConnection } from "./server-connection.ts";

/** A server knows who acts only from the token. A person whom the program names must be the token's person. */
export type Vouching = { as(who: { by: string }): Promise<void> };

export function vouchingOf({ ask }: ServerConnection): Vouching {
  let known: Promise<string | undefined> | undefined;
  const name = () => {
    known ??= nameAt(ask);
    known.catch(() => {
      known = undefined;
    });
    return known;
  };
  return {
    as: async ({ by }) => {
      textOf(by, "by");
      const me = await name();
      // Only a person's token can disagree with a name; what an agent may not do is refused by the server.
      if (me === undefined || me === by) return;
      throw new LeewayRefusal({
        code: "LEEWAY_FORBIDDEN",
        reason: say("refusal.other_token", { holder: me, person: by }),
        hint: say("hint.act_as_or_token", { holder: me, person: by }),
      });
    },
  };
}

async function nameAt(ask: ServerConnection["ask"]): Promise<string | undefined> {
  try {
    const { name } = await ask("GET /v1/me", {});
    return name;
  } catch (error) {
    if (error instanceof LeewayRefusal && error.code === "LEEWAY_FORBIDDEN") return undefined;
    throw error;
  }
}
