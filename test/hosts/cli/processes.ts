import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Ends the hooks that run in this folder now, as a person or a full machine might. */
export function killHooks(host: string, folder: string): void {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const { words, cwd } = processAt(pid);
    if (cwd === folder && words[0] === process.execPath && words.includes("hook") && words.includes(host))
      process.kill(Number(pid), "SIGKILL");
  }
}

function processAt(pid: string): { words: readonly string[]; cwd: string } {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return { words, cwd: readlinkSync(`/proc/${pid}/cwd`) };
  } catch {
    return { words: [], cwd: "" };
  }
}
