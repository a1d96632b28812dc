import type { Fact, FileUse } from "../effect.ts";
import { shortPath } from "./sentence.ts";

const DONE: Record<FileUse, string> = {
  program: "runs",
  script: "runs",
  "looked for": "may run",
  changed: "changes",
};

/** What a yes depends on, a line for each file. A program of the system, and what is not there to be run, is no news. */
export function factLines(facts: readonly Fact[], project: string | undefined): readonly string[] {
  return [...new Set(facts.flatMap((fact) => factLine(fact, project)))];
}

function factLine(fact: Fact, project: string | undefined): readonly string[] {
  if (fact.of === "variable" || fact.of === "installed") return [];
  const said = `${DONE[fact.use]} ${shortPath(fact.path, project)}`;
  switch (fact.of) {
    case "file":
      return [`${said}: ${fact.bytes} bytes, ${fact.hash}`];
    case "large":
      return [`${said}: ${fact.bytes} bytes, too large to be read`];
    case "unreadable":
      return [`${said}, which cannot be read`];
    case "missing":
      return isNews(fact) ? [`${said}, which is not there yet`] : [];
  }
}

function isNews({ use, path }: { use: FileUse; path: string }): boolean {
  return use === "changed" || use === "script" || (use === "program" && path.includes("/"));
}
