import { browserText } from "../../core/show/browser.ts";
import { channelNamed } from "../../gate/notices/sending.ts";
import { addDevice, devicesOf, NO_PUSH, removeDevice } from "../../gate/people/devices.ts";
import { orThrow } from "../../service/refusal.ts";
import { anyText, listOf, object, open, text } from "../../service/shape.ts";
import { actRoute, readRoute, reply } from "../api-route.ts";
import { actingOf, personOf } from "../identity/person.ts";
import type { Serving } from "../route.ts";
import { ms } from "../schemas.ts";

const DEVICE = open({ id: anyText, label: anyText, linkedMs: ms });
const LABEL_MAX = 80;

/** Browsers to which notices of a person are sent (web push). */
export const DEVICE_ROUTES = [
  readRoute("GET /v1/push", {
    for: ["self"],
    summary: "The key that a browser needs to take notifications of this server, and one's own browsers that do.",
    gives: open({ publicKey: anyText, devices: listOf(DEVICE) }),
    answer: async (serving, request) =>
      reply({ publicKey: await pushKey(serving), devices: devicesOf(personOf(request)) }),
  }),
  actRoute("POST /v1/push/devices", {
    for: ["self"],
    summary: "Tells a browser of one's own from now on: what it was given when it subscribed.",
    gives: DEVICE,
    body: object({ endpoint: text, keys: object({ p256dh: text, auth: text }) }),
    answer: async ({ deps }, request) => {
      const label = browserText(request.headers["user-agent"] ?? "").slice(0, LABEL_MAX);
      return reply(orThrow(await addDevice(deps, request.body, { label, acting: actingOf(request) })), 201);
    },
  }),
  actRoute("DELETE /v1/push/devices/:id", {
    for: ["self"],
    summary: "Tells a browser of one's own no more.",
    gives: DEVICE,
    answer: async ({ deps }, request) =>
      reply(orThrow(await removeDevice(deps, personOf(request), request.params.id, actingOf(request)))),
  }),
];

/** The public key of the channel `push`; undefined if the policy does not set it up. */
export async function pushKey({ deps, sending }: Pick<Serving, "deps" | "sending">): Promise<string> {
  const found = sending === undefined ? undefined : await channelNamed(deps, sending, "push");
  const key = await found?.channel.publicKey?.();
  return key ?? orThrow(NO_PUSH);
}
