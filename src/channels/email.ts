import type { SendMailOptions, Transporter } from "nodemailer";
import type { EmailSettings } from "../core/channel.ts";
import { type Channel, ChannelFailure, type Delivered, type Outgoing, type TrialLimits } from "../ports.ts";
import { farAddress } from "../runners/addresses.ts";
import { letterOf } from "./email-letter.ts";
import { optionalPackage } from "./optional-package.ts";
import type { ChannelTools } from "./tools.ts";

/**
 * Every notice as a mail. A mail cannot bring an answer back, so a mail about a question links to a page of this server, which
 * shows the question again and takes the answer.
 */
export function emailChannel(
  settings: EmailSettings,
  tools: Pick<ChannelTools, "secret">,
  trial?: TrialLimits,
): Channel {
  const domain = domainOf(settings.from);
  const connected = async <T>(act: (transport: Transporter) => Promise<T>): Promise<T> => {
    const password = settings.password === undefined ? undefined : tools.secret(settings.password);
    const transport = await transportOf(settings, password, await calledAddress(settings, trial));
    try {
      return await inTime(act(transport));
    } catch (error) {
      throw error instanceof ChannelFailure ? error : failureOf(error, settings, password, trial === undefined);
    } finally {
      transport.close();
    }
  };
  return {
    name: "email",
    answersBy: "page",
    deliver: async (outgoing): Promise<Delivered> => {
      const account = addressOf(outgoing);
      const { messageId, thread, ...letter } = letterOf(outgoing, { domain, account });
      const mail: SendMailOptions = {
        ...letter,
        from: settings.from,
        to: { name: "", address: account },
        messageId,
        inReplyTo: thread,
        references: [thread],
        disableFileAccess: true,
        disableUrlAccess: true,
      };
      await connected((transport) => transport.sendMail(mail));
      return { message: messageId, chat: account };
    },
    try: async () => void (await connected((transport) => transport.verify())),
  };
}

function addressOf({ address }: Outgoing): string {
  const account = address.to === "person" ? address.contacts[0]?.account : undefined;
  if (account === undefined) throw new ChannelFailure("refused", "mails go to people who linked an address only");
  return account;
}

function domainOf(from: string): string {
  const found = /@([a-z0-9][a-z0-9.-]*)>?\s*$/i.exec(from);
  if (found?.[1] !== undefined) return found[1].toLowerCase();
  throw new ChannelFailure(
    "down",
    "the setting `from` is not a mail address: write `leeway@example.com` or `Leeway <leeway@example.com>`",
  );
}

/** Time limits for one step of the connection, and for a whole mail, so that a slow server does not block the channel. */
const [STEP_MS, WHOLE_MS] = [10_000, 20_000];

function hostOf(smtp: string): string {
  return new URL(smtp).hostname.replace(/^\[|\]$/g, "");
}

/** The address to connect to. For a trial that may not reach the own network it is looked up here, checked, and then used. */
async function calledAddress({ smtp }: EmailSettings, trial: TrialLimits | undefined): Promise<string> {
  const host = hostOf(smtp);
  if (trial === undefined || trial.nearby) return host;
  return farAddress(host).catch((error: Error) => {
    throw new ChannelFailure("down", error.message);
  });
}

async function transportOf(
  { smtp, user }: EmailSettings,
  pass: string | undefined,
  address: string,
): Promise<Transporter> {
  const { createTransport } = await optionalPackage("nodemailer", () => import("nodemailer"));
  const { protocol, port } = new URL(smtp);
  const host = hostOf(smtp);
  const secure = protocol === "smtps:";
  const isHere = /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host);
  return createTransport({
    host: address,
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
    // Mail leaves this machine only encrypted, and only to a server that proves its name.
    requireTLS: !secure && !isHere,
    tls: { rejectUnauthorized: !isHere, ...(address === host ? {} : { servername: host }) },
    ...(pass === undefined ? {} : { auth: { user: user ?? "", pass } }),
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    dnsTimeout: STEP_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const why = `the mail server did not take the mail in ${WHOLE_MS / 1000} s`;
    timer = setTimeout(() => reject(new ChannelFailure("down", why)), WHOLE_MS);
  });
  // Only the first result counts; nobody waits for the second.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The fields that nodemailer sets on an error. */
