import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { leeway, type Machine } from "./program.ts";
import { type Screen, screen } from "./screen.ts";

export const PASSPHRASE = "correct horse";

/** Ana is set up as the only admin, with a policy that asks about everything that matters here. */
export async function setUpAna(on: Machine, policy = ASKING): Promise<void> {
  writeFileSync(join(on.project, "leeway.yaml"), policy);
  writeFileSync(join(on.home, "passphrase.txt"), `${PASSPHRASE}\n`);
  const ran = await leeway(on, [
    "init",
    "--yes",
    "--name",
    "ana",
    "--password-file",
    join(on.home, "passphrase.txt"),
    "--json",
  ]);
  expect({ code: ran.code, stdout: JSON.parse(ran.stdout) }).toEqual({
    code: 0,
    stdout: {
      policy: join(on.project, "leeway.yaml"),
      wrotePolicy: false,
      firstPerson: "ana",
      accepted: true,
      adopted: [],
      changed: true,
    },
  });
}

export const ASKING = `version: 1
tiers:
  fs.read: auto
  fs.write: notify
  git.push: suggest
  memo: shadow
tools:
  memo: { class: metadata.write }
tier: ask
rules:
  - name: never-wipe
    match: { command: "rm -rf *" }
    tier: deny
    because: trees are not an agent's business
approvals: { selfReview: true }
`;

/** Runs a command in a terminal as ana, types the passphrase when it is asked for, and returns how it ended. */
export async function asAna(on: Machine, args: readonly string[]): Promise<{ code: number; text: string }> {
  const shown = screen(on, [...args, "--as", "ana"], { columns: 120 });
  await shown.shows("passphrase of ana");
  shown.type(`${PASSPHRASE}\r`);
  return ended(shown);
}

export async function ended(shown: Screen): Promise<{ code: number; text: string }> {
  const code = await shown.ended;
  return { code, text: await shown.settled() };
}

/** The only open question, as a program would find it. */
export async function openQuestion(on: Machine): Promise<{ id: string; digest: string }> {
  for (let tries = 0; tries < 400; tries++) {
    const [only] = JSON.parse((await leeway(on, ["inbox", "--json"])).stdout).questions;
    if (only !== undefined) return only;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("no question was opened");
}
