import type { Level, Target } from "../../effect.ts";
import { say } from "../../messages/message.ts";
import type { Line } from "../../shell/path-uses.ts";
import { RECEIVING, type ReceivingRow, takesIn } from "../../tables/receivers.ts";
import { addGraver, doubt, type EffectDraft, levelOf } from "../effect-draft.ts";
import { type Address, addressesInside, parseAddress, pathOf } from "./url.ts";

const WEB = new Set(["http", "https", "ws", "wss", "ftp"]);

/** Adds an address as a target. An address that gives out credentials becomes a separate part. */
export function addAddress(draft: EffectDraft, text: string, level: Level): void {
  const parsed = parseAddress(text);
  if (!parsed.ok) {
    doubt(draft, parsed.why);
    return;
  }
  const { address } = parsed;
  for (const note of address.notes) draft.notes.add(note);
  for (const why of address.doubts) doubt(draft, why);
  if (!WEB.has(address.scheme)) doubt(draft, say("note.address_scheme_unknown", { scheme: address.scheme }));
  if (address.metadata) {
    draft.notes.add(say("note.host_gives_credentials", { host: address.host }));
    addGraver(draft, "secrets.read", targetsOf(address, "admin"), "host");
    return;
  }
  if (takesIn(address.host)) {
    draft.notes.add(say("note.host_collects_requests", { host: address.host }));
    addGraver(draft, "network.write", targetsOf(address, "write"), address.reach);
    return;
  }
  for (const row of receiving(address, text)) {
    draft.notes.add(say(row.note, { host: address.host }));
    addGraver(draft, row.class, targetsOf(address, row.class === "secrets.read" ? "admin" : "write"), address.reach);
  }
  draft.targets.push(...targetsOf(address, level));
  draft.reaches.push(address.reach);
}

/** The rows of the table that match this address. */
function receiving({ host, reach }: Address, text: string): readonly ReceivingRow[] {
  const path = pathOf(text);
  if (path.length <= 1) return NONE;
  return RECEIVING.filter(
    (row) =>
      (row.host === undefined ||
        (row.host === "inside" ? reach === "host" : host === row.host || host.endsWith(`.${row.host}`))) &&
      row.path.test(path),
  );
}

const NONE: readonly ReceivingRow[] = [];

/** The host as it is written, and other addresses that it contains. They are the same machine. */
function targetsOf({ host, port }: Address, level: Level): readonly Target[] {
  return [host, ...addressesInside(host)].map((domain) =>
    port === undefined ? { kind: "domain", domain, level } : { kind: "domain", domain, port, level },
  );
}

export function addHost(draft: EffectDraft, hosts: string): void {
  for (const host of hosts.split(","))
    addAddress(draft, `https://${host.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "").replace(/^[^@]*@/, "")}`, levelOf(draft));
}

/** Programs read one slash, or none, as two. It is unknown whether this program does. */
export function addUrl(draft: EffectDraft, text: string): void {
  const [, slashes] = /^[a-z][a-z0-9+.-]*:([/\\]*)/i.exec(text) ?? [];
  const isWeb = /^(https?|ftps?|wss?):(?!\d+(?:[/?#]|$))/i.test(text);
  const isNamed = slashes !== undefined && (slashes !== "" || isWeb);
  if (isNamed && slashes !== "//") doubt(draft, say("note.address_ambiguous"));
  addAddress(draft, isNamed ? text : `http://${text}`, levelOf(draft));
}

/** A database server may ask the client for files, and it gets the stored password. */
export function addDatabases(draft: EffectDraft, line: Line): void {
  const named = line.simple.words.slice(1).filter((word) => !line.statements.includes(word));
  for (const host of named.flatMap(({ text }) => databaseHosts(text, line.name))) addHost(draft, host);
  // `pg_isready` sends no password.
  if (line.name === "pg_isready") return;
  if (draft.targets.some((target) => target.kind === "domain" && isOutside(target.domain)))
    doubt(draft, say("note.database_gets_password"));
}

/** The hosts of an address such as `postgres://ana@db/shop`, and of settings such as `host=db`. */
function databaseHosts(text: string, program: string): readonly string[] {
  const [, , inAddress] = /^(?:--?[\w-]+=|-\w)?([a-z][a-z0-9+.-]*):\/\/(?:[^@/?#\s]*@)?([^/?#\s]*)/i.exec(text) ?? [];
  const inSettings = /^(psql|pg_)/.test(program)
    ? [...text.matchAll(/(?:^(?:-\w)?|[\s?&=])(?:host|hostaddr)\s*=\s*'?([^\s'&]+)/g)].map(([, host = ""]) => host)
    : [];
  return [inAddress ?? "", ...inSettings].flatMap((list) => list.split(",")).filter((host) => !/^(\/.*)?$/.test(host));
}

function isOutside(domain: string): boolean {
  const parsed = parseAddress(`https://${domain.includes(":") ? `[${domain}]` : domain}`);
  return !parsed.ok || parsed.address.reach === "outside";
}
