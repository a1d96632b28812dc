import { readFileSync } from "node:fs";

/** Where something is mounted, as a process sees it. Linux writes spaces, tabs, line breaks and backslashes as numbers. */
export function mountPointsOf(pid: number | "self"): readonly string[] {
  const lines = readFileSync(`/proc/${pid}/mountinfo`, "utf8").split("\n");
  return lines.map((line) =>
    (line.split(" ")[4] ?? "").replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8))),
  );
}
