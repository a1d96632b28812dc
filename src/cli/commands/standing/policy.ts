import { resolve } from "node:path";
import { readSettings } from "../../../config/environment.ts";
import { textOf } from "../../../core/messages/text.ts";
import { ineffectiveWords, rulesForOneWay } from "../../../core/policy/check.ts";
import { renderFault } from "../../../core/policy/tree.ts";
import type { Policy } from "../../../core/policy.ts";
import type { PolicyRow } from "../../../core/rows/rows.ts";
import { visible } from "../../../core/values/text.ts";
import { acceptedText, acceptPolicy } from "../../../gate/standing/policy.ts";
import type { FoundPolicy, LoadedPolicy } from "../../../ports.ts";
import { Failure, orFail, shown, usage } from "../../failure.ts";
import { type OpenedGate, POLICY_OPTION, withDatabase } from "../../gate/database.ts";
import { withGate } from "../../gate/with-gate.ts";
import { AS_OPTION, needTerminal, prove } from "../../person.ts";
import { type CommandInput, type CommandSpec, first } from "../../spec.ts";
import { fileText } from "../../terminal/files.ts";
import { policyChangeLines } from "../../views/policy-change.ts";
import { faultLine, inForceText, olderPreset } from "../../views/policy-view.ts";

const FILE = ["[file]", "a policy file (default: the files that are used here)"] as const;

const check: CommandSpec = {
  name: "policy check",
  summary: "check a policy file and show every error with its place",
  args: [FILE],
  examples: ["leeway policy check", "leeway policy check new.yaml"],
  exits: [0, 1, 2],
  act: async (given) => {
    const files = await filesMeant(given);
    const faults = files.flatMap(({ loaded }) => (loaded.ok ? [] : loaded.faults));
    const older = given.args[0] === undefined ? await olderPresets(given) : [];
    const notes = files.flatMap(({ loaded }) =>
      loaded.ok ? [...ineffectiveWords(loaded.policy), ...rulesForOneWay(loaded.policy)] : [],
    );
    const answer = {
      ok: faults.length === 0,
      files: files.map(({ path }) => path),
      faults: faults.map((fault) => renderFault(fault)),
      notes: notes.map(({ at, message, hint }) => ({ at, message: textOf(message, "en"), hint: textOf(hint, "en") })),
      older,
    };
    given.out.answer(answer, () =>
      [
        ...(faults.length > 0 ? faults.map(faultLine) : files.map(({ path }) => `${path}: fine`)),
        ...notes.map(({ at, ...said }) => faultLine({ ...at, ...said })),
        ...older.map(({ path, says, hint }) => `${path}: ${says} (${hint})`),
      ]
        .map(shown)
        .join("\n"),
    );
    return faults.length === 0 ? 0 : 1;
  },
};

const test: CommandSpec = {
  name: "policy test",
  summary: "run the examples of the rules",
  args: [FILE],
  examples: ["leeway policy test"],
  exits: [0, 1, 2],
  act: async (given) => {
    const files = (await filesMeant(given)).map(({ path, loaded }) => ({ path, policy: loadedOrFail(loaded) }));
    // Loading a policy checks its examples, so a wrong one would have been an error above.
    const rules = files.flatMap(({ path, policy }) => policy.rules.map((rule) => ({ path, rule })));
    const examples = rules.map(({ path, rule }) => ({
      path,
      rule: rule.name,
      match: rule.examples.match.length,
      miss: rule.examples.miss.length,
    }));
    const total = examples.reduce((sum, row) => sum + row.match + row.miss, 0);
    given.out.answer({ ok: true, examples: total, rules: examples }, () =>
      [
        ...examples.map((row) => `✓ ${row.rule}: ${row.match} match, ${row.miss} miss`),
        `${total} examples, ${examples.length} rules: all correct${total === 0 ? "; add `examples` to your rules to test them" : ""}`,
      ].join("\n"),
    );
    return 0;
  },
};

