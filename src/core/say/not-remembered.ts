import { type Message, say } from "../messages/message.ts";
import type { NotRemembered } from "../standing/grant.ts";

/** Why nothing can be remembered of a call. */
export function whyNotRemembered(why: NotRemembered): Message {
  switch (why.is) {
    case "sub-agent":
      return say("remember.sub_agent");
    case "not-understood":
      return say("remember.not_understood");
    case "no-target":
      return say("remember.no_target");
    case "unresolved-path":
      return say("remember.unresolved_path");
    case "last-star":
      return say("remember.last_star");
    case "needs-human":
      return say("remember.needs_human");
    case "no-lift":
      return say("remember.no_lift");
    case "class":
      return say("remember.class", { class: why.class });
    case "variables":
      return say("remember.variables", { names: why.names });
    case "grave":
      return say("remember.grave", { program: why.program });
    case "launcher":
      return why.program === "" ? say("remember.launcher_unnamed") : say("remember.launcher", { program: why.program });
  }
}
