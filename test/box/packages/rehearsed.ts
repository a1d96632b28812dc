import { spawn } from "node:child_process";
import { openBoxing } from "../../../src/box/boxing.ts";
import type { PackageSource, Walls } from "../../../src/core/box.ts";
import type { World } from "../boxed.ts";

/** Runs a text for the shell in a rehearsed box in which these registries can be read, and applies what it changed. */
export async function ranRehearsed(
  { project, home, stateFolder }: World,
  script: string,
  packages: readonly PackageSource[],
  open: Partial<Walls> = {},
) {
  const boxing = openBoxing({ stateFolder, home }, Date.now);
  const ability = await boxing.maker.ability();
  if (!ability.ok || !ability.rehearses) throw new Error("no rehearsal can be made here, and the tests need one");
  const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LANG: "C.UTF-8", HOME: home };
  const start = { program: "/bin/sh", name: "sh", args: ["-c", script], cwd: project, env };
  const walls = { write: [project], network: [], reveal: [], packages, ...open };
  const box = await boxing.maker.prepare(start, walls, { rehearse: true, project });
  const { program, name, args, cwd } = box.start;
  const child = spawn(program, args, {
    argv0: name,
    cwd,
    env: { ...box.start.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [output, errors] = ["", ""];
  child.stdout.on("data", (bytes) => (output += bytes));
  child.stderr.on("data", (bytes) => (errors += bytes));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject).on("close", resolve);
  });
  const report = await box.ended(errors);
  if (report.rehearsal !== undefined) await boxing.rehearsals.apply(report.rehearsal.name);
  return { code, output, errors, refused: report.refused };
}
