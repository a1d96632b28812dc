import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { asAna, setUpAna } from "./person.ts";
import { leeway, type Machine, machine, program, type Ran } from "./program.ts";
import { endAll, up } from "./servers.ts";

const on: Machine = machine();
delete on.env["LEEWAY_RESIDENT"];
const folder = join(on.home, "state", "leeway");
const file = join(folder, "resident.json");
beforeAll(async () => {
  await setUpAna(on);
  writeFileSync(join(on.project, "leeway.yaml"), 'version: 1\ntiers: { "tool:WebFetch": deny }\n');
});
afterAll(() => {
  endAll();
  on.remove();
});
const impostors: Server[] = [];
afterEach(() => {
  stopResident();
  for (const server of impostors.splice(0)) server.close();
  chmodSync(folder, 0o700);
  rmSync(file, { force: true });
});

let calls = 0;
function call(tool: string, args: object): string {
  calls += 1;
  const about = { session_id: "s1", cwd: on.project, hook_event_name: "PreToolUse", tool_use_id: `toolu_${calls}` };
  return JSON.stringify({ ...about, tool_name: tool, tool_input: args });
}

const READ = () => call("Read", { file_path: `${on.project}/a.txt` });
const FETCH = () => call("WebFetch", { url: "https://example.com", prompt: "read it" });
const allowed = { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" } };

function hook(input: string, env: Record<string, string> = {}): Promise<Ran> {
  return leeway(on, ["hook", "claude-code"], { stdin: input, env });
}

async function decided(ran: Promise<Ran>): Promise<string> {
  const { code, stdout, stderr } = await ran;
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout).hookSpecificOutput.permissionDecision;
}

/** The process that answers hooks, once it has said where it is. */
async function residentThere(): Promise<{ path: string; proof: string; pid: number }> {
  for (let tries = 0; tries < 400 && !existsSync(file); tries++) await new Promise((done) => setTimeout(done, 25));
  const said = JSON.parse(readFileSync(file, "utf8"));
  return { ...said, pid: Number(/hooks-(\d+)\.sock$/.exec(said.path)?.[1]) };
}

function stopResident(): void {
  if (!existsSync(file)) return;
  const pid = Number(/hooks-(\d+)\.sock/.exec(readFileSync(file, "utf8"))?.[1]);
  if (pid > 0 && pid !== process.pid) process.kill(pid, "SIGKILL");
}

const PROOF = "a".repeat(64);

/** Another process that says it is the resident, and answers every hook as told. */
async function pretend(
  answer: (socket: Socket) => void,
  said: { proof?: string; program?: string; world?: string } = {},
): Promise<void> {
  const path = join(folder, `hooks-${impostors.length}.sock`);
  rmSync(path, { force: true });
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    let said = "";
    socket.setEncoding("utf8").on("data", (chunk) => {
      said += chunk;
      if (said.endsWith("\n")) answer(socket);
    });
  });
  impostors.push(server);
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const entry = realpathSync(program());
  const built = `${entry} ${statSync(entry).mtimeMs}`;
  const seen = readlinkSync("/proc/self/ns/mnt");
  writeFileSync(file, JSON.stringify({ path, proof: PROOF, program: built, world: seen, ...said }), { mode: 0o600 });
}

const YES = JSON.stringify({ stdout: JSON.stringify(allowed), stderr: "", exit: 0 });

test("the first hook starts a resident, and the next ones are answered by it and recorded as before", async () => {
  expect(await decided(hook(READ()))).toBe("allow");
  const resident = await residentThere();
  expect([resident.pid > 0, statSync(file).mode & 0o777, statSync(resident.path).mode & 0o777]).toEqual([
    true,
    0o600,
    0o600,
  ]);
  const input = FETCH();
  const said = await new Promise<string>((resolve) => {
    let text = "";
    const socket = connect(resident.path, () =>
      socket.write(
        `${JSON.stringify({ host: "claude-code", input, env: on.env, cwd: on.project, hasTerminal: false })}\n`,
      ),
    );
    socket.setEncoding("utf8").on("data", (chunk) => (text += chunk));
    socket.on("close", () => resolve(text));
  });
  const [proof, reply] = said.split("\n").filter((line) => line !== "");
  expect(proof).toBe(resident.proof);
  expect(JSON.parse(JSON.parse(reply ?? "").stdout).hookSpecificOutput.permissionDecision).toBe("deny");
  expect(await decided(hook(FETCH()))).toBe("deny");
  const log = await leeway(on, ["log", "--kind", "call.decided", "--json"]);
  expect(log.stdout.split("\n").filter((line) => line !== "").length).toBe(3);
});

