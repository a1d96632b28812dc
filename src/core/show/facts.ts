import type { Fact, FileUse } from "../effect.ts";
import { nameText } from "../letters/name-text.ts";
import type { Say } from "../say/say.ts";
import { shortPath } from "./sentence.ts";

/**
 * What an approval depends on, one line for each file. System programs and missing files that would be run are left
 * out.
 */
export function factLines(facts: readonly Fact[], project: string | undefined, say: Say): readonly string[] {
  const found = facts.filter((fact) => fact.of === "found");
  const programs = [...new Set(found.map(({ name, path }) => say.programAt(name, path)))];
  return [
    ...new Set(facts.flatMap((fact) => (fact.of === "folder" ? [say.runsIn(nameText(fact.path))] : []))),
    ...(programs.length === 0 ? [] : [say.startsAt(programs)]),
    ...new Set(facts.flatMap((fact) => factLine(fact, project, say))),
  ];
}

function factLine(fact: Fact, project: string | undefined, say: Say): readonly string[] {
  if (!("use" in fact)) return [];
  const said = say.file(fact.use, nameText(shortPath(fact.path, project)));
  switch (fact.of) {
    case "file":
      return [say.fileIs(said, fact.bytes, fact.hash)];
    case "large":
      return [say.fileTooLarge(said, fact.bytes)];
    case "unreadable":
      return [say.fileUnreadable(said)];
    case "missing":
      return isNews(fact) ? [say.fileMissing(said)] : [];
  }
}

function isNews({ use, path }: { use: FileUse; path: string }): boolean {
  return use === "changed" || use === "script" || (use === "program" && path.includes("/"));
}
