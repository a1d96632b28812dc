import { expect, test } from "vitest";
import { commandMatches, commandPattern } from "./patterns.ts";

function matches(pattern: string, line: string): boolean {
  return commandMatches(commandPattern(pattern), line.split(" "));
}

function split(pattern: string, lines: readonly string[]) {
  return { hit: lines.filter((line) => matches(pattern, line)), miss: lines.filter((line) => !matches(pattern, line)) };
}

test("an option matches anywhere after its command word and in every spelling", () => {
  const hit = [
    "git push --force origin main",
    "git push -f",
    "git push origin main --force",
    "git -C sub push --force",
    "git -c user.name=x push -uf origin",
    "/usr/bin/git push -f",
    "git push --force=true",
  ];
  const miss = [
    "git push origin main",
    "git push -- --force",
    "git pull --force",
    "./git push -f",
    "git push --force-with-lease",
  ];
  expect(split("git push --force *", [...hit, ...miss])).toEqual({ hit, miss });
});

test("a cluster of short options matches each of them", () => {
  const hit = ["rm -rf x", "rm -fr x", "rm -r -f x", "rm --recursive --force x", "rm x -Rf"];
  const miss = ["rm -r x", "rm -f x", "rm x"];
  expect(split("rm -rf *", [...hit, ...miss])).toEqual({ hit, miss });
});

test("a pattern that does not end with a star matches only the whole command", () => {
  const hit = ["git push", "/usr/bin/git push"];
  const miss = ["git push origin", "git push -f", "git -C sub push", "git"];
  expect(split("git push", [...hit, ...miss])).toEqual({ hit, miss });
});

test("an option with a value matches that value under every spelling", () => {
  const hit = [
    "kubectl -n prod delete pod x",
    "kubectl --namespace prod delete pod x",
    "kubectl --namespace=prod delete pod x",
  ];
  const miss = ["kubectl -n test delete pod x", "kubectl delete pod x"];
  expect(split("kubectl -n prod delete *", [...hit, ...miss])).toEqual({ hit, miss });
});

test("a long option may be abbreviated if the program allows it", () => {
  expect(split("git reset --hard *", ["git reset --har HEAD", "git reset --soft"])).toEqual({
    hit: ["git reset --har HEAD"],
    miss: ["git reset --soft"],
  });
});

test("a star inside a word matches only within that word", () => {
  expect(split("npm run test:*", ["npm run test:unit", "npm run build", "npm run test:unit extra"])).toEqual({
    hit: ["npm run test:unit"],
    miss: ["npm run build", "npm run test:unit extra"],
  });
});
