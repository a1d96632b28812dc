import { type ChildProcess, spawn } from "node:child_process";
import { request } from "node:http";
import { type Machine, program } from "./program.ts";

/** `leeway up` without a terminal, as a service manager would start it. */
export type Up = {
  url: string;
  pid: number;
  /** What it prints about itself when it is ready. */
  said: { url: string; pages?: string; pid: number; link?: string; token?: string };
  /** Asks it to stop, and returns how it ended. */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; stderr: string }>;
};

const started: ChildProcess[] = [];

export async function up(on: Machine, args: readonly string[] = [], entry = program()): Promise<Up> {
  const child = spawn(process.execPath, [entry, "up", "--port", "0", "--json", ...args], {
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

/** Servers that a failed test left running. */
export function endAll(): void {
  for (const child of started.splice(0)) child.kill("SIGKILL");
}

export type Browsing = { method?: string; body?: string; headers?: Record<string, string> };

/** Like a browser, which resolves every name under `localhost` to this machine without DNS. */
export function browsed(url: string, { method = "GET", body, headers }: Browsing = {}) {
  const { origin, host, port, pathname } = new URL(url);
  const given = { host: "127.0.0.1", port, path: pathname, method, headers: { host, origin, ...headers } };
  return new Promise<{ status: number | undefined; cookie: string; text: string }>((resolve, reject) => {
    const sending = request(given, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      const cookie = answer.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
      answer.on("end", () => resolve({ status: answer.statusCode, cookie, text }));
    });
    sending.on("error", reject).end(body);
  });
}
