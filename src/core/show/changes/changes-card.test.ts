import { expect, test } from "vitest";
import type { FileState } from "../../box.ts";
import { APPLY_TOOL } from "../../box.ts";
import type { ToolCall } from "../../call.ts";
import { say } from "../../messages/message.ts";
import { renderText } from "../render-text.ts";
import type { SeenChange } from "./changed-files.ts";
import { changesCardOf, type SeenChanges } from "./changes-card.ts";

const file = (bytes: number, hash: string, mode = 0o644): FileState => ({
  kind: "file",
  bytes,
  hash: `sha256:${hash}`,
  mode,
});
const text = (path: string, was: string | null, now: string | null): SeenChange => ({
  path: `/p/${path}`,
  was: was === null ? null : file(was.length, `was ${was}`),
  now: now === null ? null : file(now.length, `now ${now}`),
  bytes: { are: "text", was, now },
});

function cardFor(changes: readonly SeenChange[], over: Partial<SeenChanges> = {}, args: ToolCall["args"] = {}) {
  const call: ToolCall = {
    workspace: "default",
    agent: "coder",
    tool: APPLY_TOOL,
    args: { call: "call_1", rehearsal: "a", changes: changes.length, content: "sha256:1", ...args },
    cwd: "/p",
    callId: "c",
    traceId: "t",
    chain: [],
    claims: {},
  };
  return changesCardOf(
    {
      call,
      digest: "sha256:1",
      effect: { parts: [] as never, understood: "fully", notes: [] },
      why: [],
      deadline: "",
      quorum: { needed: 1, approved: 0 },
      project: "/p",
    },
    { command: "python3 fix.py", manner: "would", changes, ...over },
  );
}

test("the list has protected files first, then lost work, removed files, links, modes, binaries, changes and new files", () => {
  const card = cardFor(
    [
      text("a-new.txt", null, "x\n"),
      text("b-changed.txt", "one\ntwo\n", "one\n2\nthree\n"),
      { path: "/p/c.png", was: file(12_000, "1"), now: file(14_300, "2"), bytes: { are: "binary" } },
      {
        path: "/p/d.sh",
        was: file(9, "1", 0o644),
        now: file(9, "1", 0o755),
        bytes: { are: "text", was: "x", now: "x" },
      },
      { path: "/p/e.link", was: { kind: "link", to: "old" }, now: { kind: "link", to: "/etc/passwd" } },
      text("f-removed.txt", "gone\n", null),
      text("g-lost.txt", "work\n", null),
      text(".git/hooks/pre-commit", null, "#!/bin/sh\n"),
      { path: "/p/h.iso", was: null, now: file(3_000_000, "3"), bytes: { are: "large" } },
      text("i-empty.txt", "was\n", ""),
    ],
    {},
    { added: 3, deleted: 2, removed: ["/p/g-lost.txt", "/p/f-gone.txt"], lost: ["/p/g-lost.txt"] },
  );
  expect(card.files).toEqual([
    {
      path: ".git/hooks/pre-commit",
      does: "new, 10 B; the path is protected: hooks and settings of git",
      grave: true,
    },
    { path: "g-lost.txt", does: "removed, 5 B; no commit has this content", grave: true },
    { path: "f-removed.txt", does: "removed, 5 B", grave: true },
    { path: "i-empty.txt", does: "emptied, was 4 B", grave: true },
    { path: "e.link", does: "changed, link to /etc/passwd; was a link to old", grave: false },
    { path: "d.sh", does: "mode 644 → 755", grave: false },
    { path: "c.png", does: "binary, 12 KB → 14 KB", grave: false },
    { path: "h.iso", does: "new, too large to show, 3.0 MB", grave: false },
    { path: "b-changed.txt", does: "changed, 2 lines added, 1 removed", grave: false },
    { path: "a-new.txt", does: "new, 2 B", grave: false },
  ]);
  expect(card.sentence).toBe("`python3 fix.py` would change 5 files, add 3 and remove 2");
  expect(card.exact).toContain("b-changed.txt - changed, 2 lines added, 1 removed");
  const at = card.exact.indexOf("b-changed.txt - changed, 2 lines added, 1 removed");
  expect(card.exact.slice(at + 1, at + 5)).toEqual(["  1 | one", "- 2 | two", "+ 2 | 2", "+ 3 | three"]);
  expect(card.changes.filter(({ from }) => from > at)).toEqual([
    { is: "same", from: at + 1, to: at + 2 },
    { is: "removed", from: at + 2, to: at + 3 },
    { is: "added", from: at + 3, to: at + 5 },
    { is: "added", from: at + 6, to: at + 7 },
  ]);
});