const show: CommandSpec = {
  name: "policy show",
  summary: "show the policy in force here, layer by layer",
  options: [POLICY_OPTION],
  examples: ["leeway policy show", "leeway policy show --json"],
  exits: [0, 1, 2],
  act: (given) =>
    withGate(given, async (gate) => {
      const inForce = await gate.policy();
      given.out.answer(inForce, () => inForceText(given.out, inForce, readSettings(given.io.env).workspace));
      return 0;
    }),
};

const accept: CommandSpec = {
  name: "policy accept",
  summary: "accept the policy files of this project as they are now, so that they are used",
  args: [FILE],
  options: [AS_OPTION],
  examples: ["leeway policy accept", "leeway policy accept leeway.yaml"],
  exits: [0, 1, 2, 5],
  act: (given) => {
    const named = given.args[0] === undefined ? undefined : resolve(given.io.cwd, first(given));
    return withDatabase(given, async (deps) => {
      const files = deps.policies.current().files.filter(({ path }) => named === undefined || path === named);
      if (files.length > 0) return acceptFiles(given, deps, files);
      if (named === undefined)
        throw new Failure(1, "there is no policy file to accept here", "`leeway init` writes one");
      fileText(named);
      // A file outside the project is used where a program names it; once accepted, it may also set `assurance: any`.
      const options = { ...given.options, policy: named };
      return withDatabase({ ...given, options }, (there) => acceptFiles(given, there, there.policies.current().files));
    });
  },
};

async function acceptFiles(given: CommandInput, deps: OpenedGate, files: readonly FoundPolicy[]): Promise<number> {
  const shown = files.map(({ path, loaded }) => ({ path, version: loadedOrFail(loaded).version }));
  needTerminal(given.io, "accept a policy");
  for (const file of files) given.out.note(await changeText(given, deps, file));
  const { name } = await prove(given, deps, `accept ${files.map(({ path }) => path).join(", ")}`);
  const accepted: PolicyRow[] = [];
  for (const { path, version } of shown)
    accepted.push(orFail(await acceptPolicy(deps, path, { by: name, assurance: "tty", version })).value);
  given.out.answer(accepted, () => accepted.map(({ path }) => `accepted ${path}`).join("\n"));
  return 0;
}

/** What is accepted, shown before a person proves who they are. */
export async function changeText(
  { out }: CommandInput,
  deps: OpenedGate,
  { path, text }: FoundPolicy,
): Promise<string> {
  const before = await acceptedText(deps, path);
  const heading = before === undefined ? "the whole file" : "what changes";
  return [`${out.colours.bold(visible(path))} (${heading})`, ...policyChangeLines(before, text)].join("\n");
}

export const policy = [check, test, show, accept];

async function filesMeant(given: CommandInput): Promise<readonly { path: string; loaded: LoadedPolicy }[]> {
  const named = given.args[0];
  if (named !== undefined) return [{ path: named, loaded: await policyAt(named) }];
  return withDatabase(given, async (deps: OpenedGate) => {
    const { files } = deps.policies.current();
    if (files.length > 0) return files;
    throw usage("no policy file is used here", "name a file, or run `leeway init` to write leeway.yaml");
  });
}

/** The files that were accepted with an older version of their preset than the newest one. */
async function olderPresets(given: CommandInput): Promise<readonly { path: string; says: string; hint: string }[]> {
  return withDatabase(given, async (deps: OpenedGate) => {
    const { layers } = (await deps.standing.current()).layers;
    return layers.flatMap(({ policy }) => {
      const older = olderPreset(policy);
      return older === undefined ? [] : [{ path: policy.source, ...older }];
    });
  });
}

/** Reads a policy file that was named on the line. */
export async function policyAt(path: string): Promise<LoadedPolicy> {
  const { parsePolicyText } = await import("../../../config/policy/policy-text.ts");
  return parsePolicyText(fileText(path), path);
}

export function loadedOrFail(loaded: LoadedPolicy): Policy {
  if (loaded.ok) return loaded.policy;
  const [fault, ...more] = loaded.faults;
  if (fault?.hint !== undefined && more.length === 0) {
    const { hint, ...bare } = fault;
    throw new Failure(1, faultLine(bare), textOf(hint, "en"));
  }
  throw new Failure(1, loaded.faults.map(faultLine).join("\n"), "correct the file, then run the command again");
}
