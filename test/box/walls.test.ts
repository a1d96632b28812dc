import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeWorld, prepared, ran, ranInBox, type World } from "./boxed.ts";

let world: World;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.end());

test("a program in a box changes the project, but no place outside of it and nothing protected in it", async () => {
  const { home, project, folder } = world;
  mkdirSync(join(project, ".git/hooks"), { recursive: true });
  mkdirSync(join(project, "app"));
  writeFileSync(join(project, "app/package.json"), "{}");
  const ran = await ranInBox(
    world,
    "echo a > made; echo a > ../made; echo a > .git/hooks/pre-commit; mv app other; echo a > app/package.json; echo done",
  );
  expect({ ...ran, errors: ran.errors.match(/Read-only file system|busy/g) }).toEqual({
    code: 0,
    signal: null,
    output: "done\n",
    errors: ["Read-only file system", "Read-only file system", "busy", "Read-only file system"],
    report: {
      refused: ["home/made", "home/project/.git/hooks/pre-commit", "home/project/app/package.json"].map((path) => ({
        of: "write",
        path: join(folder, path),
      })),
    },
  });
  expect(readFileSync(join(project, "made"), "utf8")).toBe("a\n");
  expect(readdirSync(home)).toEqual(["project"]);
  expect(readdirSync(join(project, ".git/hooks"))).toEqual([]);
  expect(readdirSync(folder).sort()).toEqual(["home", "state"]);
});

test("a file of the project that settings start stays as it is, and one that appears under its name is moved away", async () => {
  const { project, folder } = world;
  mkdirSync(join(project, ".claude"));
  mkdirSync(join(project, "scripts"));
  const hooks = ["scripts/old.sh", "scripts/new.sh"].map((command) => ({ hooks: [{ type: "command", command }] }));
  writeFileSync(join(project, ".claude/settings.json"), JSON.stringify({ hooks: { PreToolUse: hooks } }));
  writeFileSync(join(project, "scripts/old.sh"), "true");
  const ran = await ranInBox(world, "for name in new old other; do echo a > scripts/$name.sh; done; ls scripts");
  expect(ran.output).toBe("new.sh\nold.sh\nother.sh\n");
  expect(ran.report.refused).toEqual(
    ["new.sh", "old.sh"].map((name) => ({ of: "write", path: join(folder, "home/project/scripts", name) })),
  );
  expect(readdirSync(join(project, "scripts"))).toEqual(["old.sh", "other.sh"]);
  expect(readFileSync(join(project, "scripts/old.sh"), "utf8")).toBe("true");
});

test("what only reads can change nothing at all", async () => {
  const ran = await ranInBox(world, "echo a > made; ls", { walls: { write: [] } });
  expect(ran).toMatchObject({ code: 0, output: "" });
  expect(readdirSync(world.project)).toEqual([]);
});

test("credentials are empty, and those that the walls reveal are there", async () => {
  const { home, project } = world;
  mkdirSync(join(home, ".ssh"));
  mkdirSync(join(home, ".config/gh"), { recursive: true });
  mkdirSync(join(project, "app"));
  for (const path of [".ssh/id_rsa", ".ssh/config", ".config/gh/hosts.yml", ".netrc", ".unheard-of-token"]) {
    writeFileSync(join(home, path), "hidden");
  }
  for (const path of [".env", ".env.local", "app/.env", "plain"]) writeFileSync(join(project, path), path);
  const script = "cd; cat .ssh/* .config/gh/* .netrc .unheard-of-token; cd project; cat .env .env.local app/.env plain";
  expect(await ranInBox(world, script)).toMatchObject({ output: "plain" });
  const reveal = [join(home, ".ssh/config"), join(project, ".env")];
  expect(await ranInBox(world, script, { walls: { reveal } })).toMatchObject({ output: "hidden.envplain" });
});

const CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";

test("credentials are empty however deep they are in the project, and folders of code that only sound like them are not", async () => {
  const { project } = world;
  const secret = [
    "services/api/.env",
    "a/b/c/id_rsa",
    "a/b/c/d/e/f/server.pem",
    "a/x/.npmrc",
    "a/b/.secrets/any",
    ".git/credentials",
  ];
  const plain = [
    "a/cookies/index.js",
    "a/x/y/.npmrc",
    "a/authorities.pem",
    "a/.git/refs/heads/x.pem",
    "node_modules/x/test.pem",
  ];
  const text: Record<string, string> = {
    "a/x/.npmrc": "//registry.example/:_authToken=shown",
    "a/x/y/.npmrc": "engine-strict=true\n",
    "a/authorities.pem": CERTIFICATE,
  };
  for (const path of [...secret, ...plain]) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text[path] ?? "shown");
  }
  const script =
    'for file; do [ -s "$file" ] && echo "$file"; done; mkdir -p own && echo own >> own/.env && cat own/.env; rm -r own';
  for (const walls of [{ write: [project] }, { write: [project], reveal: [join(project, "services/api/.env")] }]) {
    const { output } = await ranInBox(world, "", { args: ["-c", script, "sh", ...secret, ...plain], walls });
    const revealed = walls.reveal === undefined ? [] : ["services/api/.env"];
    expect(output).toBe([...revealed, ...plain, "own", ""].join("\n"));
  }
});

