import { createHmac } from "node:crypto";
import type { WebhookSettings } from "../core/channel.ts";
import { type Channel, ChannelFailure, type Outgoing } from "../ports.ts";
import { requestService, said } from "./service-request.ts";
import type { ChannelTools } from "./tools.ts";

/** Every notice as a signed request (Standard Webhooks), for programs. It shows questions and cannot answer them. */
export function webhookChannel(settings: WebhookSettings, tools: ChannelTools): Channel {
  const send = async (id: string, message: object) => {
    const body = JSON.stringify(message);
    const timestamp = String(Math.floor(tools.nowMs() / 1000));
    const keys = settings.secret.map((ref) => keyOf(tools.secret(ref)));
    const signed = keys.map(
      (key) => `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`,
    );
    const answer = await requestService({
      url: settings.url,
      headers: {
        "content-type": "application/json; charset=utf-8",
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": signed.join(" "),
      },
      body,
      nearby: settings.nearby === true,
    });
    // In Standard Webhooks the status 410 (gone) means that the receiver wants no more messages.
    if (answer.status === 410) throw new ChannelFailure("refused", "the receiver wants no more messages (410)");
    if (answer.status < 200 || answer.status >= 300) throw new ChannelFailure("down", said(answer));
  };
  return {
    name: "webhook",
    // The id stays the same on every attempt, so that receivers can drop repeats.
    deliver: (outgoing) => send(outgoing.id, messageOf(outgoing, tools.nowMs())),
    try: () =>
      send(`try_${tools.nowMs()}`, { type: "leeway.test", timestamp: new Date(tools.nowMs()).toISOString(), data: {} }),
  };
}

function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  if (!secret.startsWith("whsec_") || key.length < 24 || key.length > 64)
    throw new ChannelFailure("down", "the secret of the webhook is not `whsec_` and 24 to 64 bytes in base64");
  return key;
}

function messageOf({ id, kind, to, title, text, ref, link, question, createdMs }: Outgoing, nowMs: number): object {
  return {
    type: `leeway.${kind}`,
    timestamp: new Date(nowMs).toISOString(),
    data: {
      id,
      to,
      title,
      text,
      ref,
      created: new Date(createdMs).toISOString(),
      ...(link === undefined ? {} : { link }),
      ...(question === undefined ? {} : { question }),
    },
  };
}
