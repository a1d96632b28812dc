import { expect, test } from "vitest";
import { commandCall, knowing, tryingCall } from "../../../../test/cases/trying.ts";
import type { JsonObject } from "../../values/json.ts";
import { classify } from "../classify.ts";
import { readCall } from "../reading.ts";

function found(command: string) {
  const call = commandCall(command);
  return classify(readCall(call), knowing(call));
}

const classesOf = (command: string) => found(command).parts.map((part) => part.class);

test("a file that is put into a folder is written there under its own name", () => {
  const commands = [
    "cp evil/leeway.yaml .",
    "cp -t . evil/leeway.yaml",
    "mv evil/.envrc ./",
    "install evil/leeway.yaml .",
    "cp settings.json .vscode/",
    "scp host:leeway.yaml .",
    "cp --parents .git/hooks/a b",
  ];
  expect(commands.filter((command) => !classesOf(command).includes("permissions.change"))).toEqual([]);
  expect(classesOf("cp src/a.ts lib/")).toEqual(["fs.copy"]);
  expect(classesOf("mv a.ts src")).toEqual(["fs.move"]);
});

test("replacing a hidden folder counts as writing everything that may be in it", () => {
  expect(classesOf("mv evil .claude")).toContain("permissions.change");
  expect(classesOf("cp -r evil .github")).toContain("permissions.change");
  expect(classesOf("ln -s evil .claude")).toContain("permissions.change");
  expect(classesOf("cp a .eslintignore")).toEqual(["fs.copy"]);
});

test("a packed file is unpacked to its name without the ending", () => {
  expect(classesOf("gunzip leeway.yaml.gz")).toContain("permissions.change");
  expect(classesOf("gunzip a.txt.gz")).not.toContain("permissions.change");
});

test("copying the contents of a folder over the project may replace any file, so it is only partly understood", () => {
  expect(["cp -r evil/. .", "cp evil/* .", "rsync -a evil/ ./"].map((command) => found(command).understood)).toEqual([
    "partly",
    "partly",
    "partly",
  ]);
  expect(found("cp -r dist/* public/").understood).toBe("fully");
});

test("if the folder already contains a link with the file's name, the place where it leads counts", () => {
  const call = commandCall("cp a docs/");
  const known = knowing(call);
  const real = { ...known.facts?.real, "/home/ana/project/docs/a": "/home/ana/.bashrc" };
  const facts = { home: "/home/ana", foldsCase: false, ...known.facts, real };
  expect(classify(readCall(call), { ...known, facts }).parts.map((part) => part.class)).toContain("permissions.change");
});

test("moving a file to a device such as /dev/null counts as losing it, outside the project", () => {
  expect(found("mv src /dev/null").parts.map((part) => part.reach)).toEqual(["host"]);
});

test("moving a secret counts as reading it", () => {
  expect(classesOf("mv .env public/index.txt")).toContain("secrets.read");
  expect(classesOf("mv a.ts b.ts")).toEqual(["fs.move"]);
});

test("each command in a list is read, and words for a shell are read as the shell would read them", () => {
  const classes = (args: JsonObject) => {
    const call = tryingCall("Bash", args);
    return classify(readCall(call), knowing(call)).parts.map((part) => part.class);
  };
  expect(classes({ commands: ["ls", "rm -rf src"] })).toContain("fs.delete");
  expect(classes({ command: "ls", args: ["&&", "rm", "a"], shell: true })).toContain("fs.delete");
  const empty = tryingCall("Bash", { command: [] });
  expect(classify(readCall(empty), knowing(empty)).understood).toBe("partly");
});
