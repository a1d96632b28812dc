import { isIP } from "node:net";

/** A host and a port to which a program in a box wants to connect. */
export type Destination = { host: string; port: number };

/** Whether the walls name this destination: the same name, a name under `*.`, and the same port if a port is named. */
export function isListed({ host, port }: Destination, domains: readonly string[]): boolean {
  return domains.some((entry) => {
    const { name, only } = parsed(entry);
    if (only !== undefined && only !== port) return false;
    if (name.startsWith("*.")) return isIP(host) === 0 && host.endsWith(name.slice(1)) && host.length >= name.length;
    return name === host;
  });
}

/** Only a name that itself means this machine or an address of its networks may lead there. */
export function mayBeNear(host: string): boolean {
  return host === "localhost" || isIP(host) !== 0;
}

/** Whether it can be an entry of the list: a host, `*.` and a host, or an address, with or without a port. */
export function isEntry(text: string): boolean {
  return isIP(text) !== 0 || /^((\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.test(text);
}

function parsed(entry: string): { name: string; only: number | undefined } {
  const whole = entry.trim().toLowerCase();
  if (isIP(whole) !== 0) return { name: whole, only: undefined };
  const found = /^\[?(?<name>[^\]]*?)\]?(:(?<port>\d+))?$/.exec(whole);
  const port = found?.groups?.["port"];
  return { name: asHost(found?.groups?.["name"] ?? whole), only: port === undefined ? undefined : Number(port) };
}

/** One spelling for one host: without case, brackets and the dot at the end. */
export function asHost(text: string): string {
  return text
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
}

/** `host:port`; undefined if it is anything else. */
export function asDestination(text: string, usualPort: number): Destination | undefined {
  const found = /^(?<host>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._*-]+)(:(?<port>\d{1,5}))?$/.exec(text);
  const host = asHost(found?.groups?.["host"] ?? "");
  const port = Number(found?.groups?.["port"] ?? usualPort);
  if (host === "" || host.includes("*") || port < 1 || port > 65535) return undefined;
  // Numbers are addresses to some programs: `2130706433` and `0x7f.1` are 127.0.0.1.
  if (isIP(host) === 0 && /^[0-9.]+$|(^|\.)(0x[0-9a-f]*|\d+)$/.test(host)) return undefined;
  return { host, port };
}
