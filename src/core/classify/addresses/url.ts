import type { Reach } from "../../effect.ts";
import { type Message, say } from "../../messages/message.ts";
import { UNREAD } from "../../tables/unread.ts";
import { urlFrom } from "../../values/url.ts";

/** Where a request goes, parsed by one parser so that checker and fetcher see the same host. */
export type Address = {
  scheme: string;
  host: string;
  /** Only if it is not the default port of the scheme. */
  port: number | undefined;
  /** Loopback, private and link-local addresses are local. */
  reach: Extract<Reach, "host" | "outside">;
  /** Gives out credentials to clients inside the network. */
  metadata: boolean;
  notes: readonly Message[];
  /** What another parser may read differently, so that the request may go elsewhere. */
  doubts: readonly Message[];
};

const WEB = new Set(["http", "https", "ws", "wss", "ftp"]);
const METADATA = new Set([
  "169.254.169.254",
  "169.254.170.2",
  "169.254.170.23",
  "100.100.100.200",
  "192.0.0.192",
  "168.63.129.16",
  "169.254.0.23",
  "fd00:ec2::254",
  "fd00:ec2::23",
  "fd00:42::42",
  "fd00:a9fe:a9fe::1",
  "fd00:c1::a9fe:a9fe",
  "fd20:ce::254",
  "fe80::a9fe:a9fe",
  "metadata.google.internal",
  "metadata.goog",
  "metadata.azure.internal",
  "metadata.tencentyun.com",
  "metadata.packet.net",
  "metadata.platformequinix.com",
  "rancher-metadata",
  "metadata",
  "instance-data",
  "instance-data.ec2.internal",
]);
/** Public names that resolve to the address written in them, or to loopback. */
const ECHOING = [
  "nip.io",
  "sslip.io",
  "xip.io",
  "localtest.me",
  "lvh.me",
  "vcap.me",
  "traefik.me",
  "1u.ms",
  "rbndr.us",
];
const HOST_MAX = 253;
const INSIDE = ["localhost", "localdomain", "local", "internal", "intranet", "lan", "home.arpa", "corp", "svc"];

