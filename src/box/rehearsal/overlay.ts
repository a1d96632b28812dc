import type { ProgramStart } from "../../box-port.ts";
import { LIMITS } from "./limits.ts";
import { neededTool } from "./tools.ts";

/**
 * A copy-on-write view of a folder. `layer` is a folder inside the folder of the rehearsal; it gets the sub-folders `lower`,
 * `upper`, `work` and `merged`. `thrownAway`: what is written is kept in memory and is gone when the program ends.
 */
export type OverlayView = { lower: string; layer: string; thrownAway: boolean };

/** Folders in memory for temporary files, by their names in the folder of the rehearsal, and the folders to make in them. */
type OwnFolders = { owns: readonly { name: string }[]; made: readonly string[] };

/** Otherwise the user root would leave lines about these mounts in `/run/mount` of the machine. */
const UNLISTED = "-n";

/** The folders that a layer needs before its view can be mounted. */
export const LAYER_FOLDERS = ["lower", "upper", "work", "merged"];

/**
 * Starts `inner` where the views are mounted, each at `layer/merged`. The mounts are made in a user namespace of our own, so
 * no rights are needed and nobody else sees them; they are gone when the last process in it ends. The options of an overlay
 * cannot name every folder (`,`, `:` and `\` have a meaning there, and differently so in every version), so the folder is
 * first bound to a name of our own, and all names are relative to the folder of the rehearsal.
 *
 * `inner` starts there too, not in its own folder: it must choose its folder itself, as `bwrap --chdir` does. It runs as the
 * user 0 of the namespace, so it must map the user back (`bwrap --unshare-user --uid --gid`) and give up all capabilities.
 */
export function overlayStart(
  inner: ProgramStart,
  folder: string,
  { views, own }: { views: readonly OverlayView[]; own: OwnFolders },
): ProgramStart {
  const mount = `${neededTool("mount")} ${UNLISTED}`;
  const mkdir = neededTool("mkdir");
  const lines = views.flatMap(({ layer, thrownAway }) => [
    ...(thrownAway ? [`${mount} -t tmpfs -o size=${LIMITS.homeBytes},mode=700 tmpfs ${layer} || exit 125`] : []),
    ...(thrownAway ? [`${mkdir} ${LAYER_FOLDERS.map((name) => `${layer}/${name}`).join(" ")} || exit 125`] : []),
    `${mount} --bind -- "$1" ${layer}/lower || exit 125`,
    `${mount} -t overlay overlay -o ${optionsOf(layer)} ${layer}/merged || exit 125`,
    "shift",
  ]);
  lines.push(
    ...own.owns.map(({ name }) => `${mount} -t tmpfs -o mode=1777 tmpfs ${name} || exit 125`),
    ...own.made.flatMap(() => [`${mkdir} -p -- "$1" || exit 125`, "shift"]),
  );
  const words = [...views.map(({ lower }) => lower), ...own.made];
  return inNamespace(lines, [...words, inner.program, ...inner.args], folder, inner.env);
}

/** `volatile`: the view need not survive a crash, so ending it does not wait for the disk. */
function optionsOf(layer: string): string {
  return `lowerdir=${layer}/lower,upperdir=${layer}/upper,workdir=${layer}/work,userxattr,volatile`;
}

/**
 * Says for each path of stdin (ended by a zero byte) whether the view shows it: `1` or `0`. The view is mounted read-only from
 * what the program left.
 */
export function probeStart(folder: string, view: OverlayView): ProgramStart {
  const { layer, lower } = view;
  const mount = `${neededTool("mount")} ${UNLISTED}`;
  const look = 'for path; do if [ -L "$path" ] || [ -e "$path" ]; then printf 1; else printf 0; fi; done';
  const lines = [
    `${mount} --bind -- "$1" ${layer}/lower || exit 125`,
    `${mount} -t overlay overlay -o lowerdir=${layer}/upper:${layer}/lower,userxattr ${layer}/merged || exit 125`,
    "shift",
  ];
  return inNamespace(lines, [lower, neededTool("xargs"), "-0", "-r", neededTool("sh"), "-c", look, "sh"], folder, {});
}

/** The script uses only special built-ins and absolute paths, which no variable of the environment can change. */
function inNamespace(
  lines: readonly string[],
  args: readonly string[],
  cwd: string,
  env: ProgramStart["env"],
): ProgramStart {
  const script = [...lines, 'exec "$@"'].join("\n");
  return {
    program: neededTool("unshare"),
    name: "unshare",
    args: ["--user", "--map-root-user", "--mount", "--", neededTool("sh"), "-c", script, "sh", ...args],
    cwd,
    env,
  };
}
