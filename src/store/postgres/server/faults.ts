import { type Message, say } from "../../../core/messages/message.ts";
import { StoreUnavailable } from "../../../ports.ts";

/** An error of the database, in words for the person who has to fix it. `passes`: trying again may help. */
type Fault = { passes: boolean; message: string; hint?: Message };

/** Classes of PostgreSQL's codes that come from the values of one Change. */
const OF_VALUES = new Set(["22", "23", "54"]);

/** By code, or by the first two letters of it, which are its class. */
const MEANINGS: Record<string, Fault> = {
  "08": { passes: true, message: "the connection to PostgreSQL was lost" },
  // PgBouncer says so of a transaction, if it gives a connection to others after each statement.
  "08P01": {
    passes: false,
    message: "PostgreSQL, or a pooler before it, refused what was sent; a pooler needs `pool_mode = session`",
  },
  "26": {
    passes: false,
    message: "a pooler gave the connection of this process to somebody else; a pooler needs `pool_mode = session`",
  },
  "28": { passes: false, message: "PostgreSQL refused the name or password; check LEEWAY_DB" },
  "3D": { passes: false, message: "there is no such database; create it, or check LEEWAY_DB" },
  "40": { passes: true, message: "PostgreSQL rolled the transaction back because of another one" },
  "42": { passes: false, message: "PostgreSQL refused a statement" },
  "53": { passes: true, message: "PostgreSQL has no room left: connections, memory or disk" },
  "57": { passes: true, message: "PostgreSQL is stopping, starting, or has cancelled the statement" },
  "58": { passes: false, message: "PostgreSQL reported an error of its machine; see its log" },
  XX: { passes: false, message: "PostgreSQL reported damage or a bug of its own; see its log" },
  "25006": {
    passes: true,
    message: "PostgreSQL is read-only: it is a standby, or `default_transaction_read_only` is on",
    hint: say("hint.read_only"),
  },
  "42501": {
    passes: false,
    message: "the role in LEEWAY_DB lacks a right in PostgreSQL",
    hint: say("hint.missing_right"),
  },
  "42P01": { passes: false, message: "a table of Leeway is missing in PostgreSQL", hint: say("hint.tables_changed") },
  "42703": { passes: false, message: "a table of Leeway was changed in PostgreSQL", hint: say("hint.tables_changed") },
  "53300": {
    passes: true,
    message: "PostgreSQL gives no more connections to this role",
    hint: say("hint.more_connections"),
  },
  "53100": { passes: false, message: "the disk of PostgreSQL is full; free some space", hint: say("hint.free_disk") },
  "55P03": { passes: true, message: "another process holds the lock of the chain for too long" },
  "57014": { passes: false, message: "PostgreSQL took too long, so the statement was cancelled" },
};

/** PostgreSQL has one code for everybody whom it does not let in; its words say more. */
const NOT_LET_IN: readonly [text: RegExp, message: string][] = [
  [
    /pg_hba\.conf.*no encryption/,
    "PostgreSQL does not let this machine in without TLS; add ?sslmode=verify-full to LEEWAY_DB, or a line for it to pg_hba.conf",
  ],
  [
    /pg_hba\.conf/,
    "PostgreSQL does not let this machine in with this name and database; add a line for it to pg_hba.conf",
  ],
  [
    /client certificate/,
    "PostgreSQL wants a certificate of this client; add sslcert=/path/cert.pem&sslkey=/path/key.pem to LEEWAY_DB",
  ],
  [/not permitted to log in/, "the role in LEEWAY_DB may not sign in; let an admin run: alter role NAME login"],
];

/** Errors of the network, before PostgreSQL answers. */
const NETWORK: Record<string, Fault> = {
  ECONNREFUSED: { passes: true, message: "PostgreSQL does not answer at its address; check that it runs" },
  ECONNRESET: { passes: true, message: "the connection to PostgreSQL was lost" },
  EPIPE: { passes: true, message: "the connection to PostgreSQL was lost" },
  ETIMEDOUT: { passes: true, message: "PostgreSQL does not answer; check the network" },
  EHOSTUNREACH: { passes: true, message: "the machine of PostgreSQL cannot be reached; check the network" },
  ENETUNREACH: { passes: true, message: "the machine of PostgreSQL cannot be reached; check the network" },
  ENOTFOUND: { passes: false, message: "there is no machine of this name; check LEEWAY_DB" },
  EAI_AGAIN: { passes: true, message: "the name of PostgreSQL's machine cannot be looked up now" },
  ERR_SSL_WRONG_VERSION_NUMBER: {
    passes: false,
    message: "PostgreSQL does not offer TLS; see `sslmode` in docs/postgres.md",
  },
};

const UNTRUSTED: Fault = {
  passes: false,
  message:
    "the certificate of PostgreSQL is not trusted by this machine; add sslrootcert=/path/ca.pem to LEEWAY_DB, with the certificate of who issued it",
};

