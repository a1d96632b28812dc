import { sha256Hex } from "../../core/values/hash.ts";
import type { Deps } from "../../gate/deps.ts";
import { newSecret } from "../../gate/people/secret-locks.ts";
import { isLoopbackHost, type ListenAddress } from "./listening.ts";

/** The addresses and host names of a server. */
export type ServerNames = {
  /** The address for programs, without a final slash. */
  url: string;
  /** The address for people. */
  origin: string;
  /** The host names that requests may use. */
  hosts: ReadonlySet<string>;
  /** The origins of its pages. */
  origins: ReadonlySet<string>;
  /** The only host name with pages and cookies, if that is a name that only people know. */
  apart?: string;
};

type Naming = ListenAddress & { url?: string; apart?: true };

/** The names of a loopback server, or the given one; and the origins of pages under these names. */
export function namesOf(deps: Deps, { host, port, url: given, apart }: Naming): ServerNames {
  const url = given?.replace(/\/$/, "") ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const loopback = isLoopbackHost(host) ? [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`] : [];
  const hosts = new Set([new URL(url).host, ...loopback]);
  if (apart === true && given === undefined && loopback.length > 0) {
    const own = `${ownName(deps)}:${port}`;
    const origin = `http://${own}`;
    return { url, origin, hosts: hosts.add(own), origins: new Set([origin]), apart: own };
  }
  const origins = new Set([new URL(url).origin, ...loopback.map((name) => `http://${name}`)]);
  return { url, origin: url, hosts, origins };
}

const OWN_LENGTH = 20;

/**
 * Browsers send a cookie to every port of a host, and any page can lead a browser there. So the pages have a host name that no
 * other program knows: every name under `localhost` is this machine, and this name is made from a key, so it stays the same.
 */
function ownName(deps: Deps): string {
  const signed = deps.seals?.signer.sign("the name of the pages");
  return `leeway-${sha256Hex(signed ?? newSecret(deps)).slice(0, OWN_LENGTH)}.localhost`;
}
