import { textOf } from "../../core/messages/text.ts";
import { kindNamed } from "../../gate/notices/channel-states.ts";
import { sendMailCode } from "../../gate/notices/mail-code.ts";
import { linkMail, setReach, unlinkContact } from "../../gate/people/contacts.ts";
import { linkCodeFor, reachView } from "../../service/reach.ts";
import { orThrow } from "../../service/refusal.ts";
import { anyText, flag, listOf, maybe, oneOf, open } from "../../service/shape.ts";
import { ACCOUNT, CHANNEL_KIND, MAIL_ADDRESS, MAIL_CODE, REACH } from "../../service/shapes/reach.ts";
import { sendingOf } from "../../service/views/channels.ts";
import { actRoute, NO_BODY, readRoute, reply } from "../api-route.ts";
import { actingOf, personOf } from "../identity/person.ts";
import { ms, texts } from "../schemas.ts";

const REACHED = open({
  channels: listOf(open({ kind: CHANNEL_KIND, linkedBy: oneOf(["code", "mail", "browser"]), off: flag })),
  contacts: listOf(open({ channel: CHANNEL_KIND, account: anyText, label: anyText, linkedMs: ms })),
  reach: open({
    off: maybe(texts),
    quiet: maybe(open({ from: anyText, to: anyText, zone: anyText })),
    language: maybe(oneOf(["en", "zh"])),
  }),
});

/** Where the person who sends the request gets notices, besides the inbox. */
export const REACH_ROUTES = [
  readRoute("GET /v1/people/me/reach", {
    for: ["read"],
    summary: "Where the one who asks is told: linked accounts, channels, quiet hours, language.",
    gives: REACHED,
    answer: async ({ deps }, asked) => reply(await reachView(deps, personOf(asked))),
  }),
  actRoute("PUT /v1/people/me/reach", {
    for: ["self"],
    summary: "Chooses channels, quiet hours and language; what is left out is as for everybody.",
    gives: REACHED,
    body: REACH,
    answer: async ({ deps }, asked) =>
      reply(await reachView(deps, orThrow(await setReach(deps, personOf(asked).name, asked.body)))),
  }),
  actRoute("POST /v1/people/me/contacts/:kind/code", {
    for: ["self"],
    fresh: true,
    summary: "A code to send from the account that is to be linked, and what to send where.",
    gives: open({ code: anyText, send: anyText, untilMs: ms }),
    body: NO_BODY,
    answer: async ({ deps }, asked) => {
      const kind = orThrow(kindNamed(asked.params.kind));
      const { send, ...made } = orThrow(await linkCodeFor(deps, kind, actingOf(asked)));
      return reply({ ...made, send: textOf(send, "en") });
    },
  }),
  actRoute("POST /v1/people/me/contacts/email", {
    for: ["self"],
    fresh: true,
    summary: "Sends a code to a mail address that is to be linked.",
    gives: MAIL_ADDRESS,
    body: MAIL_ADDRESS,
    answer: async (serving, asked) => {
      const { address } = asked.body;
      return reply(orThrow(await sendMailCode(serving.deps, sendingOf(serving), address, actingOf(asked))));
    },
  }),
  actRoute("POST /v1/people/me/contacts/email/confirm", {
    for: ["self"],
    summary: "Links a mail address with the code that was sent there.",
    gives: REACHED,
    body: MAIL_CODE,
    answer: async ({ deps }, asked) => {
      const { address, code } = asked.body;
      return reply(await reachView(deps, orThrow(await linkMail(deps, address, code, actingOf(asked)))));
    },
  }),
  actRoute("DELETE /v1/people/me/contacts", {
    for: ["self"],
    summary: "Removes a linked account.",
    gives: REACHED,
    body: ACCOUNT,
    answer: async ({ deps }, asked) => {
      const { name } = personOf(asked);
      return reply(await reachView(deps, orThrow(await unlinkContact(deps, name, asked.body, { by: name }))));
    },
  }),
];
