// What a report of vitest says in numbers, and the failures by name: whoever sees only the end of a long log sees what failed.
import { readFileSync } from "node:fs";

/** The first lines of a failure, without colours. */
const brief = (message) =>
  message
    .replace(/\u001b\[[0-9;]*m/g, "")
    .split("\n")
    .slice(0, 6)
    .map((line) => `    ${line.slice(0, 300)}`)
    .join("\n");

function failuresOf(file) {
  const inside = file.assertionResults
    .filter(({ status }) => status === "failed")
    .map((one) => ({
      file: file.name,
      test: `${file.name} > ${one.fullName}`,
      why: brief(one.failureMessages?.[0] ?? ""),
    }));
  // A file that could not be loaded or set up has no failed test, and is a failure all the same.
  if (inside.length === 0 && file.status === "failed")
    return [{ file: file.name, test: file.name, why: brief(file.message ?? "") }];
  return inside;
}

/** `{ passed, failures }` of one report. A report that cannot be read is a failure. */
export function totalsOf(report) {
  try {
    const read = JSON.parse(readFileSync(report, "utf8"));
    return { passed: read.numPassedTests, failures: read.testResults.flatMap(failuresOf) };
  } catch (error) {
    return { passed: 0, failures: [{ test: "the test report could not be read", why: `    ${error.message}` }] };
  }
}

/** More files than this fail by no accident of a busy machine. */
export const AGAIN_MAX = 20;

/**
 * What the tests of some files say when they run a second time, with the machine for themselves. A test that fails only beside
 * others is not steady: it is named, and somebody has to mend it, but it does not say that the promise is broken.
 */
export function settled(first, second) {
  const isSame = (one) => (other) => other.test === one.test;
  // A file that could not be loaded says nothing of its tests, and a report that cannot be read says nothing of any file.
  const isUnsaid = ({ file }) => second.failures.some((one) => one.file === undefined || one.test === file);
  const isBroken = (one) => isUnsaid(one) || second.failures.some(isSame(one));
  const unsteady = first.failures.filter((one) => !isBroken(one));
  const isNew = (one) => !first.failures.some(isSame(one));
  const failures = [...first.failures.filter(isBroken), ...second.failures.filter(isNew)];
  const total = first.passed + first.failures.length;
  return { passed: total - failures.length, failures, unsteady };
}

/** The end of a run: every failure, then the totals on a line of their own. */
export function tellTotals({ passed, failures, unsteady = [] }) {
  for (const { test, why } of unsteady) process.stdout.write(`\nunsteady (passed alone): ${test}\n${why}\n`);
  for (const { test, why } of failures) process.stdout.write(`\nfailed: ${test}\n${why}\n`);
  process.stdout.write(`\n${passed} passed, ${failures.length} failed\n`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}
