import { type FeishuServer, feishuServer } from "./feishu-server.ts";
import type { Callback, SeenMessage, Stage, Triage } from "./suite.ts";

export const KEYS = { encryptKey: "encrypt-key-1", verificationToken: "verification-token-1" };

/** The callback that Feishu sends when somebody presses a button of a message. */
export function press(
  feishu: FeishuServer,
  message: Pick<SeenMessage, "id">,
  button: "approve" | "deny",
  account: string,
  note = "",
): Callback {
  const held = feishu.state.messages.get(message.id);
  if (held === undefined) throw new Error("no such message");
  const [first = {}] = held.card.callbacks;
  const value = held.card.callbacks.find(({ verdict }) => verdict === button) ?? { ...first, verdict: button };
  return feishu.callback("card.action.trigger", {
    operator: { tenant_key: "2ca1d211f64f6438", open_id: account, union_id: "on_1" },
    token: "c-295ee57216a5dc9de90fefd0aadb4b1d7d9a9b0a",
    action:
      button === "approve"
        ? { value, tag: "button" }
        : { value, tag: "button", name: "deny_button", form_value: { reason: note } },
    host: "im_message",
    context: { open_message_id: message.id, open_chat_id: held.chat },
  });
}

/** The callback that Feishu sends when somebody presses a button of the form for everything but answers. */
export function triage(feishu: FeishuServer, message: SeenMessage, done: Triage, account: string): Callback {
  const held = feishu.state.messages.get(message.id);
  const value = held?.card.callbacks.find(
    ({ act, until }) => act === done.act && (done.act !== "snooze" || until === done.until),
  );
  if (held === undefined || value === undefined) throw new Error(`the message has no button for ${done.act}`);
  const to = done.act === "handover" ? done.to : undefined;
  if (to !== undefined && held.card.choices["hand_to"]?.includes(to) !== true) throw new Error(`${to} is no option`);
  const form_value = {
    words: done.act === "reply" ? done.text : "",
    hand_to: to ?? "",
    hand_note: done.act === "handover" ? done.note : "",
  };
  return feishu.callback("card.action.trigger", {
    operator: { tenant_key: "2ca1d211f64f6438", open_id: account, union_id: "on_1" },
    token: "c-295ee57216a5dc9de90fefd0aadb4b1d7d9a9b0a",
    action: { value, tag: "button", name: `${done.act}_button`, form_value },
    host: "im_message",
    context: { open_message_id: message.id, open_chat_id: held.chat },
  });
}

export type FeishuStage = Stage & { feishu: FeishuServer };

/** Feishu with these keys, and a policy that knows them. */
export async function feishuStage(more: object = {}, keys: Partial<typeof KEYS> = KEYS): Promise<FeishuStage> {
  const feishu = await feishuServer(keys);
  return {
    feishu,
    settings: {
      appId: feishu.appId,
      appSecret: "env:FEISHU_SECRET",
      ...(keys.verificationToken === undefined ? {} : { verificationToken: "env:FEISHU_TOKEN" }),
      ...(keys.encryptKey === undefined ? {} : { encryptKey: "env:FEISHU_KEY" }),
      api: feishu.url,
      ...more,
    },
    env: { FEISHU_SECRET: feishu.appSecret, FEISHU_TOKEN: KEYS.verificationToken, FEISHU_KEY: KEYS.encryptKey },
    contact: (person) => ({ channel: "feishu", account: `ou_${person}`, label: person }),
    seen: feishu.seen,
    breaks: (how) => {
      feishu.state.broken = how;
    },
    press: (message, button, account, { note }) => press(feishu, message, button, account, note),
    triage: (message, done, account) => triage(feishu, message, done, account),
    toldBack: (_, body) => (body as { toast: { content: string } }).toast.content,
    close: feishu.close,
  };
}
