import { isChannelKind } from "../../core/channel.ts";
import { say } from "../../core/messages/message.ts";
import { kindNamed } from "../../gate/notices/channel-states.ts";
import { retryNotice } from "../../gate/notices/dead-notices.ts";
import { listenerOf } from "../../gate/notices/listener.ts";
import { channelNamed } from "../../gate/notices/sending.ts";
import { draftSettings, tryChannel, tryDraft } from "../../gate/notices/try-channel.ts";
import { LeewayRefusal, orThrow } from "../../service/refusal.ts";
import { anyText, flag, jsonObject, listOf, maybe, object, oneOf, open } from "../../service/shape.ts";
import { CHANNEL_KIND } from "../../service/shapes/reach.ts";
import { channelViews, deadViews, sendingOf, testView, valuesOf } from "../../service/views/channels.ts";
import { noticeView } from "../../service/views/notices.ts";
import { type Answer, json } from "../answer.ts";
import { actRoute, NO_BODY, readRoute, reply } from "../api-route.ts";
import { nothingAt } from "../connection/address.ts";
import { actingOf, personOf } from "../identity/person.ts";
import type { HttpRequest } from "../request.ts";
import type { Route, Serving } from "../route.ts";
import { count, ms, NOTICE } from "../schemas.ts";

/** The addresses to which the services of channels send what people press and write. Only the signature proves the sender. */
export const CHANNEL_ROUTES: readonly Route[] = [
  {
    method: "POST",
    path: "/channels/:name",
    for: ["anybody"],
    raw: true,
    summary: "Callbacks of a channel's service, signed by it.",
    act: hear,
  },
];

async function hear({ deps, sending }: Serving, asked: HttpRequest): Promise<Answer> {
  const name = asked.params["name"] ?? "";
  const found = sending === undefined || !isChannelKind(name) ? undefined : await channelNamed(deps, sending, name);
  if (sending === undefined || !isChannelKind(name) || found?.channel.hear === undefined) throw nothingAt(asked.path);
  const request = { headers: asked.headers, body: asked.raw ?? new Uint8Array(), nowMs: Date.now() };
  const reply = await found.channel.hear(request, listenerOf(deps, sending, name));
  return json(reply.json ?? {}, reply.status);
}

const CHANNEL = open({
  kind: CHANNEL_KIND,
  secrets: listOf(open({ key: anyText, at: anyText, found: flag })),
  last: maybe(open({ atMs: ms, ok: flag, failure: maybe(anyText) })),
  connection: maybe(open({ atMs: ms, ok: flag, failure: maybe(anyText) })),
  waiting: count,
  dead: count,
  callback: maybe(anyText),
});

const TESTED = open({
  kind: CHANNEL_KIND,
  ok: flag,
  told: maybe(oneOf(["you", "chat", "nobody"])),
  at: maybe(oneOf(["settings", "secrets", "service", "message"])),
  why: maybe(anyText),
  remedy: maybe(anyText),
});

const DEAD = open({
  id: anyText,
  kind: anyText,
  to: anyText,
  title: anyText,
  channel: anyText,
  createdMs: ms,
  attempts: count,
  atMs: ms,
  why: anyText,
});

/** Routes to see and test channels, and the notices that they could not deliver. */
export const CHANNEL_API = [
  readRoute("GET /v1/channels", {
    for: ["read"],
    summary:
      "The channels of the policy: whether their secrets are found, how the last delivery went, what waits, and the address to enter at the service.",
    gives: open({ channels: listOf(CHANNEL) }),
    answer: async (serving) => reply({ channels: await channelViews(serving.deps, sendingOf(serving)) }),
  }),
  actRoute("POST /v1/channels/:kind/test", {
    for: ["admin"],
    summary:
      "Tries a channel and sends a test message to whoever asks, or to its chat; `settings` tries others than those of the policy, after a fresh sign-in. Nothing is stored.",
    gives: TESTED,
    body: object({ settings: maybe(jsonObject) }),
    answer: async (serving, asked) => {
      const kind = orThrow(kindNamed(asked.params.kind));
      const { settings } = asked.body;
      const { deps } = serving;
      const { by } = actingOf(asked);
      const sending = sendingOf(serving);
      if (settings === undefined) return reply(testView(kind, orThrow(await tryChannel(deps, sending, kind, by))));
      ensureFresh(asked);
      const draft = orThrow(draftSettings(deps, kind, valuesOf(settings, "settings")));
      return reply(testView(kind, await tryDraft(deps, sending, draft.settings, by)));
    },
  }),
  readRoute("GET /v1/notices/dead", {
    for: ["admin"],
    summary: "Notices that no channel took and that were given up, with the reason, newest first, at most 200.",
    gives: open({ notices: listOf(DEAD) }),
    answer: async ({ deps }) => reply({ notices: await deadViews(deps) }),
  }),
  actRoute("POST /v1/notices/:id/retry", {
    for: ["admin"],
    summary: "Sends a given-up notice again.",
    gives: NOTICE,
    body: NO_BODY,
    answer: async ({ deps }, asked) => {
      const { name } = personOf(asked);
      return reply(noticeView(orThrow(await retryNotice(deps, asked.params.id, { by: name }))));
    },
  }),
];

/** Settings that no policy has yet make the server send requests, so the person must have signed in recently. */
function ensureFresh({ who }: Pick<HttpRequest, "who">): void {
  if (who.is === "person" && who.fresh) return;
  throw new LeewayRefusal({
    code: "LEEWAY_STALE_SIGN_IN",
    reason: say("refusal.fresh_proof"),
    hint: say("hint.sign_in_again_repeat"),
  });
}
