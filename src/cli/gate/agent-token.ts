import { checkedAt } from "../../client/calls.ts";
import { LeewayRefusal } from "../../service/refusal.ts";
import { systemMint } from "../../system.ts";
import { callOf } from "../calls.ts";
import { Failure } from "../failure.ts";
import type { CommandInput } from "../spec.ts";
import { namedServer } from "./named-server.ts";

/** The server that the environment names answers, and decides calls for the token. Returns its address. */
export async function decidingServer(given: CommandInput): Promise<string> {
  const { url, asking } = namedServer(given);
  const here = { mint: systemMint(), workspace: "default" };
  const call = callOf(here, { agent: "the token's", tool: "a_tool_nobody_knows", args: {}, cwd: given.io.cwd });
  try {
    const { decision } = await checkedAt(asking.ask, { call });
    if (decision.outcome !== "run") return url;
    const what = `${url} would let a tool run that nobody knows (${decision.tier})`;
    throw new Failure(1, what, "correct the server's policy: `leeway policy show` on its machine");
  } catch (error) {
    if (!(error instanceof LeewayRefusal) || error.code !== "LEEWAY_FORBIDDEN") throw error;
    const hint = "make one on the server's machine: `leeway tokens add --agent NAME`";
    throw new Failure(1, "the token is not the token of an agent", hint);
  }
}
