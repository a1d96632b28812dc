import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { setUpAna } from "../../cli/person.ts";
import { leeway, machine } from "../../cli/program.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { type HostDriver, startHost } from "./drive.ts";
import { scriptedModel } from "./model.ts";

// The real hosts run commands that nobody can read in a box, without a question. No server runs, and nobody is there to answer.

const WORK = `import os, socket
open("made.txt", "w").write("made")
open(os.path.expanduser("~/dropped.txt"), "w").write("x")
try: socket.create_connection(("192.0.2.1", 80), 5)
except OSError as error: print("the script says", error.strerror)
`;

type Seen = { heard: readonly string[]; made: string; dropped: boolean; kinds: string[]; asked: number };

async function driven(driver: HostDriver, commands: readonly string[]): Promise<Seen> {
  const on = machine();
  const model = await scriptedModel({ "leeway-boxed": commands.map((one) => ({ calls: [driver.shell(one)] })) });
  try {
    await setUpAna(on, "version: 1\npreset: standard\n");
    mkdirSync(join(on.project, "sub"));
    writeFileSync(join(on.project, "work.py"), WORK);
    writeFileSync(join(on.project, "fails.py"), "import sys\nsys.exit(7)\n");
    driver.prepare(on, model);
    expect((await leeway(on, ["init", driver.name, "--yes"])).code).toBe(0);
    const ended = await startHost(driver, on, model, "leeway-boxed: follow the script").ended;
    const made = join(on.project, "made.txt");
    const log = (await leeway(on, ["log", "--json"])).stdout.split("\n").filter((line) => line !== "");
    const entries = log.map((line) => JSON.parse(line)).filter(({ subject }) => subject.agent === driver.name);
    return {
      heard: model.heard("leeway-boxed").length === 0 ? [ended.stdout, ended.stderr] : model.heard("leeway-boxed"),
      made: existsSync(made) ? readFileSync(made, "utf8") : "",
      dropped: !existsSync(join(on.home, "dropped.txt")),
      kinds: entries.filter(({ subject }) => subject.tool === "Bash").map(({ kind }) => kind),
      asked: entries.filter(({ kind }) => kind === "call.delegated" || kind === "approval.opened").length,
    };
  } finally {
    await model.stop();
    on.remove();
  }
}

const RAN = ["call.decided", "execution.claimed", "execution.succeeded"];
const FAILED = ["call.decided", "execution.claimed", "execution.failed"];

test("codex: the folder that the model chooses for a command is not the project, and chooses no policy", async () => {
  const on = machine();
  const elsewhere = join(on.home, "chosen");
  const chosen = { tool: "exec_command", args: { cmd: "touch made.txt", workdir: elsewhere } };
  const model = await scriptedModel({ "leeway-chosen": [{ calls: [chosen] }] });
  try {
    mkdirSync(elsewhere);
    await setUpAna(on, "version: 1\npreset: standard\ntiers: { fs.write: deny }\n");
    codex.prepare(on, model);
    expect((await leeway(on, ["init", "codex", "--yes"])).code).toBe(0);
    await startHost(codex, on, model, "leeway-chosen: follow the script").ended;
    expect(model.heard("leeway-chosen")).toEqual([expect.stringContaining("LEEWAY_DENIED")]);
    expect(existsSync(join(elsewhere, "made.txt"))).toBe(false);
  } finally {
    await model.stop();
    on.remove();
  }
});

describe("in a box", () => {
  test("claude-code runs what nobody can read, stays where a command went, and hears the exit code", async () => {
    const seen = await driven(claudeCode, [
      "python3 work.py",
      "cd sub && python3 ../work.py",
      "pwd",
      "python3 ../fails.py",
    ]);
    expect(seen).toEqual({
      heard: [
        expect.stringContaining("the script says Network is unreachable"),
        expect.stringContaining("the script says"),
        expect.stringMatching(/\/project\/sub\s*$/),
        expect.stringContaining("7"),
      ],
      made: "made",
      dropped: true,
      kinds: [...RAN, ...RAN, ...RAN, ...FAILED],
      asked: 0,
    });
  });

  test("codex runs what nobody can read, and hears the exit code", async () => {
    const seen = await driven(codex, ["python3 work.py", "python3 fails.py"]);
    expect(seen).toEqual({
      heard: [expect.stringContaining("the script says Network is unreachable"), expect.stringContaining("7")],
      made: "made",
      dropped: true,
      kinds: [...RAN, ...FAILED],
      asked: 0,
    });
  });
});
