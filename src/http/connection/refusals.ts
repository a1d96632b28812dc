import { say } from "../../core/messages/message.ts";
import { badInput, LeewayRefusal } from "../../service/refusal.ts";
import { type Answer, problem } from "../answer.ts";

// What is refused whatever the route.

export function wrongMethod(methods: readonly string[]): Answer {
  const allow = [...new Set(methods)].join(", ");
  const { headers, ...rest } = problem(
    new LeewayRefusal({
      code: "LEEWAY_BAD_INPUT",
      reason: say("refusal.method_not_allowed"),
      hint: say("hint.use_methods", { methods: allow }),
    }),
  );
  return { ...rest, status: 405, headers: { ...headers, allow } };
}

/** It does not say where the pages are, because the client may be a program that must not know. */
export function pagesAreApart(): LeewayRefusal {
  const reason = say("refusal.only_programs");
  const hint = say("hint.open_printed_inbox");
  return new LeewayRefusal({ code: "LEEWAY_NOT_FOUND", reason, hint });
}

/** A client that sends an idempotency key relies on it. If the key were ignored, something could happen twice. */
export function noKeys(): LeewayRefusal {
  const hint = say("hint.no_idempotency_key");
  return badInput("idempotency-key", say("refusal.not_looked_at"), hint);
}
