import { type Asking, askingOf } from "../../client/asking.ts";
import { createClient } from "../../client/index.ts";
import { serverMeant } from "../../config/server-file.ts";
import { isObject } from "../../core/values/json.ts";
import type { Gate } from "../../library/gate.ts";
import { usage } from "../failure.ts";
import { type Given, text } from "../spec.ts";

/** The server that the environment says to ask, as whoever the token is. */
export type There = { url: string; gate: Gate; asking: Asking; ask: Asking["ask"] };

export function thereOf(given: Given): There | undefined {
  const { env, cwd, clock } = given.io;
  const meant = serverMeant(env);
  if (meant === undefined) return undefined;
  if (text(given, "policy") !== undefined)
    throw usage("the server judges by its own policy", "leave out --policy, or unset LEEWAY_URL and LEEWAY_TOKEN");
  const asking = askingOf({ ...meant, clock });
  return { url: meant.url, gate: createClient({ ...meant, cwd }), asking, ask: asking.ask };
}

/** The person whose token it is. */
export async function personThere({ ask }: There, given: Given): Promise<string> {
  const me = await ask({ path: "/v1/me" });
  return text(given, "as") ?? (isObject(me) ? String(me["name"]) : "");
}
