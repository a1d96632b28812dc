import { lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

// Tells public addresses from those of this machine and its networks. The check is made after the name was resolved,
// and exactly the checked address is then called.

const NEAR_4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];
/** Of IPv6 only 2000::/3 is public, without its special ranges; two of those contain an IPv4 address. */
const NEAR_6 = ["::/3", "4000::/2", "8000::/1", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

/** Two lists, because a combined list would also match IPv4 addresses against IPv6 ranges that contain them. */
const near = { ipv4: blockList("ipv4", NEAR_4), ipv6: blockList("ipv6", NEAR_6) };

function blockList(family: "ipv4" | "ipv6", ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [net = "", bits = "0"] = range.split("/");
    list.addSubnet(net, Number(bits), family);
  }
  return list;
}

/** This machine, its networks, or an address that is not public. */
export function isNear(address: string): boolean {
  const family = isIP(address);
  // An address with a zone (`fe80::1%eth0`) is local, and so is one for a tunnel (ISATAP).
  if (family === 0 || address.includes("%") || /(^|:)5efe:([0-9a-f]{1,4}:[0-9a-f]{1,4}|[\d.]+)$/i.test(address))
    return true;
  return family === 4 ? near.ipv4.check(address, "ipv4") : near.ipv6.check(address, "ipv6");
}

/** A name with one local address is refused, even if other addresses of it are public. */
export const farLookup: LookupFunction = (name, options, found) => {
  lookup(name, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    const isWrong = first === undefined || addresses.some(({ address }) => isNear(address));
    const no = error ?? (isWrong ? nearby(name) : null);
    if (no !== null || first === undefined) found(no, "", 0);
    else if (options.all === true) found(null, addresses);
    else found(null, first.address, first.family);
  });
};

/** A public address of this host; throws if it has another one. */
export function farAddress(host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    farLookup(host, {}, (error, address) => (error === null ? resolve(String(address)) : reject(error)));
  });
}

export function nearby(host: string): NodeJS.ErrnoException {
  return new Error(`${host} is on this machine or in its network, which was not allowed`);
}
