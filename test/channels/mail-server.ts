import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import type { SeenMessage } from "./suite.ts";

// A mail server on this machine, and mails as a mail program reads them.

export const [USER, PASSWORD] = ["leeway", "a long password of the mailbox"];

export type Mail = {
  from: string;
  to: readonly string[];
  headers: Readonly<Record<string, string>>;
  text: string;
  html: string;
};

export type MailServer = {
  port: number;
  mails: readonly Mail[];
  /** What the server does instead of what it should: the code and text of its answer, by the step. */
  answers: { connect?: Said; rcpt?: Said; data?: Said };
  connections(): number;
  close(): Promise<void>;
};
type Said = `${number} ${string}`;

export async function mailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: Mail[] = [];
  const answers: MailServer["answers"] = {};
  let connected = 0;
  const server = new SMTPServer({
    logger: false,
    onAuth: ({ username, password }, _, done) =>
      username === USER && password === PASSWORD
        ? done(null, { user: USER })
        : done(said("535 5.7.8 these are not the name and password")),
    onConnect: (_, done) => {
      connected++;
      done(answers.connect && said(answers.connect));
    },
    onRcptTo: (_, __, done) => done(answers.rcpt && said(answers.rcpt)),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (answers.data !== undefined) return done(said(answers.data));
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          ...parsedMail(Buffer.concat(chunks).toString("utf8")),
        });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    answers,
    connections: () => connected,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function said(answer: Said): Error {
  const [code, ...words] = answer.split(" ");
  return Object.assign(new Error(words.join(" ")), { responseCode: Number(code) });
}

type Part = { headers: Record<string, string>; body: string };

function parsedMail(raw: string): Pick<Mail, "headers" | "text" | "html"> {
  const { headers, body } = partOf(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers["content-type"] ?? "")?.[1] ?? "";
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => partOf(part.replace(/^\r\n/, "")));
  const ofKind = (kind: string) => parts.find((part) => part.headers["content-type"]?.startsWith(kind));
  return { headers, text: decoded(ofKind("text/plain")), html: decoded(ofKind("text/html")) };
}

function partOf(raw: string): Part {
  const end = raw.indexOf("\r\n\r\n");
  const headers: Record<string, string> = {};
  for (const line of raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, " ")
    .split("\r\n")) {
    const at = line.indexOf(":");
    headers[line.slice(0, at).toLowerCase()] = line.slice(at + 1).trim();
  }
  return { headers, body: raw.slice(end + 4) };
}

function decoded(part: Part | undefined): string {
  const how = part?.headers["content-transfer-encoding"];
  const body = part?.body ?? "";
  if (how === "base64") return Buffer.from(body, "base64").toString("utf8").replaceAll("\r\n", "\n");
  if (how !== "quoted-printable") return body.replaceAll("\r\n", "\n");
  const bytes = body
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8").replaceAll("\r\n", "\n");
}

/** The link to answer is the button of a mail. */
export function seenIn({ headers, text, to }: Mail): SeenMessage {
  const id = headers["message-id"] ?? "";
  const buttons = answerLink(text) === undefined ? [] : ["approve", "deny"];
  return { id, to: to.join(), text: `${headers["subject"]}\n${text}`, buttons };
}

export function answerLink(text: string): URL | undefined {
  const found = /^http\S+\/channels\/email\/\S+$/m.exec(text)?.[0];
  return found === undefined ? undefined : new URL(found);
}
