import { sha256Hex } from "../core/values/hash.ts";
import type { Deps } from "../gate/deps.ts";
import { newSecret } from "../gate/people/secret-locks.ts";
import { isLoopbackHost, type Place } from "./listening.ts";

/** Under which names a server is found. */
export type Names = {
  /** Where programs find it, without a final slash. */
  url: string;
  /** Where people do. */
  origin: string;
  /** What it may be asked for as. */
  hosts: ReadonlySet<string>;
  /** Where its pages are from. */
  origins: ReadonlySet<string>;
  /** The one host with pages and cookies, where that is a name that only people know. */
  apart?: string;
};

type Naming = Place & { url?: string; apart?: true };

/** The names a loopback server goes by, or the one it was given; and the origins of pages under these names. */
export function namesOf(deps: Deps, { host, port, url: given, apart }: Naming): Names {
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
 * Browsers send a cookie to every port of its host, and follow whoever leads them to one. So the pages have a host that no
 * other program knows: every name under `localhost` is this machine, and this one is made from a key that stays the same.
 */
function ownName(deps: Deps): string {
  const signed = deps.seals?.signer.sign("the name of the pages");
  return `leeway-${sha256Hex(signed ?? newSecret(deps)).slice(0, OWN_LENGTH)}.localhost`;
}