/** What follows the host, normalised: no escapes, no doubled slashes, in lower case. */
export function pathOf(text: string): string {
  const url = urlFrom(spelledOut(inShort(text) ?? ""));
  if (url === undefined) return "";
  return `${url.pathname}${url.search}`
    .replace(/%([2-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\/{2,}/g, "/")
    .toLowerCase();
}

/** With its scheme, which people often leave out. */
function spelledOut(written: string): string {
  const spelled = /^[a-z][a-z0-9+.-]*:/i.test(written) && !/^[^/:]+:\d+([/?#]|$)/.test(written);
  return spelled ? written : `https://${written.replace(/^\/\//, "")}`;
}

export function parseAddress(text: string): { ok: true; address: Address } | { ok: false; why: Message } {
  const written = inShort(text);
  if (written === undefined) return { ok: false, why: LONG };
  const url = urlFrom(spelledOut(written));
  if (url === undefined) return { ok: false, why: say("note.address_unreadable") };
  const scheme = url.protocol.slice(0, -1);
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.+$/, "");
  if (host === "") return { ok: false, why: say("note.address_without_host", { scheme }) };
  if (host.length > HOST_MAX) return { ok: false, why: UNREAD.host };
  const notes: Message[] = [];
  if (!WEB.has(scheme)) notes.push(say("note.address_scheme", { scheme }));
  const inside = isInside(host);
  if (inside) notes.push(say("note.address_is_private", { host }));
  const address: Address = {
    scheme,
    host,
    port: url.port === "" ? undefined : Number(url.port),
    reach: inside ? "host" : "outside",
    metadata: isMetadata(host),
    notes,
    doubts: text.length > LETTERS_MAX ? [LONG, ...doubtsOf(written, url, host)] : doubtsOf(written, url, host),
  };
  return { ok: true, address };
}

/** No server accepts a longer one. */
const LETTERS_MAX = 65_536;
const LONG = UNREAD.address;

/** As much of an address as is parsed, if the host certainly ends in it. */
function inShort(text: string): string | undefined {
  if (text.length <= LETTERS_MAX) return text.trim();
  const start = text.slice(0, LETTERS_MAX).trimStart();
  const afterScheme = start.replace(/^[a-z][a-z0-9+.-]*:/i, "").replace(/^[/\\]+/, "");
  return /[/\\?#]/.test(afterScheme) ? start : undefined;
}

function isMetadata(host: string): boolean {
  const names = [host, ...addressesInside(host), ...(MAY_SPELL.test(host) ? writtenIn(host) : [])];
  // Every address of this range belongs to the requesting machine, and clouds provide credentials there.
  return names.some((name) => METADATA.has(name) || /^169\.254\.\d+\.\d+$/.test(name));
}

/** A name without digits, dashes or enough letters cannot contain an address. */
const MAY_SPELL = /[\d-]|[a-f]{8}/;

function doubtsOf(written: string, url: URL, host: string): Message[] {
  const doubts: Message[] = [];
  if (url.username !== "" || url.password !== "") doubts.push(say("note.address_has_credentials"));
  if (/[\t\r\n]/.test(written)) doubts.push(say("note.address_has_line_breaks"));
  if (written.includes("\\")) doubts.push(say("note.address_has_backslash"));
  if (!/^[\w.:[\]-]*$/.test(url.hostname)) doubts.push(say("note.host_has_unusual_signs"));
  if (isOneOf(ECHOING, host)) doubts.push(say("note.host_leads_to_written_address"));
  return doubts;
}

/** Addresses written in a name, with dots, dashes or as one hex number: some names resolve to them. */
function writtenIn(host: string): string[] {
  if (isAddressLiteral(host)) return [];
  const quads = [...host.matchAll(/(?<!\d)(?=(\d{1,3}[.-]\d{1,3}[.-]\d{1,3}[.-]\d{1,3})(?!\d))/g)];
  const hexes = host.match(/(?<![0-9a-z])[0-9a-f]{8}(?![0-9a-z])/g) ?? [];
  const sixes = host.split(".").flatMap((label) => {
    const six = `http://[${label.replaceAll("-", ":")}]`;
    return /^[0-9a-f-]*-[0-9a-f-]*$/.test(label) && URL.canParse(six) ? [new URL(six).hostname.slice(1, -1)] : [];
  });
  return [
    ...quads.map(([, quad = ""]) => quad.split(/[.-]/).map(Number).join(".")),
    ...hexes.map((hex) => (hex.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)).join(".")),
    ...sixes.flatMap((six) => [six, ...addressesInside(six)]),
  ];
}

/** `example.com` as a rule or a grant spells it, in a form that can be compared with a target's domain. */
export function canonicalDomain(domain: string): string {
  const bare = domain.trim().toLowerCase().replace(/\.+$/, "");
  const wild = bare.startsWith("*.") ? "*." : "";
  const parsed = urlFrom(`https://${bare.slice(wild.length)}`);
  return wild + (parsed?.hostname.replace(/^\[|\]$/g, "") || bare.slice(wild.length));
}

export function isAddressLiteral(host: string): boolean {
  return /^\d+\.\d+\.\d+\.\d+$/.test(host) || host.includes(":");
}

function isInside(host: string): boolean {
  if (METADATA.has(host)) return true;
  if (host.includes(":")) return isInside6(host);
  if (isAddressLiteral(host)) return isInside4(host.split(".").map(Number));
  if (!host.includes(".")) return true;
  return isOneOf(INSIDE, host) || isOneOf(ECHOING, host);
}

function isOneOf(names: readonly string[], host: string): boolean {
  return names.some((name) => host.endsWith(name) && (host.length === name.length || host.endsWith("." + name)));
}

function isInside4([a = 0, b = 0]: readonly number[]): boolean {
  if (a === 0 || a === 10 || a === 127 || a >= 224) return true;
  if (a === 100) return b >= 64 && b < 128;
  if (a === 169) return b === 254;
  if (a === 172) return b >= 16 && b < 32;
  if (a === 192) return b === 168 || b === 0;
  return a === 198 && (b === 18 || b === 19);
}

/** Only a part of 2000::/3 is public; an address that contains an IPv4 address counts as that one. */
function isInside6(host: string): boolean {
  const inner = addressesInside(host);
  if (inner.some((quad) => isInside4(quad.split(".").map(Number)))) return true;
  const [first = 0, second = 0] = groupsOf(host);
  if (first >> 13 !== 1) return inner.length === 0;
  return (first === 0x2001 && (second < 0x200 || second === 0xdb8)) || (first === 0x3fff && second < 0x1000);
}

/**
 * The IPv4 addresses inside an IPv6 one: mapped, compatible, translated (::ffff:0:0:0/96, 64:ff9b::/96 and the places
 * that RFC 6052 allows behind 64:ff9b:1::/48), 6to4 (2002::), Teredo (2001::, the client's inverted) and ISATAP.
 */
export function addressesInside(host: string): string[] {
  if (!host.includes(":")) return [];
  const groups = groupsOf(host);
  const [g0 = 0, g1 = 0, g2 = 0, g3 = 0, g4 = 0, g5 = 0, g6 = 0, g7 = 0] = groups;
  const quad = (high: number, low: number) => [high >> 8, high & 255, low >> 8, low & 255].join(".");
  const found: string[] = [];
  if (groups.slice(0, 4).every((group) => group === 0)) {
    const isLast = (g4 === 0 && (g5 === 0xffff || (g5 === 0 && g6 !== 0))) || (g4 === 0xffff && g5 === 0);
    if (isLast) found.push(quad(g6, g7));
  }
  if (g0 === 0x64 && g1 === 0xff9b) {
    found.push(quad(g6, g7));
    if (g2 === 1) found.push(quad(g3, ((g4 & 255) << 8) | (g5 >> 8)));
  }
  if (g0 === 0x2002) found.push(quad(g1, g2));
  if (g0 === 0x2001 && g1 === 0) found.push(quad(g2, g3), quad(g6 ^ 0xffff, g7 ^ 0xffff));
  if ((g4 === 0 || g4 === 0x200) && g5 === 0x5efe) found.push(quad(g6, g7));
  return found;
}

/** The parser has written the address in its shortest form; this restores its eight groups. */
function groupsOf(host: string): number[] {
  const [before = "", after] = host.split("::");
  const read = (text: string) => (text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16)));
  const head = read(before);
  const tail = read(after ?? "");
  return after === undefined ? head : [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}
