import { expect, test } from "vitest";
import { understand } from "./understand.ts";

/** The classes of all commands of a line; a `?` after them if something is in doubt. */
function said(line: string): string {
  const { lines, doubts, readable } = understand({ line });
  const sure = readable && doubts.length === 0 && lines.every((one) => one.doubts.size === 0);
  return lines.map((one) => one.class).join(" ") + (sure ? "" : " ?");
}

test("a known program that is only called for its help or version does nothing else", () => {
  const asked = ["rm --help", "chmod --version", "tar --version", "kubectl apply --help", "helm uninstall --help"];
  expect(asked.map(said)).toEqual(asked.map(() => "none"));
});

test("with another word, a shorter option name, or a program outside the table, the decision is not looser", () => {
  expect(said("rm --help a")).toBe("fs.delete");
  expect(said("rm a --help")).toBe("fs.delete");
  expect(said("rm -- --help")).toBe("fs.delete");
  expect(said("kubectl delete pods --version")).not.toBe("none");
  expect(said("jest --version")).toBe("process.exec");
  expect(said("./run --help")).toBe("process.exec");
  expect(said("ls | xargs rm --help")).not.toContain("none none");
  expect(said("alias rm=x; rm --help")).toMatch(/\?$/);
});
