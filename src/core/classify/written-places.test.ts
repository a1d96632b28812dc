import { expect, test } from "vitest";
import { commandCall, knowing, tryingCall } from "../../../test/cases/trying.ts";
import type { JsonObject } from "../values/json.ts";
import { classify } from "./classify.ts";

function found(command: string) {
  const call = commandCall(command);
  return classify(call, knowing(call));
}

const classesOf = (command: string) => found(command).parts.map((part) => part.class);

test("what is put into a folder is written under the name it had", () => {
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

test("a hidden folder that another takes the place of counts with all that would be in it", () => {
  expect(classesOf("mv evil .claude")).toContain("permissions.change");
  expect(classesOf("cp -r evil .github")).toContain("permissions.change");
  expect(classesOf("ln -s evil .claude")).toContain("permissions.change");
  expect(classesOf("cp a .eslintignore")).toEqual(["fs.copy"]);
});

test("a packed file is unpacked to the name without its ending", () => {
  expect(classesOf("gunzip leeway.yaml.gz")).toContain("permissions.change");
  expect(classesOf("gunzip a.txt.gz")).not.toContain("permissions.change");
});

test("what a whole folder holds may replace any file of the project, so pouring it there is a doubt", () => {
  expect(["cp -r evil/. .", "cp evil/* .", "rsync -a evil/ ./"].map((command) => found(command).understood)).toEqual([
    "partly",
    "partly",
    "partly",
  ]);
  expect(found("cp -r dist/* public/").understood).toBe("fully");
});

test("a link that waits in the folder for the name counts as where it leads", () => {
  const call = commandCall("cp a docs/");
  const known = knowing(call);
  const real = { ...known.facts?.real, "/home/ana/project/docs/a": "/home/ana/.bashrc" };
  const facts = { home: "/home/ana", foldsCase: false, ...known.facts, real };
  expect(classify(call, { ...known, facts }).parts.map((part) => part.class)).toContain("permissions.change");
});

test("what is moved onto a device that keeps nothing is gone, which nobody does unasked", () => {
  expect(found("mv src /dev/null").parts.map((part) => part.reach)).toEqual(["host"]);
});

test("a secret that is moved is as good as read", () => {
  expect(classesOf("mv .env public/index.txt")).toContain("secrets.read");
  expect(classesOf("mv a.ts b.ts")).toEqual(["fs.move"]);
});

test("several commands in a list are each read, and words for a shell are read as it would", () => {
  const classes = (args: JsonObject) => {
    const call = tryingCall("Bash", args);
    return classify(call, knowing(call)).parts.map((part) => part.class);
  };
  expect(classes({ commands: ["ls", "rm -rf src"] })).toContain("fs.delete");
  expect(classes({ command: "ls", args: ["&&", "rm", "a"], shell: true })).toContain("fs.delete");
  const empty = tryingCall("Bash", { command: [] });
  expect(classify(empty, knowing(empty)).understood).toBe("partly");
});
