import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { release } from "node:os";
import { ownVersion } from "../../config/version.ts";
import { sha256 } from "../../core/values/hash.ts";
import { knownOrTried, type No, type Prepare } from "../ability.ts";
import { whyNot } from "../reasons.ts";
import { type MustFail, tryWalls } from "../trial.ts";
import { KEEPER } from "./keeper.ts";
import { SEATBELT } from "./prepare.ts";
import { seatbeltProfile } from "./profile.ts";

/** Whether boxes can be made on this Mac. The walls are tried unless they held before on the same system, with the same rules. */
export async function findAbilityOnMac(
  { stateFolder }: { stateFolder: string },
  prepare: Prepare,
): Promise<{ ok: true } | No> {
  const missing = [SEATBELT, "/bin/bash", "/bin/ps"].find((path) => !isFile(path));
  if (missing !== undefined) return whyNot.noSeatbelt(missing);
  if (process.getuid?.() === 0) return whyNot.forRoot();
  const noMore = () => ({});
  const found = await knownOrTried(stateFolder, factsOf(stateFolder), noMore, async () => {
    const label = `leeway.trial.${randomUUID()}`;
    const walls = await tryWalls(prepare, stateFolder, outsideOf(label)).finally(() => forget(label));
    if (walls.ok) return { ok: true, known: {} };
    return walls.what === "time" ? whyNot.busy() : whyNot.notOnMac(walls.what, walls.errors);
  });
  return found.ok ? { ok: true } : found;
}

/** Ways out that only macOS has. In a folder where the case of letters counts, other spellings name nothing, and fail too. */
function outsideOf(label: string): MustFail {
  return {
    "write to a protected place by another spelling": "echo a > .GIT/HOOKS/post-commit",
    "move the folder of a protected place": "mv .git moved",
    "read a hidden place by another spelling": "grep -q hidden .ENV",
    "read a hidden place by its name on the data disk": 'grep -q hidden "/System/Volumes/Data$PWD/.env"',
    "read a hidden place by a hard link": "ln .env linked && grep -q hidden linked",
    "start a program by launchd": `launchctl submit -l ${label} -- /usr/bin/touch "$1"; sleep 1; test -e "$1"`,
    "command another program by an Apple event": `osascript -e 'tell application "Finder" to count windows'`,
    "open a program by Launch Services": "open -g -j -a Calculator",
    "use the keychain": "security show-keychain-info",
  };
}

/** Should the wall be missing, launchd would start the program of the trial again and again. */
function forget(label: string): void {
  spawnSync("/bin/launchctl", ["remove", label], { stdio: "ignore" });
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Everything on which the answer depends, as one hash. */
function factsOf(stateFolder: string): string {
  const { ino, size, mtimeMs } = statSync(SEATBELT);
  const places = { own: ["/o"], hidden: [], kept: ["/w/k"], pinned: [], scratch: [], shown: [], writable: ["/w"] };
  const profile = seatbeltProfile(
    { write: ["/w"], network: [], reveal: [] },
    { project: "/w", places, temporary: "/t", ports: [1] },
  );
  return sha256(
    JSON.stringify({
      seatbelt: [ino, size, mtimeMs, release(), profile, KEEPER],
      leeway: [ownVersion(), process.version, process.execPath, process.getuid?.() ?? -1, stateFolder],
    }),
  );
}