type MailFault = { code: string; command: string; response: string; responseCode: number; message: string };

function faultOf(error: unknown): MailFault {
  const { code, command, response, responseCode, message } = (
    error instanceof Error ? error : {}
  ) as Partial<MailFault>;
  return {
    code: code ?? "",
    command: command ?? "",
    response: response ?? "",
    responseCode: responseCode ?? 0,
    message: message ?? String(error),
  };
}

const SAID_MAX = 300;

/** `repeats`: whether the message may repeat what the server said. */
function failureOf(
  error: unknown,
  settings: EmailSettings,
  password: string | undefined,
  repeats: boolean,
): ChannelFailure {
  const fault = faultOf(error);
  const { kind, why } = kindOf(fault, settings);
  const words = (fault.response === "" ? fault.message : fault.response).replaceAll(/\s+/g, " ");
  // The server may repeat the password that it was sent, so this is masked.
  const isTelling = isAuth(fault) || secretForms(settings, password).some((one) => words.includes(one));
  if (!repeats || isTelling || words === "") return new ChannelFailure(kind, why);
  return new ChannelFailure(kind, `${why} (${words.slice(0, SAID_MAX)})`);
}

/** The password as it is sent: alone, and together with the name. */
function secretForms({ user = "" }: EmailSettings, password: string | undefined): readonly string[] {
  if (password === undefined || password === "") return [];
  return [password, ...[password, `\0${user}\0${password}`].map((text) => Buffer.from(text).toString("base64"))];
}

function isAuth({ code, command }: MailFault): boolean {
  return code === "EAUTH" || code === "ENOAUTH" || command.startsWith("AUTH");
}

type Judged = { kind: ChannelFailure["kind"]; why: string };

/** The kind of a failure, by the step at which it happened. Wrong settings count as `down`, so that no notice is lost. */
function kindOf(fault: MailFault, { smtp, from }: EmailSettings): Judged {
  const { code, command, responseCode } = fault;
  const place = new URL(smtp).host;
  if (isAuth(fault)) {
    const why = `the mail server ${place} does not accept the name and password: check \`user\` and \`password\` of the channel email`;
    return { kind: "down", why };
  }
  if (code === "ETLS") {
    return {
      kind: "down",
      why: `the mail server ${place} offers no encryption: use its smtps:// address, or one that offers STARTTLS`,
    };
  }
  if (isCertificate(fault)) {
    const why = `the certificate of the mail server ${place} is not valid: use the name that it is made for, or give its authority to the server with NODE_EXTRA_CA_CERTS`;
    return { kind: "down", why };
  }
  if (responseCode === 421 || responseCode === 0)
    return { kind: "down", why: `the mail server ${place} could not be reached or hung up` };
  if (responseCode < 500) return { kind: "busy", why: "the mail server asks to try again later" };
  if (command === "MAIL FROM")
    return { kind: "down", why: `the mail server ${place} does not let this account send as ${from}` };
  if (command === "RCPT TO") return ofMailbox(fault);
  return { kind: "refused", why: "the mail server refused this mail" };
}

function isCertificate({ message }: MailFault): boolean {
  return /certificate|altnames/i.test(message);
}

/**
 * An address is forgotten only if the server says that the mailbox does not exist (RFC 3463: 5.1.x) or is disabled (5.2.1).
 * Servers refuse receivers for other reasons too, such as where the mail comes from.
 */
function ofMailbox({ response, responseCode }: MailFault): Judged {
  const detail = /\b5\.(\d{1,3})\.(\d{1,3})\b/.exec(response);
  const status = detail === null ? undefined : `${detail[1]}.${detail[2]}`;
  if (status === "2.2") return { kind: "busy", why: "the mailbox is full" };
  const isGone =
    status === undefined ? [550, 551, 553].includes(responseCode) : /^(1\.(1|2|3|6|10)|2\.1)$/.test(status);
  return isGone
    ? { kind: "gone", why: "there is no such mailbox" }
    : { kind: "refused", why: "the mail server does not take mail for this address from here" };
}