test("a resident starts a call in a box exactly as the hook itself would", async () => {
  await hook(READ());
  await residentThere();
  const input = call("Bash", { command: "cat leeway.yaml" });
  const answered = await hook(input);
  expect(answered.stdout).toMatch(/"updatedInput":\{"command":".* box --call call_/);
  expect(await hook(input, { LEEWAY_RESIDENT: "off" })).toEqual(answered);
});

test("a hook takes the answer of a resident that proves itself", async () => {
  await pretend((socket) => socket.end(`${PROOF}\n\n{"stdout":"from the resident\\n","stderr":"note\\n","exit":0}\n`));
  expect(await hook(FETCH())).toEqual({ code: 0, stdout: "from the resident\n", stderr: "note\n" });
});

test.each([
  ["without the proof", (socket: Socket) => socket.end(`${"b".repeat(64)}\n${YES}\n`), {}],
  ["with nothing", (socket: Socket) => socket.end(), {}],
  ["never", () => undefined, {}],
  ["for another version of the program", (socket: Socket) => socket.end(`${PROOF}\n${YES}\n`), { program: "x 1" }],
  ["from another view of the files", (socket: Socket) => socket.end(`${PROOF}\n${YES}\n`), { world: "mnt:[1]" }],
  ["with a proof that is no proof", (socket: Socket) => socket.end(`\n${YES}\n`), { proof: "" }],
])("a hook decides itself if a resident answers %s", async (_how, answer, said) => {
  await pretend(answer, said);
  expect(await decided(hook(FETCH()))).toBe("deny");
});

test("a hook decides itself if others can enter the state folder, where they could replace the resident", async () => {
  await pretend((socket) => socket.end(`${PROOF}\n${YES}\n`));
  chmodSync(folder, 0o755);
  expect(await decided(hook(FETCH()))).toBe("deny");
});

test.each([
  ["stops", (socket: Socket) => socket.end(`${PROOF}\n`)],
  ["answers half", (socket: Socket) => socket.end(`${PROOF}\n${YES.slice(0, 40)}`)],
  ["answers something else", (socket: Socket) => socket.end(`${PROOF}\n{"stdout":1,"stderr":"","exit":0}\n`)],
])("a call is not run if the resident takes it and then %s", async (_how, answer) => {
  await pretend(answer);
  expect(await hook(READ())).toEqual({
    code: 2,
    stdout: "",
    stderr: "Leeway was interrupted while it decided, so the call was not run. Try it once more.\n",
  });
});

test("a call is not run if the answer of the resident cannot be written", async () => {
  await pretend((socket) => socket.end(`${PROOF}\n${YES}\n`));
  const full = openSync("/dev/full", "w");
  const child = spawn(process.execPath, [program(), "hook", "claude-code"], {
    cwd: on.project,
    env: on.env,
    stdio: ["pipe", full, "ignore"],
  });
  child.stdin?.end(READ());
  expect(await new Promise((resolve) => child.on("close", resolve))).toBe(2);
});

test("the resident asks whether the host still reads, and the answer of a hook that nobody reads is no", async () => {
  const heard: string[] = [];
  await pretend((socket) => {
    socket.removeAllListeners("data");
    socket.on("data", (chunk) => {
      heard.push(String(chunk));
      socket.end('{"stdout":"","stderr":"","exit":0}\n');
    });
    socket.write(`${PROOF}\n`);
    setTimeout(() => socket.write("?\n"), 50);
  });
  expect(await hook(READ())).toEqual({ code: 0, stdout: " ", stderr: "" });
  const child = spawn(process.execPath, [program(), "hook", "claude-code"], {
    cwd: on.project,
    env: on.env,
    stdio: ["pipe", openSync("/dev/full", "w"), "ignore"],
  });
  child.stdin?.end(READ());
  await new Promise((resolve) => child.on("close", resolve));
  expect(heard).toEqual(["yes\n", "no\n"]);
});

test("the hook after one whose resident was killed decides itself and starts another", async () => {
  await hook(READ());
  const first = await residentThere();
  process.kill(first.pid, "SIGKILL");
  expect(await decided(hook(FETCH()))).toBe("deny");
  for (let tries = 0; tries < 400; tries++) {
    if ((await residentThere()).pid !== first.pid) break;
    await new Promise((done) => setTimeout(done, 25));
  }
  expect((await residentThere()).pid).not.toBe(first.pid);
});

test("a server answers the hooks of its user, and no resident is started beside it", async () => {
  const server = await up(on);
  const { pid } = await residentThere();
  expect(pid).toBe(server.pid);
  expect(await decided(hook(FETCH()))).toBe("deny");
  expect((await residentThere()).pid).toBe(server.pid);
  await server.stop();
  expect(existsSync(file)).toBe(false);
});

test("with LEEWAY_RESIDENT=off no resident is asked or started", async () => {
  await pretend((socket) => socket.end(`${PROOF}\n${YES}\n`));
  expect(await decided(hook(FETCH(), { LEEWAY_RESIDENT: "off" }))).toBe("deny");
  rmSync(file);
  expect(await decided(hook(READ(), { LEEWAY_RESIDENT: "off" }))).toBe("allow");
  expect(existsSync(file)).toBe(false);
});

test("a policy that the resident has used is read again after a change", async () => {
  const other = join(on.home, "other");
  mkdirSync(other);
  await hook(READ());
  await residentThere();
  const inOther = (input: string) => input.replaceAll(on.project, other);
  expect(await decided(hook(inOther(READ())))).toBe("allow");
  writeFileSync(join(other, "leeway.yaml"), "version: 1\ntiers: { fs.read: deny }\n");
  expect(await decided(hook(inOther(READ())))).toBe("deny");
});

test("soon after the last call the resident lets go of the database, which can then be restored", async () => {
  await hook(READ());
  await residentThere();
  const copy = join(on.home, "copy");
  expect((await leeway(on, ["backup", copy])).code).toBe(0);
  expect(await decided(hook(READ()))).toBe("allow");
  await expect.poll(async () => (await asAna(on, ["restore", copy, "--yes"])).code, { interval: 500 }).toBe(0);
  // Of the restored database the resident knows no more than the hook itself.
  const [answered, itself] = [await hook(READ()), await hook(READ(), { LEEWAY_RESIDENT: "off" })];
  expect([answered.code, answered.stdout]).toEqual([itself.code, itself.stdout]);
});
