import { expect, test } from "vitest";
import { commandCall, knowing } from "../../../test/cases/trying.ts";
import { classify } from "../classify/classify.ts";
import { readCall } from "../classify/reading.ts";

function canBeUndone(command: string): boolean {
  const call = commandCall(command);
  return classify(readCall(call), knowing(call)).parts.every((part) => part.reversible);
}

test("a command that loses work, or changes what others have, cannot be undone", () => {
  const lost = [
    "git push --force",
    "git push -f origin main",
    "git push --forc origin main",
    "git push --force-with-lease=main origin main",
    "git push origin +main",
    "git push origin :main",
    "git push --delete origin main",
    "git push --mirror",
    "git branch -D topic",
    "git branch -f main HEAD~3",
    "git reset --hard",
    "git clean -fdx",
    "git checkout -- a",
    "git checkout .",
    "git checkout -f",
    "git restore a",
    "git stash drop",
    "git stash clear",
    "git reflog expire --expire=now --all",
    "git prune",
    "git update-ref -d refs/heads/a",
    "git filter-branch --tree-filter true HEAD",
    "gh repo delete a/b",
    "psql -c 'drop table a'",
    "psql -c 'delete from a'",
    "psql -c 'truncate a'",
    "redis-cli flushall",
    "aws s3 rm s3://a --recursive",
    "kubectl delete pod a",
    "terraform destroy",
    "docker volume rm a",
    "dropdb a",
  ];
  expect(lost.filter(canBeUndone)).toEqual([]);
});

test("a command whose result git still keeps can be undone", () => {
  const kept = [
    "git push origin main",
    "git commit -m x",
    "git add .",
    "git branch topic",
    "git branch -d topic",
    "git reset --soft HEAD~1",
    "git restore --staged a",
    "git switch main",
    "git stash",
    "git merge topic",
    "git tag v1",
  ];
  expect(kept.filter((command) => !canBeUndone(command))).toEqual([]);
});
