import { readFileSync, statSync } from "node:fs";

type No = { ok: false; why: string; hint: string; passing?: true };

/** To be said wherever boxes on macOS are named. */
export const NEVER_RUN = "boxes on macOS were never run on a Mac by us";

/** Why no box can be made here, and what to do. */
export const whyNot = {
  otherSystem: (system: string): No => ({
    ok: false,
    why: `boxes can be made on Linux and macOS only, and this system is ${system}`,
    hint: "commands that would run in a box are asked about instead",
  }),
  otherProcessor: (processor: string): No => ({
    ok: false,
    why: `boxes can be made on x64 and arm64 only, and this processor is ${processor}`,
    hint: "commands that would run in a box are asked about instead",
  }),
  forRoot: (): No => ({
    ok: false,
    why: "on macOS no box is made for the user root, whose rights a box would not take away",
    hint: "use Leeway as another user; until then, commands that would run in a box are asked about",
  }),
  noSeatbelt: (missing: string): No => ({
    ok: false,
    why: `${missing} is missing, which belongs to macOS`,
    hint: "commands that would run in a box are asked about instead",
  }),
  notOnMac: (what: string, errors: string): No => ({
    ok: false,
    why: what === "start" ? `a box was tried and did not start (${endOf(errors)})` : wrong(what),
    hint: "commands that would run in a box are asked about instead; report this, with what `node tools/box-on-a-mac.mjs` in the source of Leeway prints",
  }),
  notInstalled: (): No => ({ ok: false, why: "bubblewrap is not installed", hint: `install it: ${installCommand()}` }),
  /** Nothing is known about the walls, so none are used. */
  busy: (): No => ({
    ok: false,
    why: "the machine is too busy to try a box",
    hint: "try again; until then, commands that would run in a box are asked about",
    passing: true,
  }),
  failed,
};

const INSTALLERS = [
  ["/usr/bin/apt-get", "apt-get install bubblewrap"],
  ["/usr/bin/dnf", "dnf install bubblewrap"],
  ["/usr/bin/pacman", "pacman -S bubblewrap"],
  ["/sbin/apk", "apk add bubblewrap"],
  ["/usr/bin/zypper", "zypper install bubblewrap"],
  ["/usr/sbin/emerge", "emerge sys-apps/bubblewrap"],
] as const;

function installCommand(): string {
  const found = INSTALLERS.find(([program]) => statSync(program, { throwIfNoEntry: false }) !== undefined);
  return found?.[1] ?? "the package is called bubblewrap";
}

/** The box did not start, or a wall did not hold. What bubblewrap printed says which setting is in the way. */
function failed(what: string, errors: string): No {
  if (what !== "start") return { ok: false, why: wrong(what), hint: "report this: boxes are not used here" };
  const why = `a box was tried and did not start (${endOf(errors)})`;
  return { ok: false, why, hint: hintFor(errors) };
}

function wrong(what: string): string {
  return `a box was tried and this was not as it must be: ${what}`;
}

function endOf(errors: string): string {
  return errors.trim().split("\n").slice(-2).join(" ").slice(0, 300);
}

function hintFor(errors: string): string {
  const isOn = (path: string) => setting(path) === "1";
  if (/RTM_NEWADDR|loopback/.test(errors)) {
    return "inside a container, start it with --cap-add=NET_ADMIN or allow user namespaces with all rights; bubblewrap needs this to make a network of its own";
  }
  if (isOn("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")) {
    return "AppArmor does not let programs make user namespaces: add an AppArmor profile for bwrap with `userns,`, or run sysctl kernel.apparmor_restrict_unprivileged_userns=0";
  }
  if (setting("/proc/sys/kernel/unprivileged_userns_clone") === "0")
    return "run sysctl kernel.unprivileged_userns_clone=1";
  if (setting("/proc/sys/user/max_user_namespaces") === "0")
    return "set user.max_user_namespaces to more than 0 with sysctl";
  if (/unknown option/i.test(errors)) return "install bubblewrap 0.8.0 or newer";
  if (/mount proc|\/proc(?!\/sys)/.test(errors)) {
    return "inside a container, /proc is partly covered: start the container with --security-opt systempaths=unconfined";
  }
  return "inside a container, start it with --security-opt seccomp=unconfined, or allow user namespaces; `bwrap --unshare-all --ro-bind / / true` must work";
}

function setting(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false }) === undefined ? undefined : readFileSync(path, "utf8").trim();
}