/** TLS: codes of OpenSSL and of Node. */
const TLS: Record<string, Fault> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: {
    passes: false,
    message:
      "the certificate of PostgreSQL is for another name; use that name in LEEWAY_DB, or give the server a certificate for this one",
  },
  CERT_HAS_EXPIRED: { passes: false, message: "the certificate of PostgreSQL has expired; renew it" },
  CERT_NOT_YET_VALID: { passes: false, message: "the certificate of PostgreSQL is not valid yet; check the clock" },
};

/** Every other code of TLS. */
const OF_TLS: Fault = {
  passes: false,
  message: "no TLS connection to PostgreSQL could be made; see `sslmode` in docs/postgres.md",
};

/** The driver gives no code for these. */
const WORDS: readonly [text: string, fault: Fault][] = [
  ["due to connection timeout", { passes: true, message: "PostgreSQL does not answer; check that it runs" }],
  ["Connection terminated", { passes: true, message: "the connection to PostgreSQL was lost" }],
  ["Client has encountered a connection error", { passes: true, message: "the connection to PostgreSQL was lost" }],
  ["Client was closed", { passes: true, message: "the connection to PostgreSQL was lost" }],
  [
    "timeout exceeded when trying to connect",
    {
      passes: false,
      message: "all connections of this process to PostgreSQL were in use for 5 seconds",
      hint: say("hint.pool_busy"),
    },
  ],
  ["timeout expired", { passes: false, message: "PostgreSQL does not answer; check that it runs" }],
  ["Query read timeout", { passes: false, message: "PostgreSQL took too long to answer" }],
  [
    "does not support SSL",
    { passes: false, message: "PostgreSQL does not offer TLS; see `sslmode` in docs/postgres.md" },
  ],
  ["SASL", { passes: false, message: "PostgreSQL refused the password; check LEEWAY_DB" }],
];

/** `undefined` for a bug of ours, which is not an error of the database. */
export function faultOf(error: unknown): (Fault & { hint: Message }) | undefined {
  if (error instanceof StoreUnavailable) return { passes: false, message: error.message, hint: error.hint };
  const hint = say("hint.check_postgres");
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  const known = typeof code === "string" ? meaningOf(code, error.message) : undefined;
  const fault = known ?? WORDS.find(([text]) => error.message.includes(text))?.[1] ?? unnamed(error);
  return fault === undefined ? undefined : { hint, ...fault, message: `${fault.message} (${textOf(error)})` };
}

function meaningOf(code: string, words: string): Fault | undefined {
  const refusal = code === "28000" ? NOT_LET_IN.find(([text]) => text.test(words))?.[1] : undefined;
  if (refusal !== undefined) return { passes: false, message: refusal };
  const isOfTls = /^(ERR_(SSL|TLS|OSSL)_|CERT_)/.test(code);
  return MEANINGS[code] ?? MEANINGS[code.slice(0, 2)] ?? NETWORK[code] ?? TLS[code] ?? (isOfTls ? OF_TLS : undefined);
}

/** Several addresses were tried, and all failed: the error has no text of its own. */
function textOf(error: Error): string {
  const { code, message } = error as Error & { code?: string };
  return message === "" ? String(code) : message;
}

/** Every other error of the operating system comes from connecting, and every other code of five letters from PostgreSQL. */
function unnamed(error: Error & { code?: unknown; syscall?: unknown }): Fault | undefined {
  const { code, syscall } = error;
  if (typeof code !== "string") return undefined;
  // Several addresses of a name were tried, and the errors have different codes.
  if (typeof syscall === "string" || error instanceof AggregateError)
    return { passes: true, message: "this machine cannot connect to PostgreSQL" };
  return /^[0-9A-Z]{5}$/.test(code) ? { passes: false, message: "PostgreSQL refused a statement" } : undefined;
}

/** Codes and words of a connection that ended, or an answer that did not come, after a statement was sent. */
const UNANSWERED = /^(08...|57P0[12]|ECONNRESET|EPIPE|ETIMEDOUT)$/;
const UNANSWERED_WORDS = /Connection terminated|connection error|Query read timeout/;

/** Whether what was sent may be recorded all the same. */
export function isUnanswered(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return UNANSWERED.test(String(code)) || UNANSWERED_WORDS.test(String(message));
}

/** An error that may come from a commit that waits, of this process or another. */
export function isOfWaiting(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === "55P03" || String(message).includes("Query read timeout");
}

/** An error caused by the values of a Change, and not by the database. */
export function isOfValues(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === "string" && code.length === 5 && OF_VALUES.has(code.slice(0, 2));
}

/** A call with the same key was there already. */
export function isTaken(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === "23505" && constraint === "calls_key";
}
