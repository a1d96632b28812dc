import { expect, test } from "vitest";
import { say } from "../../messages/message.ts";
import { canonicalDomain, parseAddress } from "./url.ts";

function hostOf(text: string): string | undefined {
  const parsed = parseAddress(text);
  return parsed.ok ? parsed.address.host : undefined;
}

test("a host is always written in the same way", () => {
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

test("a host name in another script is shown in its ASCII form", () => {
  expect(hostOf("https://bücher.example")).toBe("xn--bcher-kva.example");
  expect(hostOf("https://gıthub.com")).toBe("xn--gthub-n4a.com");
});

test("a port is included only if it is not the default port", () => {
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

test("this machine and local networks are recognised in every notation", () => {
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

test("a public host is outside the local network", () => {
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

test("a host that is longer than a name can be is refused", () => {
  const of = (length: number) => parseAddress(`https://${"a.".repeat(length).slice(0, length)}`).ok;
  expect([of(253), of(255)]).toEqual([true, false]);
});

test("a text without a host is refused", () => {
  expect(
    ["", "http://", "http://[::1", "data:text/html,x", "https://exa mple.com", "mailto:a@b"].filter(
      (text) => parseAddress(text).ok,
    ),
  ).toEqual([]);
});

test("a domain that a person writes is brought into a form that can be compared", () => {
  expect(["GitHub.COM.", "*.GitHub.com", "bücher.example", "127.1"].map(canonicalDomain)).toEqual([
    "github.com",
    "*.github.com",
    "xn--bcher-kva.example",
    "127.0.0.1",
  ]);
});

test("an address that gives out credentials is recognised inside a DNS name that resolves to it", () => {
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

test("ordinary names with numbers do not give out credentials", () => {
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

test("an address that another parser may read differently is marked as doubtful", () => {
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
    [say("note.address_has_backslash")],
    [say("note.address_has_credentials")],
    [say("note.address_has_line_breaks")],
    [say("note.host_has_unusual_signs")],
    [say("note.host_leads_to_written_address")],
    [],
  ]);
});

test("an IPv6 address that contains an IPv4 address is judged as that IPv4 address, in every form", () => {
  const reach = (host: string) => {
    const parsed = parseAddress(`http://[${host}]/`);
    return parsed.ok ? parsed.address.reach : parsed.why;
  };
  const inside =
    ":: ::1 ::2 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::a00:1 64:ff9b:1::7f00:1 64:ff9b:1:7f00:0:100:: 2002:7f00:1:: 2002:c0a8:1:: 2001:0:1:2:3:4:80ff:fffe 2001:0:7f00:1::1 ::5efe:10.0.0.1 2001:470:1::5efe:7f00:1 2001:470:1:0:200:5efe:7f00:1 fe80::1 fec0::1 fc00::1 fd12::1 ff02::1 100::1 2001:db8::1 2001:10::1 3fff::1 5f00::1";
  expect(inside.split(" ").filter((host) => reach(host) !== "host")).toEqual([]);
  const outside =
    "2606:4700:4700::1111 2a00:1450:4001::8 ::ffff:8.8.8.8 ::ffff:0:8.8.8.8 64:ff9b::808:808 2002:808:808::";
  expect(outside.split(" ").filter((host) => reach(host) !== "outside")).toEqual([]);
});

test("every link-local address counts as giving out credentials, in every notation", () => {
  const hosts =
    "169.254.42.42 169.254.1.2 [::ffff:169.254.42.42] [::ffff:0:a9fe:2a2a] [64:ff9b::a9fe:a9fe] [2002:a9fe:a9fe::] [fd00:42::42] [fd20:ce::254] [fe80::a9fe:a9fe] 0xa9fea9fe 0251.0376.0251.0376 2852039166";
  const given = hosts.split(" ").map((host) => parseAddress(`http://${host}/`));
  expect(given.map((parsed) => parsed.ok && parsed.address.metadata)).toEqual(given.map(() => true));
});