test("only changed lines are shown with three lines around them, and a missing line break at the end is a change", () => {
  const lines = Array.from({ length: 40 }, (_, i) => `line ${i + 1}`);
  const changed = lines.with(19, "other");
  const card = cardFor([text("a.txt", `${lines.join("\n")}\n`, changed.join("\n"))]);
  expect(card.exact.slice(3)).toEqual([
    "  … 16 unchanged lines",
    "  17 | line 17",
    "  18 | line 18",
    "  19 | line 19",
    "- 20 | line 20",
    "+ 20 | other",
    "  21 | line 21",
    "  22 | line 22",
    "  23 | line 23",
    "  … 14 unchanged lines",
    "  38 | line 38",
    "  39 | line 39",
    "  40 | line 40",
    "+ 41 | (no line break at the end)",
  ]);
});

test("secrets in changed files are masked, invisible characters are written out, and a change of a secret is still a change", () => {
  const key = (letter: string) => `API_KEY=sk-proj-${letter.repeat(40)}\n`;
  const card = cardFor([text("a.txt", key("a"), key("b")), text("b.txt", null, "a\u202eb\n")]);
  const shown = card.exact.join("\n");
  expect(shown).not.toContain("aaaaaaaaaa");
  expect(shown).not.toContain("bbbbbbbbbb");
  expect(card.files?.[0]?.does).toBe("changed, 1 line added, 1 removed");
  expect(shown).toContain("a<U+202E>b");
});

test("many files are listed by folder, except the grave ones; the exact lines still name every file", () => {
  const made = Array.from({ length: 3_000 }, (_, i) => text(`out/deep/${i}.txt`, null, `${i}\n`));
  const card = cardFor(
    [...made, text("src/a.ts", "a\n", "b\n"), text("src/lost.ts", "work\n", null)],
    {},
    {
      added: 3_000,
      deleted: 1,
      removed: ["/p/src/lost.ts"],
      lost: ["/p/src/**"],
    },
  );
  expect(card.files).toEqual([
    { path: "src/lost.ts", does: "removed, 5 B; no commit has this content", grave: true },
    { path: "src/", does: "1 file changed", grave: false },
    { path: "out/deep/", does: "3000 files new", grave: false },
  ]);
  expect(card.exact.filter((line) => line.includes(" - new, "))).toHaveLength(3_000);
});

test("of very many protected files, those that git, agents and Leeway follow are listed", () => {
  const many = Array.from({ length: 40 }, (_, i) => text(`.R${i}/.Renviron`, null, "x\n"));
  const followed = [".claude/settings.json", ".git/config", ".git/hooks/pre-commit"];
  const built = text(".github/workflows/a.yml", null, "x\n");
  const { files = [] } = cardFor([...many, ...followed.map((path) => text(path, null, "x\n")), built]);
  expect(files.slice(0, 4).map(({ path }) => path)).toEqual([...followed, ".R0/.Renviron"]);
});

test("if the bytes are gone, the card says so first, and what to do, and cannot be approved", () => {
  const card = cardFor([], { blocked: say("refusal.changes_gone") });
  const gone =
    "the changed files are no longer kept, or are not the ones that were asked about; nothing can be applied";
  const instead = "deny it; the agent can run the command again";
  const { blocked, blockedDo, understanding } = card;
  expect([blocked, blockedDo, ...understanding.slice(0, 2)]).toEqual([gone, instead, gone, instead]);
  expect(renderText(card, 200).join("\n")).toContain(gone);
});
