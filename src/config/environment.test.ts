import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { prepareStateFolder, readSettings } from "./environment.ts";
import { loadKey } from "./key-file.ts";
import { SettingError } from "./setting-error.ts";

let base = "";
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "leeway-state-"));
});
afterEach(() => rmSync(base, { recursive: true }));

test("without variables everything is in the user's own folders", () => {
  expect(readSettings({}, "/home/ana")).toEqual({
    stateFolder: "/home/ana/.local/state/leeway",
    db: "/home/ana/.local/state/leeway/leeway.db",
    keyFile: "/home/ana/.local/state/leeway/leeway.key",
    userPolicy: "/home/ana/.config/leeway/leeway.yaml",
    workspace: "default",
    home: "/home/ana",
  });
});

test("variables change every location, and an empty variable counts as not set", () => {
  const variables = {
    XDG_STATE_HOME: "/state",
    XDG_CONFIG_HOME: "/config",
    LEEWAY_DB: "/db/own.db",
    LEEWAY_POLICY: "/policy/own.yaml",
    LEEWAY_WORKSPACE: "team-a",
    LEEWAY_KEY: "01".repeat(32),
  };
  expect(readSettings(variables, "/home/ana")).toEqual({
    stateFolder: "/state/leeway",
    db: "/db/own.db",
    keyFile: "/state/leeway/leeway.key",
    key: Buffer.alloc(32, 1),
    policy: "/policy/own.yaml",
    userPolicy: "/config/leeway/leeway.yaml",
    workspace: "team-a",
    home: "/home/ana",
  });
  const empty = Object.fromEntries(Object.keys(variables).map((name) => [name, ""]));
  expect(readSettings(empty, "/home/ana")).toEqual(readSettings({}, "/home/ana"));
  expect(readSettings({ LEEWAY_KEY: Buffer.alloc(32, 7).toString("base64") }, "/").key).toEqual(Buffer.alloc(32, 7));
});

test("an address that is not of PostgreSQL is an error, not a new file, and its password is not shown", () => {
  for (const db of ["postgress://ana:secret@db/leeway", "nosuch://x", "file:///tmp/a.db"]) {
    const kind = db.slice(0, db.indexOf(":"));
    expect(() => readSettings({ LEEWAY_DB: db }, "/home/ana")).toThrow(
      new SettingError(
        `${kind}://… is not an address of a database that Leeway knows`,
        "did you mean postgres://? Name a database file by its path",
      ),
    );
  }
  for (const db of ["postgres://ana@db/leeway", "postgresql://ana@db/leeway", "PostgreSQL://ana@db/leeway"])
    expect(readSettings({ LEEWAY_DB: db }, "/home/ana").db).toBe(db);
});

test("a variable that cannot be used is an error that says what to do", () => {
  expect(() => readSettings({ XDG_STATE_HOME: "state" }, "/")).toThrow(
    "XDG_STATE_HOME is not an absolute path: `state`; start it with a slash",
  );
  for (const home of ["", "home/ana"]) {
    expect(() => readSettings({}, home)).toThrow(`HOME is not an absolute path: \`${home}\`; start it with a slash`);
  }
  expect(() => readSettings({ LEEWAY_WORKSPACE: "a/b" }, "/")).toThrow(
    /LEEWAY_WORKSPACE is not a name: `a\/b`; use letters/,
  );
  for (const key of ["secret", "01".repeat(31), Buffer.alloc(16).toString("base64")]) {
    expect(() => readSettings({ LEEWAY_KEY: key }, "/")).toThrow(/LEEWAY_KEY is not a key; give 32 bytes/);
  }
});

test("only its owner can open the state folder, even if it was open to others before", () => {
  const folder = join(base, "a", "leeway");
  prepareStateFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  chmodSync(folder, 0o755);
  prepareStateFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test("a state folder that is a symbolic link or a file is not used", () => {
  symlinkSync(base, join(base, "link"));
  expect(() => prepareStateFolder(join(base, "link"))).toThrow(/is not a folder; move it away/);
});

test("a state folder that cannot be created is an error that says what to do", () => {
  writeFileSync(join(base, "file"), "");
  expect(() => prepareStateFolder(join(base, "file", "leeway"))).toThrow(
    /cannot be created \(ENOTDIR\); set XDG_STATE_HOME/,
  );
});

test("the key is created once, has 32 bytes that only the owner can read, and leaves no temporary file", () => {
  const file = join(base, "leeway.key");
  const key = loadKey(file);
  expect(loadKey(file)).toEqual(key);
  expect(new Uint8Array(readFileSync(file))).toEqual(key);
  expect({ bytes: key.length, mode: statSync(file).mode & 0o777, files: readdirSync(base) }).toEqual({
    bytes: 32,
    mode: 0o600,
    files: ["leeway.key"],
  });
  expect(loadKey(join(mkdtempSync(join(base, "other-")), "leeway.key"))).not.toEqual(key);
});

test("a key that others may read, that is too short, or that is a link is refused, and the message says what to do", () => {
  const file = join(base, "leeway.key");
  loadKey(file);
  chmodSync(file, 0o640);
  expect(() => loadKey(file)).toThrow(/can be read by others; close it: chmod 600/);
  writeFileSync(join(base, "short"), "short", { mode: 0o600 });
  expect(() => loadKey(join(base, "short"))).toThrow(/holds 5 bytes instead of 32; restore it from a backup/);
  chmodSync(file, 0o600);
  symlinkSync(file, join(base, "link"));
  expect(() => loadKey(join(base, "link"))).toThrow(/is a link; put the key itself there/);
});
