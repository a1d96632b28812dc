/** The files that a patch text names, and which of them it takes away. */
export function patchedFiles(text: string): { path: string; deleted: boolean }[] {
  const found: { path: string; deleted: boolean }[] = [];
  for (const line of text.split("\n")) {
    const own = /^\s*\*\*\* (Add|Update|Delete) File: (.+)$|^\s*\*\*\* (Move) to: (.+)$/.exec(line);
    if (own !== null) found.push({ path: (own[2] ?? own[4] ?? "").trim(), deleted: own[1] === "Delete" });
    const unified = /^(?:---|\+\+\+) (?:[ab]\/)?([^\t]+)/.exec(line);
    if (unified !== null && unified[1] !== "/dev/null") found.push({ path: (unified[1] ?? "").trim(), deleted: false });
  }
  return found;
}
