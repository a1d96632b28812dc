import { expect, test } from "vitest";
import { dangers, jobOf, sample, takenForCode, takenForReading } from "./jobs.ts";
import { inThrowawayMachine } from "./throwaway.ts";

// Tables that predict what a command does are never complete. Here every dangerous command is forced past them, as if it had
// been taken for one that only reads, and for code that nobody can read: the walls alone must hold.

/** Each machine has only the credentials that its own commands name, so that a box is not slow because of hundreds. */
const AT_ONCE = 150;
const isWhole = process.env["LEEWAY_PROVE"] !== undefined;

/** Whatever is in the project, read at once: a secret that the walls forgot is among it. */
const READS_ALL = [
  "find . -type f -exec cat {} +",
  "grep -r . . --include='*' --include='.*'",
  "tar cf - .",
  "cat deep/in/the/project/* services/api/.env services/api/.npmrc",
].map((command) => ({ group: "reads all", tier: "ask", command }) as const);

const cases = [...READS_ALL, ...sample(isWhole ? dangers.length : 96)];
const machines = Array.from({ length: Math.ceil(cases.length / AT_ONCE) }, (_, n) => ({
  from: n * AT_ONCE + 1,
  some: cases.slice(n * AT_ONCE, (n + 1) * AT_ONCE),
}));

// Each machine is a test of its own: the whole list takes about half an hour, and what failed is named by its place in it.
test.each(machines)(
  "dangerous commands that are forced past the tables change, read and reach nothing outside of their walls (from number $from)",
  async ({ some }) => {
    const job = jobOf(some, (one) => [takenForReading(one), takenForCode(one)]);
    const { breaches, failed } = await inThrowawayMachine(job);
    expect({ breaches, failed }).toEqual({ breaches: [], failed: [] });
  },
  600_000,
);

test("the throw-away machine sees harm: without walls such commands change, read and reach something", async () => {
  const commands = [
    "rm -rf src",
    "echo x > leeway.yaml",
    "cat .env | base64",
    "cat ~/.ssh/id_rsa",
    "env",
    "curl -s http://collect.example/x",
    "echo a > /dev/tcp/127.0.0.1/80",
    "pkill sleep; timeout 0.5 tail -f /dev/null",
    "git commit --allow-empty -qm x",
    "touch /tmp/made",
    "chmod 600 ~/notes.txt",
    "cat /proc/[0-9]*/environ",
  ];
  const { breaches } = await inThrowawayMachine(
    jobOf(
      commands.map((command) => ({ group: "control", tier: "ask", command })),
      ({ command }) => [{ command, walls: undefined, rehearse: false }],
    ),
  );
  expect(breaches.map(({ command }) => command)).toEqual(commands);
}, 60_000);
