import { spawn } from "node:child_process";
import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProgramStart } from "../../box-port.ts";
import { beginRehearsal, type Rehearsal } from "./begin.ts";
import { makeFolder } from "./durable.ts";
import type { BoxFolders } from "./journal.ts";
import { removeRehearsal, type Way } from "./manifest.ts";
import { neededTool, systemTool } from "./tools.ts";

/** How programs can be rehearsed on this machine. `why` and `hint` are for people. */
export type RehearsalAbility = { ok: true; way: Way; note?: string } | { ok: false; why: string; hint: string };

const TOOLS = ["flock", "sync", "rm", "chmod"];
const OVERLAY_TOOLS = ["unshare", "mount", "mkdir", "sh", "xargs"];

/** What the tried program does, and what must be found afterwards: a folder that hides what was there is the hard part. */
const TRIED = "rm removed; rm -r folder; mkdir folder; echo new > folder/added";
const EXPECTED = ["folder/added", "folder/removed", "removed"];

/** The programs that a rehearsal in a view needs, and that this machine does not have. */
export function missingPrograms(): readonly string[] {
  return [...TOOLS, ...OVERLAY_TOOLS].filter((name) => systemTool(name) === undefined);
}

/** Rehearses a small program for real, and compares what is found with what it did. */
export async function canRehearse(box: BoxFolders): Promise<RehearsalAbility> {
  if (process.platform !== "linux")
    return { ok: false, why: "rehearsals need Linux", hint: "calls are asked about instead" };
  const missing = TOOLS.filter((name) => systemTool(name) === undefined);
  if (missing.length > 0)
    return { ok: false, why: `missing programs: ${missing.join(", ")}`, hint: "install util-linux and coreutils" };
  const trouble = await overlayTrouble(box);
  return trouble === undefined ? { ok: true, way: "overlay" } : { ok: true, way: "copy", note: trouble };
}

/** Why a copy-on-write view cannot be used; undefined if it can. */
async function overlayTrouble(box: BoxFolders): Promise<string | undefined> {
  const missing = OVERLAY_TOOLS.filter((name) => systemTool(name) === undefined);
  if (missing.length > 0) return `missing programs: ${missing.join(", ")}`;
  const folder = join(box.box, `trial-${process.pid}-${Date.now()}`);
  try {
    const rehearsal = await beginTrial(box, folder);
    try {
      return await troubleIn(rehearsal);
    } finally {
      await removeRehearsal(box.rehearsal(rehearsal.name));
    }
  } catch (error) {
    return String(error instanceof Error ? error.message : error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The state folder itself may be inside a project that a rehearsal must not show, so the tried project is beside it. */
function beginTrial(box: BoxFolders, folder: string): Promise<Rehearsal> {
  makeFolder(folder);
  mkdirSync(join(folder, "folder"));
  writeFileSync(join(folder, "removed"), "removed");
  writeFileSync(join(folder, "folder/removed"), "removed");
  return beginRehearsal(box, { project: realpathSync(folder), way: "overlay" });
}

async function troubleIn(rehearsal: Rehearsal): Promise<string | undefined> {
  const sh = neededTool("sh");
  const args = ["-c", `cd "$1" && { ${TRIED}; }`, "sh", rehearsal.views[0]?.from ?? ""];
  const trouble = await errorsOf(
    rehearsal.start({ program: sh, name: "sh", args, cwd: "/", env: { PATH: "/usr/bin:/bin" } }),
  );
  if (trouble !== undefined) return trouble;
  const { changes, refused } = await rehearsal.ended();
  const paths = changes.map(({ path }) => path);
  const isRight = paths.join("\n") === EXPECTED.join("\n") && refused.length === 0;
  return isRight ? undefined : `a tried rehearsal found ${JSON.stringify({ paths, refused })}`;
}

function errorsOf({ program, args, cwd, env }: ProgramStart): Promise<string | undefined> {
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.on("data", (data: Buffer) => {
    errors += data.toString("utf8");
  });
  return new Promise((done) => {
    child.on("error", (error) => done(error.message));
    child.on("close", (code) => done(code === 0 ? undefined : errors.trim() || `${program} ended with ${code}`));
  });
}
