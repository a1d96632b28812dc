import { PassThrough } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allCommands } from "../../src/cli/commands.ts";
import { runProgram } from "../../src/cli/program.ts";
import { ended, openQuestion, PASSPHRASE, setUpAna } from "./person.ts";
import { asking, leeway, machine } from "./program.ts";
import { screen } from "./screen.ts";

// A terminal wraps a long line in the middle of a word. Therefore everything is wrapped before.

const on = machine();
const fresh = machine();
let approval = "";
let asked: ReturnType<typeof asking>;
beforeAll(async () => {
  await setUpAna(on);
  await leeway(on, ["run", "--agent", "coder", "--", "rm", "-rf", "x"]);
  asked = asking(on, ["run", "--agent", "coder", "--", "git", "push"]);
  approval = await asked.asked;
});
afterAll(async () => {
  const shown = screen(on, ["deny", approval, "--note", "no", "--as", "ana"]);
  await shown.shows("passphrase of ana");
  shown.type(`${PASSPHRASE}\r`);
  await ended(shown);
  await asked.ended;
  on.remove();
  fresh.remove();
});

const LINES: Record<string, (id: string) => readonly string[]> = {
  log: () => ["log"],
  verify: () => ["verify"],
  check: () => ["check", "--agent", "coder", "--command", "git push"],
  why: (id) => ["why", id],
  "grants list": () => ["grants", "list"],
  status: () => ["status"],
  show: (id) => ["show", id],
  "agents show": () => ["agents", "show", "coder"],
  "a refusal": () => ["grants", "add", "--agent", "coder", "--words", "npm test"],
  "an empty log": () => ["log", "--agent", "nobody"],
};

/** Folders of the test are longer than any screen, and the signing key is one word that must be copied completely. */
const withoutPaths = (lines: readonly string[]) =>
  lines.filter((line) => !line.includes(on.home.slice(0, 12)) && !line.startsWith("signed by"));

describe.each([80, 60])("at %i columns", (columns) => {
  test.each(Object.keys(LINES).map((name) => [name]))("lines of %s break between words", async (name) => {
    const shown = screen(on, LINES[name]?.(approval) ?? [], { columns, rows: 60 });
    expect((await ended(shown)).text).not.toBe("");
    expect(withoutPaths(shown.broken())).toEqual([]);
  });

  test("the id of a grant and the command that revokes it fit", async () => {
    const grant = ["grants", "add", "--agent", "coder", "--class", "fs.write", "--path", "src/**", "--for", "8h"];
    const shown = screen(on, [...grant, "--as", "ana"], { columns, rows: 30 });
    await shown.shows("passphrase of ana");
    shown.type(`${PASSPHRASE}\r`);
    const { text } = await ended(shown);
    expect(text).toMatch(/granted grt_[0-9a-f]+\nto revoke it: leeway grants revoke grt_[0-9a-f]{16}/);
    expect(shown.broken()).toEqual([]);
  });

  test("the text that init would write breaks between words", async () => {
    const shown = screen(fresh, ["init", "--name", "ana"], { columns, rows: 80 });
    expect(await shown.shows("set this up?")).toContain("never-force-push");
    expect(shown.broken().filter((line) => !line.includes(fresh.home.slice(0, 12)))).toEqual([]);
    shown.type("n");
    await shown.ended;
  });

  test("the live line of a waiting command fits, with the start of the question's id", async () => {
    const live = screen(on, ["run", "--agent", "coder", "--", "git", "push"], { columns, rows: 20 });
    const text = await live.shows(/waiting for a person: apr_[0-9a-f]{12} · \d+ s/);
    expect(text.split("\n").filter((line) => line.includes("waiting"))).toHaveLength(1);
    live.type("\x03");
    expect((await ended(live)).code).toBe(3);
  });

  test("the keys of the inbox fit, also with the key to remember", async () => {
    await openQuestion(on);
    const inbox = screen(on, ["inbox", "--as", "ana"], { columns, rows: 24 });
    await inbox.shows("1 question");
    expect(inbox.text()).toContain("j k move · enter open · n notices · ? help · q quit");
    inbox.type("\r");
    await inbox.shows("a approve · d deny · r remember · space more · ");
    expect(inbox.text()).toContain(" · q back");
    inbox.type("qq");
    await inbox.ended;
  });
});

test("the log on a narrow terminal contains the ids of its rows", async () => {
  const { text } = await ended(screen(on, ["log", "--kind", "approval.opened"], { columns: 80 }));
  expect(text).toContain(approval.slice(0, 16));
});

test("`why` names the next step while a question is open", async () => {
  expect((await leeway(on, ["why", approval])).stdout).toContain(
    `answer it in \`leeway inbox\`, or with \`leeway approve ${approval.slice(0, 20)}\``,
  );
});

test("a card says what approving does, for an agent that waits and for one that no longer waits", async () => {
  const { stdout } = await leeway(on, ["show", approval]);
  expect(stdout.replaceAll(/\s+/g, " ")).toMatch(
    /if approved, it runs once: now if the agent still waits, or when the agent retries it before (\d{4}-\d{2}-\d{2} )?\d{2}:\d{2}/,
  );
});

test.each((await allCommands()).map((spec) => [spec.name]))("the help of %s fits eighty columns", async (name) => {
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const io = { stdin: new PassThrough(), stdout, stderr: new PassThrough(), env: {}, cwd: on.project };
  await runProgram(io as never, [...name.split(" "), "--help"]);
  const lines = String(stdout.read()).split("\n");
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});
