import type { CommandSpec } from "./spec.ts";

/**
 * All commands, by their first word, in the order in which help lists them. Agents start commands very often, so a
 * command loads only its own module and what it needs.
 */
const LOADED: { readonly [word: string]: () => Promise<readonly CommandSpec[]> } = {
  up: async () => [(await import("./commands/up.ts")).up],
  init: async () => [(await import("./commands/init.ts")).init],
  status: async () => [(await import("./commands/status.ts")).status],
  demo: async () => [(await import("./commands/demo.ts")).demo],
  check: async () => [(await import("./commands/check.ts")).check],
  run: async () => [(await import("./commands/run.ts")).run],
  why: async () => [(await import("./commands/why.ts")).why],
  inbox: async () => [(await import("./commands/inbox.ts")).inbox],
  approve: async () => [(await import("./commands/answer.ts")).approve],
  deny: async () => [(await import("./commands/answer.ts")).deny],
  show: async () => [(await import("./commands/show.ts")).show],
  grants: async () => (await import("./commands/grants.ts")).grants,
  tools: async () => (await import("./commands/tools.ts")).tools,
  agents: async () => (await import("./commands/agents.ts")).agents,
  people: async () => (await import("./commands/people.ts")).people,
  tokens: async () => (await import("./commands/tokens.ts")).tokens,
  pause: async () => [(await import("./commands/pause.ts")).pause],
  resume: async () => [(await import("./commands/pause.ts")).resume],
  log: async () => [(await import("./commands/log.ts")).log],
  verify: async () => [(await import("./commands/verify.ts")).verify],
  export: async () => [(await import("./commands/export.ts")).exportRecord],
  erase: async () => [(await import("./commands/erase.ts")).erase],
  trust: async () => [(await import("./commands/trust.ts")).trust],
  backup: async () => [(await import("./commands/backup.ts")).backup],
  restore: async () => [(await import("./commands/backup.ts")).restore],
  recover: async () => [(await import("./commands/recover.ts")).recover],
  policy: async () => [
    ...(await import("./commands/policy.ts")).policy,
    ...(await import("./commands/policy-diff.ts")).policyDiffs,
  ],
  import: async () => [(await import("./commands/import.ts")).importPolicy],
  doctor: async () => [(await import("./commands/doctor.ts")).doctor],
  completion: async () => [(await import("./commands/completion.ts")).completionFor(allCommands)],
};

/** For help, completion, and an unknown command. */
export async function allCommands(): Promise<readonly CommandSpec[]> {
  return (await Promise.all(Object.values(LOADED).map((load) => load()))).flat();
}

/** The commands that the first word of the line may name. */
export async function commandsFor([word = ""]: readonly string[]): Promise<readonly CommandSpec[]> {
  if (word === "--version") return [];
  return Object.hasOwn(LOADED, word) ? ((await LOADED[word]?.()) ?? []) : allCommands();
}
