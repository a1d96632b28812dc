import { attemptOf } from "../../core/execution.ts";
import { claim } from "../../gate/calls/claim.ts";
import { answersPrompt, settleHanded } from "../../gate/calls/handed.ts";
import { orThrow } from "../../service/refusal.ts";
import { anyText, choice, flag, json, jsonObject, maybe, open } from "../../service/shape.ts";
import { actRoute, NO_BODY, reply } from "../api-route.ts";
import { callFrom, executionOf, SENT } from "./sent-call.ts";

// For the hooks of agent programs: the program runs the call, and tells another hook how it ended.

const ENDED = choice("ok", {
  true: { call: SENT, result: maybe(json) },
  false: { call: SENT, error: anyText },
});

export const HOST_CALL_ROUTES = [
  actRoute("POST /v1/calls/:id/hand", {
    for: ["agent"],
    summary: "Claims an approved call for a program that runs it and may never tell how it ended.",
    gives: open({ executionId: anyText, attempt: anyText, tool: anyText, args: jsonObject }),
    body: NO_BODY,
    answer: async ({ deps }, request) => {
      const id = await executionOf(deps, request);
      const { execution, args } = orThrow(await claim(deps, id, "caller", { handed: true }));
      return reply({ executionId: execution.id, attempt: attemptOf(execution), tool: execution.tool, args });
    },
  }),
  actRoute("POST /v1/calls/handed", {
    for: ["agent"],
    summary:
      "Whether exactly this call was handed over, and nobody has told yet how it ended; true once for each call. Without a `callId`, it is the newest call with this content.",
    gives: open({ handed: flag }),
    body: SENT,
    answer: async ({ deps }, request) => {
      const told = { call: await callFrom(deps, request.body, request), hasId: request.body.callId !== undefined };
      return reply({ handed: await answersPrompt(deps, told) });
    },
  }),
  actRoute("POST /v1/calls/ended", {
    for: ["agent"],
    summary: "Tells how a call ended that was handed over. Without a `callId`, it is found by its content.",
    gives: open({ settled: flag }),
    body: ENDED,
    answer: async ({ deps }, request) => {
      const { body } = request;
      const told = { call: await callFrom(deps, body.call, request, "call"), hasId: body.call.callId !== undefined };
      const ending = body.ok ? { ok: body.ok, result: body.result ?? null } : { ok: body.ok, error: body.error };
      return reply({ settled: orThrow(await settleHanded(deps, told, ending)) !== undefined });
    },
  }),
];
