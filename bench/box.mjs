// What a box costs: `true` by itself, in the smallest box that bubblewrap makes, in a box of Leeway, and rehearsed, in a project of 10
// files and in one of 50,000. Then a rehearsal that adds a file and changes one, with its changes applied, and `leeway run` from its
// start to its end beside an empty Node program. In turns within one run; the clock, because most of the time is the system's.
// node bench/box.mjs [--json]        LEEWAY_BENCH_ROUNDS for another number of rounds
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { load, median, print, spread } from "./store-kit.mjs";

const { openBoxing } = await load("box/boxing.js");
const ROUNDS = Number(process.env.LEEWAY_BENCH_ROUNDS ?? 15);
const WARM_UP = 3;
const SIZES = { few: 10, many: 50_000 };
const FILES_IN_A_FOLDER = 50;

const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "leeway-bench-box-")));
const [home, stateFolder] = [join(folder, "home"), join(folder, "state")];
for (const one of [home, stateFolder]) mkdirSync(one, { recursive: true });

/** A repository of sources in folders. */
function projectOf(name, files) {
  const project = join(home, name);
  for (let made = 0; made < files; made++) {
    const in_ = join(project, `src/part-${Math.floor(made / FILES_IN_A_FOLDER)}`);
    if (made % FILES_IN_A_FOLDER === 0) mkdirSync(in_, { recursive: true });
    writeFileSync(join(in_, `file-${made}.ts`), `export const n = ${made};\n`);
  }
  writeFileSync(join(project, "nothing.sh"), "true\n");
  spawnSync("git", ["init", "-q", project]);
  return project;
}
const projects = Object.fromEntries(Object.entries(SIZES).map(([name, files]) => [name, projectOf(name, files)]));

const { maker, rehearsals } = openBoxing({ stateFolder, home }, Date.now);
const ability = await maker.ability();
if (!ability.ok || !ability.rehearses)
  throw new Error(`no box can be made here: ${ability.why ?? "nothing can be rehearsed"}`);

const ENV = { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8" };

function run({ program, name = program, args, cwd, env = ENV }) {
  const child = spawn(program, args, { argv0: name, cwd, env, stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.on("data", (bytes) => (errors += bytes));
  return new Promise((resolve, reject) => {
    child.on("error", reject).on("close", (code) => (code === 0 ? resolve() : reject(new Error(`${code}: ${errors}`))));
  });
}

async function boxed(project, script, rehearse) {
  const start = { program: "/bin/sh", name: "sh", args: ["-c", script], cwd: project, env: ENV };
  const walls = { write: [project], network: [], reveal: [] };
  const box = await maker.prepare(start, walls, { rehearse, project });
  await run(box.start);
  return (await box.ended("")).rehearsal;
}

async function rehearsed(project, script) {
  const { name } = await boxed(project, script, true);
  await rehearsals.drop(name);
}

async function applied(project) {
  const { name } = await boxed(project, "date +%N > new; date +%N > src/part-0/file-0.ts", true);
  const done = await rehearsals.apply(name);
  if (!done.ok) throw new Error(`not applied: ${done.moved}`);
  await rehearsals.undo(done.undo);
}

const SMALLEST = [
  "--dev-bind",
  "/",
  "/",
  "--unshare-user",
  "--unshare-pid",
  "--unshare-net",
  "--die-with-parent",
  "--",
];
const SH = ["/bin/sh", "-c", "true"];
const leeway = fileURLToPath(new URL("../bin/leeway.mjs", import.meta.url));
const cli = { ...ENV, XDG_STATE_HOME: join(folder, "cli"), LEEWAY_POLICY: join(folder, "leeway.yaml") };
writeFileSync(cli.LEEWAY_POLICY, "version: 1\npreset: standard\n");

const node = (args, cwd) => run({ program: process.execPath, args, cwd, env: cli });
const ways = {
  true: () => run({ program: SH[0], args: SH.slice(1), cwd: projects.few }),
  "true, bubblewrap alone": () => run({ program: "bwrap", args: [...SMALLEST, ...SH], cwd: projects.few }),
  ...Object.fromEntries(
    Object.entries(projects).flatMap(([name, project]) => [
      [`true in a box, ${SIZES[name]} files`, () => boxed(project, "true", false)],
      [`true rehearsed, ${SIZES[name]} files`, () => rehearsed(project, "true")],
      [`two changes rehearsed, applied and undone, ${SIZES[name]} files`, () => applied(project)],
    ]),
  ),
  "an empty Node program": () => node(["-e", ""], projects.few),
  ...Object.fromEntries(
    Object.entries(projects).map(([name, project]) => [
      `leeway run, rehearsed, ${SIZES[name]} files`,
      () => node([leeway, "run", "--", "sh", "./nothing.sh"], project),
    ]),
  ),
};

const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
try {
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const [name, act] of Object.entries(ways)) {
      const startMs = performance.now();
      await act();
      if (round >= 0) times[name].push(performance.now() - startMs);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const beside = (name, other) => times[name].map((ms, round) => ms / times[other][round]);
const limitOf = (name) => (/Node|leeway run/.test(name) ? "an empty Node program" : "true, bubblewrap alone");
print(
  Object.keys(ways).map((name) => {
    const ratios = beside(name, limitOf(name));
    const few = name.replace("50000", "10");
    const growth = few === name ? undefined : beside(name, few);
    return {
      test: name,
      ms: median(times[name]),
      fastestMs: Math.min(...times[name]),
      beside: limitOf(name),
      ratio: median(ratios),
      ratioSpread: spread(ratios),
      ...(growth && { besideTenFiles: median(growth), besideTenFilesSpread: spread(growth) }),
    };
  }),
);
