import { expect, test } from "vitest";
import { canonicalDomain, parseAddress } from "./url.ts";

function hostOf(text: string): string | undefined {
  const parsed = parseAddress(text);
  return parsed.ok ? parsed.address.host : undefined;
}

test("one host has one spelling", () => {
  const forms = [
    "https://API.GitHub.com/x",
    "https://api.github.com./x",
    "https://api.github.com:443/",
    "https://user:secret@api.github.com/",
    "api.github.com/x",
    "//api.github.com/x",
    "https://api。github。com/",
    " https://api.github.com ",
    "https:\\\\api.github.com\\x",
    "wss://api.github.com",
  ];
  expect(forms.map(hostOf)).toEqual(forms.map(() => "api.github.com"));
});

test("a name in another script is shown as the letters that are looked up", () => {
  expect(hostOf("https://bücher.example")).toBe("xn--bcher-kva.example");
  expect(hostOf("https://gıthub.com")).toBe("xn--gthub-n4a.com");
});

test("a port is named only where it is not the usual one", () => {
  const port = (text: string) => {
    const parsed = parseAddress(text);
    return parsed.ok ? parsed.address.port : "bad";
  };
  expect([
    port("https://a.com:443"),
    port("http://a.com:80"),
    port("https://a.com:8443"),
    port("a.com:8080/x"),
  ]).toEqual([undefined, undefined, 8443, 8080]);
});

test("this machine and the networks around it are recognised in any notation", () => {
  const inside = [
    "http://localhost",
    "http://LOCALHOST.",
    "http://a.localhost",
    "http://127.0.0.1",
    "http://127.1",
    "http://2130706433",
    "http://0x7f000001",
    "http://0177.0.0.1",
    "http://127.000.000.001",
    "http://0/",
    "http://0.0.0.0",
    "http://[::1]",
    "http://[::]",
    "http://[0:0:0:0:0:0:0:1]",
    "http://[::ffff:127.0.0.1]",
    "http://[::ffff:7f00:1]",
    "http://[::127.0.0.1]",
    "http://[64:ff9b::127.0.0.1]",
    "http://[64:ff9b::7f00:1]",
    "http://[2002:7f00:1::]",
    "http://[fe80::1]",
    "http://[fc00::1]",
    "http://[fd12:3456::1]",
    "http://10.0.0.1",
    "http://10.1",
    "http://172.16.0.1",
    "http://172.31.255.255",
    "http://192.168.1.1",
    "http://100.64.0.1",
    "http://169.254.1.1",
    "http://198.18.0.1",
    "http://224.0.0.1",
    "http://255.255.255.255",
    "http://printer",
    "http://nas.local",
    "http://db.internal",
    "http://router.lan",
    "http://127.0.0.1.nip.io",
    "http://x.localtest.me",
    "http://①②⑦.⓪.⓪.①",
    "http://user@127.0.0.1:80",
    "http://127.0.0.1:8080",
    "http:127.0.0.1",
    "http:/127.0.0.1",
  ];
  const missed = inside.filter((text) => {
    const parsed = parseAddress(text);
    return !parsed.ok || parsed.address.reach !== "host";
  });
  expect(missed).toEqual([]);
});

test("the world is outside", () => {
  const outside = [
    "https://example.com",
    "http://8.8.8.8",
    "http://172.32.0.1",
    "http://[2606:4700::1111]",
    "http://11.0.0.1",
  ];
  const wrong = outside.filter((text) => {
    const parsed = parseAddress(text);
    return !parsed.ok || parsed.address.reach !== "outside";
  });
  expect(wrong).toEqual([]);
});

test("a host longer than any name can be is refused", () => {
  const of = (length: number) => parseAddress(`https://${"a.".repeat(length).slice(0, length)}`).ok;
  expect([of(253), of(255)]).toEqual([true, false]);
});

test("what names no host is refused", () => {
  expect(
    ["", "http://", "http://[::1", "data:text/html,x", "https://exa mple.com", "mailto:a@b"].filter(
      (text) => parseAddress(text).ok,
    ),
  ).toEqual([]);
});

test("a domain as a person writes it is made comparable", () => {
  expect(["GitHub.COM.", "*.GitHub.com", "bücher.example", "127.1"].map(canonicalDomain)).toEqual([
    "github.com",
    "*.github.com",
    "xn--bcher-kva.example",
    "127.0.0.1",
  ]);
});

test("an address that hands out credentials is recognised inside a name that leads to it", () => {
  const names = [
    "http://169.254.169.254.nip.io/latest",
    "http://169-254-169-254.nip.io/",
    "http://app.169.254.169.254.sslip.io/",
    "http://app-169-254-169-254.sslip.io/",
    "http://10.169.254.169.254.xip.io/",
    "http://a9fea9fe.nip.io/",
    "http://a9fea9fe.01020304.rbndr.us/",
    "http://0--ffff-a9fe-a9fe.sslip.io/",
    "http://fd00-ec2--254.sslip.io/",
    "http://169.254.169.254.names.example/",
    "http://168.63.129.16/",
    "http://168.63.129.16.nip.io/",
    "http://[::ffff:168.63.129.16]/",
  ];
  const missed = names.filter((text) => {
    const parsed = parseAddress(text);
    return !parsed.ok || !parsed.address.metadata;
  });
  expect(missed).toEqual([]);
});

test("ordinary names with numbers hand out nothing", () => {
  const names = [
    "https://ec2-3-4-5-6.compute.example",
    "https://deadbeef.example",
    "https://a-b.example",
    "https://1169.254.169.2540.example",
  ];
  const wrong = names.filter((text) => {
    const parsed = parseAddress(text);
    return !parsed.ok || parsed.address.metadata || parsed.address.doubts.length > 0;
  });
  expect(wrong).toEqual([]);
});

test("what another parser may read differently is a doubt", () => {
  const doubtsOf = (text: string) => {
    const parsed = parseAddress(text);
    return parsed.ok ? parsed.address.doubts : [parsed.why];
  };
  expect(
    [
      "http://good.example\\@169.254.169.254/",
      "https://ana@good.example/",
      "https://good.ex\tample/",
      "good.example,evil.example",
      "http://1.2.3.4.nip.io.",
      "https://good.example/a?b=c@d#e",
    ].map(doubtsOf),
  ).toEqual([
    ["the address holds a backslash, which programs read in different ways"],
    ["the address carries a user name or password"],
    ["the address holds line breaks or tabs"],
    ["the address names a host with unusual signs"],
    ["the name leads to whatever address is written in it"],
    [],
  ]);
});
