import { createClient } from "../../client/client.ts";
import { askingOf, type ServerConnection } from "../../client/server-connection.ts";
import { type Views, viewsAt } from "../../client/views.ts";
import { serverMeant } from "../../config/server-file.ts";
import { TOLD_KINDS } from "../../core/notice.ts";
import type { ServerGate } from "../../library/gate.ts";
import type { NoticeView } from "../../service/views/notices.ts";
import { usage } from "../failure.ts";
import { type CommandInput, text } from "../spec.ts";
import { type Pages, pagesOf } from "./pages.ts";

/** The server that the environment names, with its token. */
export type NamedServer = {
  url: string;
  pages: Pages;
  gate: ServerGate;
  asking: ServerConnection;
  views: Views;
};

export function namedServer(given: CommandInput): NamedServer {
  const { env, cwd, clock } = given.io;
  const meant = serverMeant(env);
  if (meant === undefined) throw new Error("no server is named (this is a bug)");
  if (text(given, "policy") !== undefined)
    throw usage("the server uses its own policy", "leave out --policy, or unset LEEWAY_URL and LEEWAY_TOKEN");
  if (!/^https?:\/\/[^/]/.test(meant.url))
    throw usage(`LEEWAY_URL is not the address of a server: ${meant.url}`, "write http://127.0.0.1:4141");
  const asking = askingOf({ ...meant, clock });
  return {
    url: meant.url,
    pages: pagesOf(meant.url),
    gate: createClient({ ...meant, cwd }),
    asking,
    views: viewsAt(asking),
  };
}

/** The same number as the local inbox lists. */
const TOLD_MAX = 200;

export function toldAt({ gate }: NamedServer): Promise<readonly NoticeView[]> {
  return gate.notices.list({ kinds: TOLD_KINDS, limit: TOLD_MAX });
}
