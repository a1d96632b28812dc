import { expect, test } from "vitest";
import { heardLimit, heardRefusals, sayRefusals } from "./refusals.ts";

test.each([
  ["touch: cannot touch 'a b': Read-only file system", [{ of: "write", path: "/p/a b" }]],
  ["bash: line 1: /etc/x: Read-only file system", [{ of: "write", path: "/etc/x" }]],
  ["Error: EROFS: read-only file system, open '/etc/y'", [{ of: "write", path: "/etc/y" }]],
  ["OSError: [Errno 30] Read-only file system: 'z'", [{ of: "write", path: "/p/z" }]],
  ["it is a read-only file system", [{ of: "write", path: "" }]],
  ["curl: (6) Could not resolve host: api.example.com", [{ of: "network", domain: "api.example.com" }]],
  ["getaddrinfo EAI_AGAIN registry.example", [{ of: "network", domain: "registry.example" }]],
  ["connect: Network is unreachable", [{ of: "network", domain: "" }]],
  ["3 tests failed", []],
])("%s", (errors, expected) => {
  expect(heardRefusals(errors, "/p")).toEqual(expected);
});

test("what was refused is said in sentences that tell what to do", () => {
  expect(
    sayRefusals([
      { of: "network", domain: "api.example.com" },
      { of: "write", path: "/etc/x" },
      { of: "change", path: "/p/pipe", why: "it is a pipe" },
    ]),
  ).toBe(
    "The network is closed in this box: api.example.com; a domain can be added to box.network in leeway.yaml. " +
      "This box does not let the program write there: /etc/x; a folder can be added to box.write in leeway.yaml. " +
      "Left out, because it cannot be applied: /p/pipe (it is a pipe). All other changes count.",
  );
  expect(sayRefusals([{ of: "write", path: "/etc/x" }], { isByHand: true })).toBe(
    "This box does not let the program write there: /etc/x.",
  );
  expect(sayRefusals([])).toBe("");
});

test.each([
  "sh: 1: Cannot fork",
  "bash: fork: retry: Resource temporarily unavailable",
  "Error: spawn /usr/bin/git EAGAIN",
  "RuntimeError: can't start new thread",
  "java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory or process/resource limits reached",
])("%s is heard as the limit of processes", (errors) => {
  expect(heardLimit(errors, 100)).toEqual([{ of: "limit", limit: "processes", max: 100 }]);
});

test("a file that is not ready is not heard as a limit", () => {
  expect(heardLimit("BlockingIOError: [Errno 11] Resource temporarily unavailable", 100)).toEqual([]);
});
