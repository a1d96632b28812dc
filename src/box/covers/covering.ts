import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProgramStart } from "../../box-port.ts";
import { neededTool, systemTool } from "../rehearsal/tools.ts";

// A mount over a file is gone when somebody outside puts another file in its place. A box that is started in a namespace of
// ours, whose mounts it shares, can be given a new one while it runs.

/** `kept`: it stays as it is, and can be read. */
export type Cover = { at: string; is: "hidden file" | "hidden folder" | "kept" };

const SHARED = ["--user", "--map-root-user", "--mount", "--propagation", "shared", "--"];

/** Whether mounts can be given to a box that runs. Needed are programs of util-linux, and a namespace besides that of bubblewrap. */
export function canShareMounts(): boolean {
  const tools = ["unshare", "nsenter", "mount", "umount", "sh"].map(systemTool);
  const [unshare] = tools;
  if (unshare === undefined || tools.includes(undefined)) return false;
  return spawnSync(unshare, [...SHARED, neededTool("true")], { stdio: "ignore" }).status === 0;
}

export function inSharedMounts({ program, args, cwd, env }: ProgramStart): ProgramStart {
  return { program: neededTool("unshare"), name: "unshare", args: [...SHARED, program, ...args], cwd, env };
}

/**
 * A mount can be made read-only only where it is, so each is first made in a folder that no box sees. There it is private: otherwise
 * the mount over the file would come upon it too, and both would be gone together.
 */
const COVER = `
mount=$1 umount=$2 stage=$3 empty=$4; shift 4
cover() {
  if [ -d "$1" ]; then from=$stage/folder; else from=$stage/file; fi
  "$mount" -n --bind -- "$1" "$from" || return
  "$mount" -n --make-private -- "$from" && "$mount" -n -o remount,bind,ro -- "$from" && "$mount" -n --bind -- "$from" "$2"; code=$?
  "$umount" -n -- "$from" && return $code
}
while [ $# -gt 0 ]; do
  case $1 in
    "hidden folder") "$mount" -n -t tmpfs -o ro,mode=755 tmpfs -- "$2" ;;
    "hidden file") cover "$empty" "$2" ;;
    *) cover "$2" "$2" ;;
  esac || exit 1
  shift 2
done
`;

/** `starter`: the process that `inSharedMounts` started. Whether it worked is to be looked at in the box. */
export function coverAgain(
  starter: number,
  covers: readonly Cover[],
  { emptyFile, stateFolder }: { emptyFile: string; stateFolder: string },
): void {
  const stage = join(stateFolder, "box", "cover");
  mkdirSync(join(stage, "folder"), { recursive: true, mode: 0o700 });
  if (!existsSync(join(stage, "file"))) writeFileSync(join(stage, "file"), "", { mode: 0o600 });
  const enter = ["user", "mnt"].map((kind) => `--${kind === "mnt" ? "mount" : kind}=/proc/${starter}/ns/${kind}`);
  const words = [
    neededTool("mount"),
    neededTool("umount"),
    stage,
    emptyFile,
    ...covers.flatMap(({ is, at }) => [is, at]),
  ];
  spawnSync(
    neededTool("nsenter"),
    [...enter, "--preserve-credentials", "--", neededTool("sh"), "-c", COVER, "sh", ...words],
    { stdio: "ignore", env: {}, timeout: COVER_MS, killSignal: "SIGKILL" },
  );
}

const COVER_MS = 10_000;
