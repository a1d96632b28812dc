import { answerLink, type MailServer, mailServer, PASSWORD, seenIn, USER } from "./mail-server.ts";
import type { Callback, Stage } from "./suite.ts";

export const contact = (person: string) => ({
  channel: "email" as const,
  account: `${person}@example.com`,
  label: `${person}@example.com`,
});

export type MailStage = Stage & { server: MailServer };

export async function mailStage(): Promise<MailStage> {
  const server = await mailServer();
  return {
    server,
    settings: {
      from: "Leeway <leeway@example.com>",
      smtp: `smtp://127.0.0.1:${server.port}`,
      user: USER,
      password: "env:MAIL_PASSWORD",
    },
    env: { MAIL_PASSWORD: PASSWORD },
    contact,
    seen: () => server.mails.map(seenIn),
    breaks: (how) => {
      delete server.answers.connect;
      delete server.answers.rcpt;
      if (how === "down") server.answers.connect = "421 4.3.2 closing for a moment";
      if (how === "busy") server.answers.rcpt = "451 4.7.1 greylisted, come back later";
    },
    press: (message, button, _, { note }) => pressed(message.text, button, note),
    toldBack: (_, body) => pageText(body),
    close: () => server.close(),
  };
}

export function pressed(text: string, verdict: string, note?: string): Callback {
  const link = answerLink(text);
  if (link === undefined) throw new Error(`no link to answer in ${text}`);
  const body = new URLSearchParams({ secret: link.searchParams.get("secret") ?? "", verdict });
  if (note !== undefined) body.set("note", note);
  const headers = { "content-type": "application/x-www-form-urlencoded", origin: link.origin };
  return { path: link.pathname, headers, body: body.toString() };
}

/** What a page says, in small letters: a sentence begins with a capital. */
export function pageText(body: unknown): string {
  return String(body)
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .toLowerCase();
}
