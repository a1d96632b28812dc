import { type ChildProcess, spawn } from "node:child_process";
import { type Machine, program } from "./program.ts";

/** `leeway up` without a terminal, as a service manager would start it. */
export type Up = {
  url: string;
  pid: number;
  /** What it says about itself once it is up. */
  said: { url: string; pid: number; link?: string; token?: string };
  /** Asks it to stop, and returns how it ended. */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; stderr: string }>;
};

const started: ChildProcess[] = [];

export async function up(on: Machine, args: readonly string[] = []): Promise<Up> {
  const child = spawn(process.execPath, [program(), "up", "--port", "0", "--json", ...args], {
    cwd: on.project,
    env: on.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  let [stdout, stderr] = ["", ""];
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const said = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      stdout += chunk;
      if (stdout.includes("\n")) resolve(stdout);
    });
    ended.then((code) => reject(new Error(`it ended with ${code}: ${stderr}`)));
  });
  return {
    ...JSON.parse(said),
    said: JSON.parse(said),
    stop: async (signal = "SIGTERM") => {
      child.kill(signal);
      return { code: await ended, stderr };
    },
  };
}

/** Whatever a failed test left running. */
export function endAll(): void {
  for (const child of started.splice(0)) child.kill("SIGKILL");
}
