import type { Walls } from "../../core/box.ts";
import { isUnder } from "../../core/classify/path.ts";
import type { Found } from "../places.ts";
import { exactly, foldersAbove, inAnySpelling, itselfInAnySpelling } from "./paths.ts";

// The profile of a box on macOS, as text for `sandbox-exec`. Everything is closed, and only what is listed here is open. So the
// services by which programs of macOS ask others to do something are closed: launchd, Apple events, Launch Services, the
// keychain, the pasteboard, preferences.

type Places = Found["places"];

type Around = {
  project: string;
  places: Places;
  /** The folder for temporary files that the box has for itself. */
  temporary: string;
  /** The ports of this machine at which the proxy of this box listens. */
  ports: readonly number[];
};

/** It reads nothing: what is on the disk is in `places`. Of two rules about the same, the later one counts. */
export function seatbeltProfile(walls: Walls, around: Around): string {
  const { temporary } = around;
  const rules = [
    "(version 1)",
    "(deny default)",
    ...PROGRAMS,
    ...networkRules(walls.network, around.ports),
    // Programs of the box may talk to each other by sockets in their own folder. All others belong to programs outside.
    "(allow system-socket (socket-domain AF_UNIX))",
    `(allow network-bind network-inbound (local unix-socket ${exactly(temporary)}))`,
    `(allow network-outbound (remote unix-socket ${exactly(temporary)}))`,
    "(allow file-read* file-map-executable)",
    ...DEVICES,
    ...fileRules(walls, around).map(({ rule }) => rule),
    ...pins(around.places, temporary),
    "(deny file-write-setugid)",
    // Whether a name exists can be seen, and how large a file is. Otherwise many programs fail that only list a folder.
    "(allow file-read-metadata)",
  ];
  return `${rules.join("\n")}\n`;
}

const PROGRAMS = [
  "(allow process-fork process-exec*)",
  "(allow process-info* (target same-sandbox))",
  "(allow signal (target same-sandbox))",
  // The machine and the version of the system. Not `kern.procargs`, by which the variables of other programs can be read.
  '(allow sysctl-read (sysctl-name-prefix "hw.") (sysctl-name-prefix "machdep.cpu.") (sysctl-name-prefix "kern.os") ' +
    `${names("sysctl-name", "kern.argmax kern.hostname kern.maxfiles kern.maxfilesperproc kern.maxproc kern.ngroups")} ` +
    `${names("sysctl-name", "kern.secure_kernel kern.usrstack64 kern.version kern.boottime kern.tcsm_available kern.tcsm_enable")} ` +
    `${names("sysctl-name", "machdep.ptrauth_enabled security.mac.lockdown_mode_state sysctl.proc_cputype vm.loadavg")})`,
  '(allow sysctl-write (sysctl-name "kern.tcsm_enable"))',
  // The names of users and groups, and the path of the folder for temporary files.
  `(allow mach-lookup ${names("global-name", "com.apple.system.opendirectoryd.libinfo com.apple.system.opendirectoryd.membership com.apple.bsd.dirhelper")})`,
  "(allow ipc-posix-sem)",
];

const DEVICES = [
  '(allow file-write-data file-ioctl (literal "/dev/null") (literal "/dev/zero") (literal "/dev/dtracehelper"))',
  '(allow file-write-data (regex "^/dev/fd/[0-9]+$"))',
];

function names(filter: string, list: string): string {
  return list
    .split(" ")
    .map((name) => `(${filter} "${name}")`)
    .join(" ");
}

/** Without a proxy there is no network at all, not even to this machine: it has programs that run what they are told. */
function networkRules(network: Walls["network"], ports: readonly number[]): readonly string[] {
  if (network !== "any") return ports.map((port) => `(allow network-outbound (remote ip "localhost:${port}"))`);
  return [
    '(allow network-outbound (remote ip "*:*"))',
    '(allow network-bind network-inbound (local ip "*:*"))',
    '(allow network-outbound (remote unix-socket (path-literal "/private/var/run/mDNSResponder")))',
    `(allow mach-lookup ${names("global-name", "com.apple.trustd com.apple.trustd.agent com.apple.SystemConfiguration.DNSConfiguration")})`,
    '(allow sysctl-read (sysctl-name-prefix "net.routetable."))',
  ];
}

type FileRule = { at: string; order: number; rule: string };

/** Folders come before what is in them. At the same path the higher order counts, as in a box on Linux. */
function fileRules(walls: Walls, { project, places, temporary }: Around): FileRule[] {
  const covered = [...places.own, ...places.hidden.map(({ at }) => at)];
  const isCovered = (path: string) => covered.some((folder) => path !== folder && isUnder(path, folder));
  const close = (at: string, order: number, acts: string) => ({
    at,
    order,
    rule: `(deny ${acts} ${inAnySpelling(at).join(" ")})`,
  });
  const open = (at: string, order: number, acts: string) => ({ at, order, rule: `(allow ${acts} ${exactly(at)})` });
  return [
    ...places.own.map((at) => close(at, 0, BOTH)),
    ...[...new Set([project, ...places.shown])].filter(isCovered).map((at) => open(at, 1, "file-read*")),
    ...places.hidden.map(({ at }) => close(at, 2, BOTH)),
    ...walls.reveal.filter(isCovered).map((at) => open(at, 3, "file-read*")),
    ...places.writable.map((at) => open(at, 4, BOTH)),
    ...places.kept.map((at) => close(at, 5, "file-write*")),
    open(temporary, 6, BOTH),
  ].sort((a, b) => depth(a.at) - depth(b.at) || a.order - b.order);
}

const BOTH = "file-read* file-write*";

function depth(path: string): number {
  return path === "/" ? 0 : path.split("/").length;
}

/** A folder with something closed in it cannot be moved: at its new path nothing would be closed. */
function pins({ writable, pinned, hidden }: Places, temporary: string): readonly string[] {
  const aboveHidden = hidden.flatMap(({ at }) => foldersAbove(at)).filter((folder) => isIn(folder, writable));
  const folders = [...new Set([temporary, ...writable, ...pinned, ...aboveHidden])].filter((path) => path !== "/");
  return [`(deny file-write-unlink ${folders.flatMap(itselfInAnySpelling).join(" ")})`];
}

function isIn(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isUnder(path, folder));
}