test("credentials that are protected too are empty, in walls that open the project and in a rehearsal", async () => {
  const { project } = world;
  const files = [
    "server.key",
    "app.keystore",
    "id_rsa",
    ".netrc",
    ".ssh/id_rsa",
    ".ssh/config",
    "deploy/tls.pem",
    ".docker/config.json",
  ];
  for (const path of files) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), "canary");
  }
  symlinkSync("server.key", join(project, "linked.pem"));
  for (const rehearse of [false, true]) {
    const script = "grep -r canary . ; grep canary linked.pem; echo x > server.key; echo x > .ssh/id_rsa; echo end";
    const box = await prepared(world, { args: ["-c", script] }, rehearse);
    expect((await ran(box)).output).toBe("end\n");
  }
  expect(files.map((path) => readFileSync(join(project, path), "utf8"))).toEqual(files.map(() => "canary"));
});

test("if a project has more credentials than a box can hide, no box is made", async () => {
  for (let i = 0; i <= 400; i++) writeFileSync(join(world.project, `${i}.key`), "");
  await expect(ranInBox(world, "true")).rejects.toThrow(
    `${world.project} has more than 400 files that look like credentials, too many to hide in a box; put LEEWAY_BOX=off before the command, and a person is asked instead`,
  );
});

test("a protected place that did not exist and appeared is moved away and reported", async () => {
  const { project, stateFolder } = world;
  symlinkSync("real", join(project, "Makefile"));
  writeFileSync(join(project, "real"), "all:\n");
  const script =
    "mkdir -p .github/workflows src; echo evil > .github/workflows/ci.yml; echo evil > src/Makefile; echo fine > src/a; rm Makefile; echo evil > Makefile; echo evil > real";
  const { report } = await ranInBox(world, script);
  const appeared = report.refused.flatMap((one) =>
    one.of === "write" && one.path !== join(project, "real") ? [one.path] : [],
  );
  expect(appeared.sort()).toEqual(["/.github/workflows", "/Makefile", "/src/Makefile"].map((path) => project + path));
  expect(readdirSync(join(project, ".github"))).toEqual([]);
  expect(readdirSync(join(project, "src"))).toEqual(["a"]);
  expect(readFileSync(join(project, "Makefile"), "utf8")).toBe("all:\n");
  const [run = ""] = readdirSync(join(stateFolder, "box/removed"));
  expect(readFileSync(join(stateFolder, "box/removed", run, project, "src/Makefile"), "utf8")).toBe("evil\n");
});

test("protected places are kept in a project that is in a folder with credentials", async () => {
  const project = join(world.home, ".aws/project");
  mkdirSync(join(project, ".git/hooks"), { recursive: true });
  for (const name of [".git/config", "server.key"]) writeFileSync(join(project, name), "as before");
  const script = "echo x > .git/config; echo x > server.key; cat server.key; echo x > file; echo end";
  const { output } = await ranInBox({ ...world, project }, script);
  expect(output).toBe("end\n");
  const names = [".git/config", "server.key", "file"];
  expect(names.map((name) => readFileSync(join(project, name), "utf8"))).toEqual(["as before", "as before", "x\n"]);
});

test("a folder of the walls that became a link stays closed", async () => {
  const { home, project } = world;
  mkdirSync(join(home, "private"));
  symlinkSync(join(home, "private"), join(project, "build"));
  await ranInBox(world, "echo a > build/made", { walls: { write: [project, join(project, "build")] } });
  await ranInBox(world, "echo a > build/made", { walls: { write: [join(project, "build")] } });
  expect(existsSync(join(home, "private/made"))).toBe(false);
});

test("a box starts although a socket that it was going to cover is gone", async () => {
  const [gone, left] = ["gone.sock", "left.sock"].map((name) => join(world.home, name));
  const servers = [gone, left].map((path) => createServer().listen(path));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const words = ["--ro-bind", join(world.stateFolder, "box/empty"), "/nowhere"];
  const script = 'printf "%s\\n" "$@"; [ -S ../left.sock ] || echo covered';
  const box = await prepared(world, { args: ["-c", script, "sh", ...words] });
  servers[0]?.close();
  expect(existsSync(gone ?? "")).toBe(false);
  expect(await ran(box)).toMatchObject({ code: 0, output: `${words.join("\n")}\ncovered\n`, errors: "" });
  servers[1]?.close();
});

test("a socket whose program names it by a path with a link, as many do with /var/run, is covered, and the box starts", async () => {
  const [real, named] = [join(world.home, "real"), join(world.home, "named")];
  mkdirSync(real);
  symlinkSync(real, named);
  const server = createServer().listen(join(named, "a.sock"));
  await once(server, "listening");
  const seen = await ranInBox(world, "for at in ~/real ~/named; do [ -S $at/a.sock ] || echo covered; done");
  server.close();
  expect(seen).toMatchObject({ code: 0, output: "covered\ncovered\n", errors: "" });
});

test("a box starts although credentials and sockets are in a folder that only another user can enter", async () => {
  const folder = join(world.home, ".aws");
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(world.home, ".aws/credentials"), "canary");
  const server = createServer().listen(join(folder, "agent.sock"));
  await once(server, "listening");
  // Only root can give a folder away; other users cannot look into one of somebody else anyway.
  if (process.getuid?.() === 0) chownSync(folder, 65_534, 65_534);
  const { code, output } = await ranInBox(world, "cat ~/.aws/credentials; echo started");
  server.close();
  expect([code, output]).toEqual([0, "started\n"]);
});

test("trying whether boxes can be made leaves nothing but the answers", async () => {
  expect(await world.boxes.ability()).toEqual({ ok: true, rehearses: true });
  const left = readdirSync(join(world.stateFolder, "box"), { recursive: true, encoding: "utf8" });
  const [answers, locks, emptied] = [
    ["ability.json", "rehearses.json"],
    ["trial", "lock"],
    ["in-place", "rehearsals", "trials"],
  ];
  // When it was looked last what is to be removed.
  expect(left.sort()).toEqual([...answers, "tidied", "empty", "filter", ...locks, ...emptied].sort());
});
