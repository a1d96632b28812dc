import { expect, test } from "vitest";
import type { Walls } from "../../core/box.ts";
import type { Places } from "../bwrap-args.ts";
import { seatbeltProfile } from "./profile.ts";

const NOWHERE: Places = { own: [], hidden: [], kept: [], pinned: [], scratch: [], shown: [], writable: [] };

type Given = { places?: Partial<Places>; walls?: Partial<Walls>; ports?: readonly number[] };

function profileOf({ places = {}, walls = {}, ports = [] }: Given): string {
  return seatbeltProfile(
    { write: places.writable ?? [], network: [], reveal: [], ...walls },
    { project: "/p", places: { ...NOWHERE, ...places }, temporary: "/private/tmp/box", ports },
  );
}

/** What a profile says about one act on a path: of the rules that fit, the last one counts. */
function isAllowed(profile: string, act: string, path: string): boolean {
  let answer = false;
  for (const [, verdict, rest = ""] of profile.matchAll(/^\((allow|deny) (.*)\)$/gm)) {
    const acts = rest.split(/ \(/)[0]?.split(" ") ?? [];
    if (!acts.some((one) => one === act || (one.endsWith("*") && act.startsWith(one.slice(0, -1))))) continue;
    const filters = [...rest.matchAll(/\((subpath|literal|regex) "((?:[^"\\]|\\.)*)"\)/g)];
    const fits = filters.some(([, kind, text = ""]) => {
      const plain = text.replace(/\\(.)/g, "$1");
      if (kind === "regex") return new RegExp(plain).test(path);
      return path === plain || (kind === "subpath" && path.startsWith(plain === "/" ? "/" : `${plain}/`));
    });
    if (fits || filters.length === 0) answer = verdict === "allow";
  }
  return answer;
}

test("a profile closes everything, opens what programs need, and then the places of the walls", () => {
  const profile = profileOf({
    places: {
      own: ["/private/tmp"],
      hidden: [{ at: "/u/.ssh", is: "folder" }],
      kept: ["/p/.git/c"],
      pinned: ["/p/.git"],
      writable: ["/p"],
    },
    walls: { reveal: ["/u/.ssh/a"] },
    ports: [8080],
  });
  expect(profile).toBe(`(version 1)
(deny default)
(allow process-fork process-exec*)
(allow process-info* (target same-sandbox))
(allow signal (target same-sandbox))
(allow sysctl-read (sysctl-name-prefix "hw.") (sysctl-name-prefix "machdep.cpu.") (sysctl-name-prefix "kern.os") (sysctl-name "kern.argmax") (sysctl-name "kern.hostname") (sysctl-name "kern.maxfiles") (sysctl-name "kern.maxfilesperproc") (sysctl-name "kern.maxproc") (sysctl-name "kern.ngroups") (sysctl-name "kern.secure_kernel") (sysctl-name "kern.usrstack64") (sysctl-name "kern.version") (sysctl-name "kern.boottime") (sysctl-name "kern.tcsm_available") (sysctl-name "kern.tcsm_enable") (sysctl-name "machdep.ptrauth_enabled") (sysctl-name "security.mac.lockdown_mode_state") (sysctl-name "sysctl.proc_cputype") (sysctl-name "vm.loadavg"))
(allow sysctl-write (sysctl-name "kern.tcsm_enable"))
(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.system.opendirectoryd.membership") (global-name "com.apple.bsd.dirhelper"))
(allow ipc-posix-sem)
(allow network-outbound (remote ip "localhost:8080"))
(allow system-socket (socket-domain AF_UNIX))
(allow network-bind network-inbound (local unix-socket (subpath "/private/tmp/box")))
(allow network-outbound (remote unix-socket (subpath "/private/tmp/box")))
(allow file-read* file-map-executable)
(allow file-write-data file-ioctl (literal "/dev/null") (literal "/dev/zero") (literal "/dev/dtracehelper"))
(allow file-write-data (regex "^/dev/fd/[0-9]+$"))
(allow file-read* file-write* (subpath "/p"))
(deny file-read* file-write* (subpath "/private/tmp") (regex "^(/System/Volumes/Data)?(/private)?/[tT][mM][pP](/.*)?$"))
(deny file-read* file-write* (subpath "/u/.ssh") (regex "^(/System/Volumes/Data)?/[uU]/[.]([sS][sS]|[^/]*[^ -~/]+[^/]*)[hH](/.*)?$"))
(allow file-read* (subpath "/u/.ssh/a"))
(deny file-write* (subpath "/p/.git/c") (regex "^(/System/Volumes/Data)?/[pP]/[.][gG][iI][tT]/[cC](/.*)?$"))
(allow file-read* file-write* (subpath "/private/tmp/box"))
(deny file-write-unlink (literal "/private/tmp/box") (regex "^(/System/Volumes/Data)?(/private)?/[tT][mM][pP]/[bB][oO][xX]$") (literal "/p") (regex "^(/System/Volumes/Data)?/[pP]$") (literal "/p/.git") (regex "^(/System/Volumes/Data)?/[pP]/[.][gG][iI][tT]$"))
(deny file-write-setugid)
(allow file-read-metadata)
`);
});

test("no service is open by which a program could ask another one to do something", () => {
  const names = [...profileOf({}).matchAll(/global-name(?:-prefix|-regex)? "([^"]*)"/g)].map(([, name]) => name);
  expect(names).toEqual([
    "com.apple.system.opendirectoryd.libinfo",
    "com.apple.system.opendirectoryd.membership",
    "com.apple.bsd.dirhelper",
  ]);
  expect(profileOf({})).not.toMatch(
    /allow (default|job-creation|appleevent-send|lsopen|mach-register|iokit|file-link|pseudo-tty)/,
  );
});

test("there is no network without a proxy, and with it only its port", () => {
  const about = (profile: string) => profile.split("\n").filter((rule) => /remote ip|local ip/.test(rule));
  expect(about(profileOf({}))).toEqual([]);
  expect(about(profileOf({ walls: { network: ["a.example"] }, ports: [4000] }))).toEqual([
    '(allow network-outbound (remote ip "localhost:4000"))',
  ]);
  const any = profileOf({ walls: { network: "any" } });
  expect(about(any)).toEqual([
    '(allow network-outbound (remote ip "*:*"))',
    '(allow network-bind network-inbound (local ip "*:*"))',
  ]);
  expect(any.match(/remote unix-socket [^\n]*/g)).toEqual([
    'remote unix-socket (path-literal "/private/var/run/mDNSResponder")))',
    'remote unix-socket (subpath "/private/tmp/box")))',
  ]);
});

test("a protected place in a writable one stays closed in every spelling, and open if it is listed itself", () => {
  const kept = ["/Users/ana/é/.git/hooks", "/Users/ana/é/Makefile", "/Users/ana/é/.git/config"];
  const writable = ["/Users/ana/é", "/Users/ana/é/Makefile/listed"];
  const profile = profileOf({ places: { writable, kept, pinned: ["/Users/ana/é/.git"] } });
  const canWrite = (path: string) => isAllowed(profile, "file-write-data", `/Users/ana/é/${path}`.normalize("NFC"));
  expect(["a", "app/.git", ".gitignore", "Makefile2", "Makefile/listed/a"].map(canWrite)).toEqual(Array(5).fill(true));
  const closed = [
    ".git/hooks",
    ".git/hooks/pre-commit",
    ".GIT/Hooks/a",
    ".git/hooKs/a",
    ".git/hookſ/a",
    ".Git/CONFIG",
    ".git/conﬁg",
    "makefile",
  ];
  expect(closed.map(canWrite)).toEqual(closed.map(() => false));
  expect(isAllowed(profile, "file-write-data", "/Users/ana/other")).toBe(false);
  expect(isAllowed(profile, "file-write-data", "/System/Volumes/Data/Users/ana/é/.git/hooks")).toBe(false);
  const canMove = (path: string) => isAllowed(profile, "file-write-unlink", path);
  expect(["/Users/ana/é/src", "/Users/ana/é/.git", "/Users/ana/é/.GIT", "/Users/ana/é"].map(canMove)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test("a hidden place in a writable one can be neither read, nor changed, nor moved with its folder", () => {
  const profile = profileOf({ places: { writable: ["/p"], hidden: [{ at: "/p/a/Schlüssel", is: "file" }] } });
  const spellings = [
    "/p/a/Schlüssel",
    "/p/a/Schlu\u0308ssel",
    "/P/A/SCHLÜSSEL",
    "/p/a/Schlüßel",
    "/System/Volumes/Data/p/a/schlüssel",
  ];
  for (const act of ["file-read-data", "file-write-data", "file-write-unlink", "file-read-xattr"])
    expect(spellings.map((path) => isAllowed(profile, act, path))).toEqual(spellings.map(() => false));
  expect(isAllowed(profile, "file-write-unlink", "/p/a")).toBe(false);
  expect(isAllowed(profile, "file-read-data", "/p/a/Schloss")).toBe(true);
});

test("what is revealed in a hidden place can be read and not changed, also if folders in between are hidden", () => {
  const hidden = [
    { at: "/u", is: "folder" },
    { at: "/u/p/.env", is: "file" },
  ] as const;
  const profile = profileOf({ places: { hidden, shown: ["/u/p"] }, walls: { reveal: ["/u/.netrc"] } });
  const canRead = (path: string) => isAllowed(profile, "file-read-data", path);
  expect(["/u/.netrc", "/u/p/a"].map(canRead)).toEqual([true, true]);
  expect(["/u", "/u/.netrc2", "/u/p/.env", "/u/p/.ENV"].map(canRead)).toEqual([false, false, false, false]);
  expect(isAllowed(profile, "file-write-data", "/u/.netrc")).toBe(false);
});

test("a place is closed under its own path if it is named by one of the links of the system", () => {
  const profile = profileOf({
    places: {
      hidden: [
        { at: "/etc/ssh/key", is: "file" },
        { at: "/var/keys", is: "folder" },
      ],
    },
  });
  const paths = [
    "/private/etc/ssh/key",
    "/etc/ssh/key",
    "/System/Volumes/Data/private/etc/ssh/KEY",
    "/private/var/keys/a",
  ];
  expect(paths.map((path) => isAllowed(profile, "file-read-data", path))).toEqual([false, false, false, false]);
});

test("no path can add a rule, and what cannot be written stays closed", () => {
  const hostile = '/p") (allow default) ("\\';
  expect(profileOf({ places: { writable: [hostile] } })).toContain(
    '(allow file-read* file-write* (subpath "/p\\") (allow default) (\\"\\\\"))',
  );
  for (const path of ["/p\n", "/p\u0000", "/p\ufffd", `/${"a".repeat(1000)}`]) {
    expect(() => profileOf({ places: { writable: [path] } })).toThrow("cannot be opened in a box on macOS");
  }
  const closed = ["/p/a\nb", "/p/a\ufffdb", '/p/a"b', "/p/a\\b", "/p/a[b]^c", `/p/${"x".repeat(300)}/y`];
  const profile = profileOf({ places: { writable: ["/p"], kept: closed } });
  expect(closed.map((path) => isAllowed(profile, "file-write-data", path))).toEqual(closed.map(() => false));
  expect(isAllowed(profile, "file-write-data", "/p/other")).toBe(true);
  expect(profile.split("\n").every((rule) => rule === "" || /^\(.*\)$/.test(rule))).toBe(true);
  const texts = profile.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  expect(texts.filter((text) => Buffer.byteLength(text) > 1002)).toEqual([]);
});
