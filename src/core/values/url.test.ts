import { expect, test } from "vitest";
import { canonicalDomain, parseAddress } from "../classify/addresses/url.ts";
import { urlFrom } from "./url.ts";

test("an address is parsed, or reported as not an address", () => {
  const hosts = ["https://a.example/b", "https://bücher.example", "https://gıthub.com", "no address", "http://[", ""];
  expect(hosts.map((text) => urlFrom(text)?.hostname)).toEqual([
    "a.example",
    "xn--bcher-kva.example",
    "xn--gthub-n4a.com",
    undefined,
    undefined,
    undefined,
  ]);
});

// Node 20 and 22 parse letters such as ü wrongly in `URL.canParse`, once it is compiled.
test("an address is parsed in the same way after many others were parsed", () => {
  for (let i = 0; i < 100_000; i++) {
    urlFrom(`https://a.example/${i}`);
    parseAddress(`https://a.example/${i}`);
    canonicalDomain(`a${i % 7}.example`);
  }
  expect(urlFrom("https://bücher.example/ä")?.hostname).toBe("xn--bcher-kva.example");
  expect(parseAddress("https://bücher.example")).toMatchObject({ address: { host: "xn--bcher-kva.example" } });
  expect(["bücher.example", "*.bücher.example"].map(canonicalDomain)).toEqual([
    "xn--bcher-kva.example",
    "*.xn--bcher-kva.example",
  ]);
});
