import { say } from "../../core/messages/message.ts";
import { badInput, LeewayRefusal } from "../../service/refusal.ts";

/** The address of a request. The path is not decoded as a whole; the router decodes each part by itself. */
export type Address = { path: string; search: string; query: Readonly<Record<string, string>> };

/** An address that two programs could read differently is refused, because it could bypass the check of one of them. */
export function addressOf(url: string): Address {
  const at = url.indexOf("?");
  const path = at < 0 ? url : url.slice(0, at);
  const search = at < 0 ? "" : url.slice(at);
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(path)) throw nothingAt(path);
  return { path, search, query: queryOf(search) };
}

const NO_QUERY: Address["query"] = Object.create(null);

function queryOf(search: string): Address["query"] {
  if (search === "") return NO_QUERY;
  const query: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(search)) {
    if (query[name] !== undefined) throw badInput(name, say("refusal.twice_in_address"), say("hint.give_once"));
    query[name] = value;
  }
  return query;
}

export function nothingAt(path: string): LeewayRefusal {
  const hint = say("hint.openapi_lists");
  return new LeewayRefusal({ code: "LEEWAY_NOT_FOUND", reason: say("refusal.nothing_at", { path }), hint });
}
