import { afterAll, beforeAll, expect, test } from "vitest";
import { asAna, setUpAna } from "./person.ts";
import { leeway, machine } from "./program.ts";

const on = machine();
beforeAll(() => setUpAna(on, "version: 1\ntier: ask\napprovals: { selfReview: true }\n"));
afterAll(() => on.remove());

const grant = (...args: string[]) => asAna(on, ["grants", "add", "--agent", "coder", ...args]);
/** The tier of each command, all checked in one batch. */
const tiers = async (...commands: string[]) => {
  const lines = commands.map((command) => JSON.stringify({ agent: "coder", tool: "shell", args: { command } }));
  const { stdout } = await leeway(on, ["check", "--batch", "-"], { stdin: lines.join("\n") });
  return stdout
    .trim()
    .split("\n")
    .map((line, at) => [commands[at], JSON.parse(line).tier]);
};

test("what a grant allows is shown literally before the passphrase is asked for, and in the list", async () => {
  const { text, code } = await grant("--command", "git log *", "--session", "s1", "--for", "1h");
  const literally = `auto for \`git log\`, any arguments, in ${on.project} (fs.read), only in session s1`;
  const said = text.replaceAll(/\s+/g, " ");
  expect([code, said.indexOf(`this will run without a question: ${literally}`)]).toEqual([0, 0]);
  expect((await leeway(on, ["grants", "list"])).stdout).toContain(`\n  ${literally}\n`);
});

test("a star stands for any arguments with the same class of effect, and for nothing more serious", async () => {
  await grant("--command", "git log *");
  const own = ["git log", "git log --oneline -5"];
  const others = ["git log --ext-diff", "git log --output=x", "git log; rm x", "git log && npm test", "git log > x"];
  others.push("git log\nrm x", "cd / && git log", "git -c core.pager=x log", "git logs");
  expect(await tiers(...own, ...others)).toEqual([
    ...own.map((command) => [command, "auto"]),
    ...others.map((command) => [command, "ask"]),
  ]);
});

test("a star after words that do not determine the effect needs a class", async () => {
  const ran = await leeway(on, ["grants", "add", "--agent", "coder", "--command", "git *"]);
  expect([ran.code, ran.stderr]).toEqual([
    2,
    "leeway: what `git *` does depends on the words that follow\n  hint: name a subcommand, or name the class of effect with --class\n",
  ]);
});

test("with a named class, a star covers every command of that class", async () => {
  await grant("--command", "git stash *", "--class", "git.write");
  expect(await tiers("git stash", "git stash drop")).toEqual([
    ["git stash", "auto"],
    ["git stash drop", "auto"],
  ]);
});

test("a grant for a folder says that it covers the files in it", async () => {
  const { text } = await grant("--class", "fs.write", "--path", "src");
  expect(text.replaceAll(/\s+/g, " ")).toContain(`${on.project}/src and, if it is a folder, the files directly in it`);
});

test.each([
  ["git log '*'"],
  ['git log "*"'],
  ["git log \\*"],
  ["git log * x"],
  ["*"],
  ["git log; rm x"],
  ["A=1 git log"],
])("%s is not a single simple command", async (command) => {
  const ran = await leeway(on, ["grants", "add", "--agent", "coder", "--command", command]);
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("is not a single simple command")]);
});

test("a grant and a call are shown as readable text, not as stored rows", async () => {
  const { text } = await grant("--command", "git add *", "--for", "5x", "--because", "today");
  const id = /granted (grt_\w+)/.exec(text)?.[1] ?? "";
  const shown = (await leeway(on, ["show", id])).stdout;
  expect(shown.split("\n").slice(1, 4)).toEqual([
    "state       live",
    "agent       coder",
    `allows      auto for \`git add\`, any arguments, in ${on.project} (git.write)`,
  ]);
  const asked = await leeway(on, ["run", "--wait", "1s", "--agent", "coder", "--json", "--", "npm", "test"]);
  const call = (await leeway(on, ["show", JSON.parse(asked.stdout).id])).stdout;
  expect(call).toMatch(/\ndoes +runs npm test\n/);
  expect(call).not.toMatch(/[{[]"/);
  const html = await leeway(on, ["show", id, "--html"]);
  expect([html.code, html.stderr]).toEqual([2, expect.stringContaining("is not a question")]);
});
