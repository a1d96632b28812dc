import { expect, test } from "vitest";
import { commandCall, knowing } from "../../../test/cases/trying.ts";
import { classify } from "../classify/classify.ts";
import { readCall } from "../classify/reading.ts";
import { graver } from "../effect.ts";

/** The classes of all parts, and whether it was understood. */
function found(command: string): string {
  const call = commandCall(command);
  const { parts, understood } = classify(readCall(call), knowing(call));
  return `${[...new Set(parts.map((part) => part.class))].sort().join(" ")} ${understood}`;
}

test("a class that changes something is more serious than a class that only reads", () => {
  expect(graver("network.read", "process.exec")).toBe("process.exec");
  expect(graver("fs.write", "db.read")).toBe("fs.write");
  expect(graver("db.read", "fs.read")).toBe("db.read");
  expect(graver("process.exec", "secrets.read")).toBe("secrets.read");
});

test("an option that makes a program harmless counts only in its exact spelling and without a value", () => {
  expect(found("terraform fmt -check")).toBe("fs.read fully");
  expect(found("terraform fmt -check=false")).toBe("fs.read partly");
  expect(found("docker compose config --services")).toBe("fs.read fully");
  expect(found("docker compose config --services=false")).toBe("fs.read partly");
  expect(found("git clean --dry -f")).toBe("fs.delete partly");
});

test("a program that runs a given file is not made harmless by an option such as --version", () => {
  for (const command of [
    "node a.js --version",
    "python a.py --help",
    "java -jar a.jar -version",
    "make --version all",
  ]) {
    expect(found(command)).toContain("process.exec");
  }
});

test("a program that may be a copy in the project runs the project's code even for --version", () => {
  for (const command of [
    "./gradlew --version",
    "jest --version",
    "pytest --version",
    "rails --version",
    "yarn --version",
  ]) {
    expect(found(command)).toBe("process.exec fully");
  }
});

test("names that come from another program's output may be subcommands, resources or hosts", () => {
  const handed = [
    "docker",
    "gh",
    "git",
    "pip",
    "npm",
    "kubectl get",
    "nslookup",
    "gh api",
    "docker compose",
    "redis-cli",
  ];
  expect(handed.filter((command) => found(`ls | xargs ${command}`).endsWith("fully"))).toEqual([]);
});

test("a single dash means the standard input or output, not a file", () => {
  expect(found("curl -o - https://a.example")).toBe("network.read fully");
  expect(found("wget -O- https://a.example")).toBe("network.read fully");
  expect(found("rm -")).toBe("fs.delete fully");
});

test("an address without quotes is an address, although the shell could read its characters as a pattern", () => {
  expect(found("curl http://169.254.169.254/?a=b")).toBe("network.read secrets.read fully");
  expect(found("curl http://169.254.169.25[4]/")).toContain("partly");
});
