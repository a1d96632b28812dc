import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { type HostDriver, versionOf } from "./drive.ts";
import type { Observed } from "./observe.ts";

// docs/hosts.md has a row for each host in each of its tables. The suites make the rows; LEEWAY_WRITE=1 writes them.

const PAGE = fileURLToPath(new URL("../../../docs/hosts.md", import.meta.url));

export function pageSays(driver: HostDriver, seen: Omit<Observed, "told">): void {
  for (const facts of [seen.tiers, seen.tools, seen.faults]) {
    const head = `| host | version | ${Object.keys(facts).join(" | ")} |`;
    const row = `| ${driver.name} | ${versionOf(driver)} | ${Object.values(facts).join(" | ")} |`;
    const lines = readFileSync(PAGE, "utf8").split("\n");
    const top = lines.indexOf(head);
    expect(top, `the page has a table with the head ${head}`).toBeGreaterThan(0);
    const at = lines.findIndex((line, i) => i > top && (line === "" || line.startsWith(`| ${driver.name} |`)));
    if (process.env["LEEWAY_WRITE"] === "1") {
      lines.splice(at, lines[at] === "" ? 0 : 1, row);
      writeFileSync(PAGE, lines.join("\n"));
    } else expect(lines[at]).toBe(row);
  }
}
