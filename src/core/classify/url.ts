import type { Reach } from "../effect.ts";
import { urlFrom } from "../values/url.ts";

/** Where a request goes, read by one parser so that checker and fetcher see the same host. */
export type Address = {
  scheme: string;
  host: string;
  /** Only where it is not the scheme's own. */
  port: number | undefined;
  /** Loopback, private and link-local addresses are this machine's side of the world. */
  reach: Extract<Reach, "host" | "outside">;
  /** Hands out credentials to whoever asks from inside. */
  metadata: boolean;
  notes: readonly string[];
  /** What another parser may read differently, so that the request may go elsewhere. */
  doubts: readonly string[];
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
  "metadata.google.internal",
  "metadata.goog",
  "metadata.azure.internal",
  "metadata.tencentyun.com",
  "metadata",
  "instance-data",
  "instance-data.ec2.internal",
]);
/** Public names that resolve to whatever address is written in them, or to loopback. */
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
const INSIDE = ["localhost", "local", "internal", "intranet", "lan", "home.arpa", "corp"];

export function parseAddress(text: string): { ok: true; address: Address } | { ok: false; why: string } {
  const written = inShort(text);
  if (written === undefined) return { ok: false, why: LONG };
  const spelled = /^[a-z][a-z0-9+.-]*:/i.test(written) && !/^[^/:]+:\d+([/?#]|$)/.test(written);
  const full = spelled ? written : `https://${written.replace(/^\/\//, "")}`;
  const url = urlFrom(full);
  if (url === undefined) return { ok: false, why: "the address cannot be read" };
  const scheme = url.protocol.slice(0, -1);
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.+$/, "");
  if (host === "") return { ok: false, why: `an address of kind ${scheme} names no host` };
  if (host.length > HOST_MAX) return { ok: false, why: "the address names a host longer than any name can be" };
  const notes: string[] = [];
  if (!WEB.has(scheme)) notes.push(`the address is of kind ${scheme}`);
  const inside = isInside(host);
  if (inside) notes.push(`${host} is a loopback, private or link-local address`);
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

/** No server takes a longer one. */
const LETTERS_MAX = 65_536;
const LONG = "the address is longer than any server takes";

/** As much of an address as is read, where the host surely ends in it. */
function inShort(text: string): string | undefined {
  if (text.length <= LETTERS_MAX) return text.trim();
  const start = text.slice(0, LETTERS_MAX).trimStart();
  const afterScheme = start.replace(/^[a-z][a-z0-9+.-]*:/i, "").replace(/^[/\\]+/, "");
  return /[/\\?#]/.test(afterScheme) ? start : undefined;
}

function isMetadata(host: string): boolean {
  if (METADATA.has(host) || METADATA.has(embedded(host) ?? "")) return true;
  return MAY_SPELL.test(host) && writtenIn(host).some((name) => METADATA.has(name));
}

/** No address is spelled out in a name that holds neither digits, dashes nor as many letters as there are in one. */
const MAY_SPELL = /[\d-]|[a-f]{8}/;

function doubtsOf(written: string, url: URL, host: string): string[] {
  const doubts: string[] = [];
  if (url.username !== "" || url.password !== "") doubts.push("the address carries a user name or password");
  if (/[\t\r\n]/.test(written)) doubts.push("the address holds line breaks or tabs");
  if (written.includes("\\")) doubts.push("the address holds a backslash, which programs read in different ways");
  if (!/^[\w.:[\]-]*$/.test(url.hostname)) doubts.push("the address names a host with unusual signs");
  if (isOneOf(ECHOING, host)) doubts.push("the name leads to whatever address is written in it");
  return doubts;
}

/** Addresses spelled out in a name, with dots, dashes or as one number in hex: there are names that lead to them. */
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
    ...sixes.flatMap((six) => [six, embedded(six) ?? ""]),
  ];
}

/** `example.com` as a rule or a grant spells it, made comparable with a target's domain. */
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

function isInside6(host: string): boolean {
  const inner = embedded(host);
  if (inner !== undefined && isInside4(inner.split(".").map(Number))) return true;
  const groups = groupsOf(host);
  const [first = 0] = groups;
  if (groups.slice(0, 7).every((group) => group === 0) && (groups[7] ?? 0) <= 1) return true;
  return (first & 0xfe00) === 0xfc00 || (first & 0xffc0) === 0xfe80 || (first & 0xffc0) === 0xfec0 || first >= 0xff00;
}

/** The IPv4 address inside an IPv6 one: mapped, compatible, translated (64:ff9b::), or 6to4 (2002::). */
function embedded(host: string): string | undefined {
  if (!host.includes(":")) return undefined;
  const groups = groupsOf(host);
  const quad = (high = 0, low = 0) => [high >> 8, high & 255, low >> 8, low & 255].join(".");
  const lead = groups.slice(0, 5).every((group) => group === 0);
  if (lead && (groups[5] === 0xffff || groups[5] === 0) && (groups[6] ?? 0) !== 0) return quad(groups[6], groups[7]);
  if (lead && groups[5] === 0xffff) return quad(groups[6], groups[7]);
  if (groups[0] === 0x64 && groups[1] === 0xff9b) return quad(groups[6], groups[7]);
  return groups[0] === 0x2002 ? quad(groups[1], groups[2]) : undefined;
}

/** The parser has written the address in its shortest form; here it gets its eight groups back. */
function groupsOf(host: string): number[] {
  const [before = "", after] = host.split("::");
  const read = (text: string) => (text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16)));
  const head = read(before);
  const tail = read(after ?? "");
  return after === undefined ? head : [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}
