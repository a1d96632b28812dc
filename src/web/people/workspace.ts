import { say } from "../../core/messages/message.ts";
import { seeOther } from "../../http/answer.ts";
import type { Route } from "../../http/route.ts";
import { baseOf } from "../../http/workspaces.ts";
import { LeewayRefusal } from "../../service/refusal.ts";

/** The way to another workspace. Whether the person may see anything there is decided there. */
export const WORKSPACE_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/workspace",
    for: ["anybody"],
    page: true,
    summary: "Leads to the pages of the workspace that is named.",
    act: async ({ deps, others }, { query }) => {
      const name = query["name"]?.trim() ?? "";
      const known = [deps.workspace, ...others().map(({ workspace }) => workspace)];
      if (known.includes(name)) return seeOther(`${baseOf(name)}/`);
      const [reason, hint] = [say("refusal.no_workspace", { name }), say("hint.workspace_name")];
      throw new LeewayRefusal({ code: "LEEWAY_NOT_FOUND", reason, hint });
    },
  },
];
