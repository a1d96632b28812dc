import { lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

// Where the world ends and this machine and its networks begin: an address that a name leads to is looked at after the
// name was looked up, and exactly that address is then called.

const NEAR_4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];
/** The last three carry an IPv4 address inside: whichever it is, it is not asked for under this name. */
const NEAR_6 = [
  "::/128",
  "::1/128",
  "100::/64",
  "2001:db8::/32",
  "fc00::/7",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8",
  "64:ff9b::/32",
  "2001::/32",
  "2002::/16",
];

const near = new BlockList();
for (const [family, ranges] of [["ipv4", NEAR_4] as const, ["ipv6", NEAR_6] as const]) {
  for (const range of ranges) {
    const [net = "", bits = "0"] = range.split("/");
    near.addSubnet(net, Number(bits), family);
  }
}

/** This machine, its networks, or no address that anybody outside has. */
export function isNear(address: string): boolean {
  const family = isIP(address);
  return family === 0 || near.check(address, family === 4 ? "ipv4" : "ipv6");
}

/** A name that leads near leads nowhere, even where some of its addresses are outside. */
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

export function nearby(host: string): NodeJS.ErrnoException {
  return new Error(`${host} is on this machine or in its network, which was not allowed`);
}
