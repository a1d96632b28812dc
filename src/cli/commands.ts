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
  check: async () => [(await import("./commands/calls/check.ts")).check],
  hook: async () => [(await import("./commands/calls/hook.ts")).hook],
  mcp: async () => (await import("./commands/mcp.ts")).mcp,
  run: async () => [(await import("./commands/calls/run.ts")).run],
  box: async () => [
    (await import("./commands/calls/box.ts")).box,
    ...(await import("./commands/calls/kept.ts")).kept,
    (await import("./commands/calls/tools.ts")).boxTools,
  ],
  plan: async () => [(await import("./commands/calls/plan.ts")).plan],
  undo: async () => [(await import("./commands/calls/undo.ts")).undo],
  why: async () => [(await import("./commands/calls/why.ts")).why],
  inbox: async () => [(await import("./commands/calls/inbox.ts")).inbox],
  approve: async () => [(await import("./commands/calls/answer.ts")).approve],
  deny: async () => [(await import("./commands/calls/answer.ts")).deny],
  reply: async () => [(await import("./commands/calls/triage.ts")).reply],
  handover: async () => [(await import("./commands/calls/triage.ts")).handover],
  snooze: async () => [(await import("./commands/calls/triage.ts")).snooze],
  show: async () => [(await import("./commands/calls/show.ts")).show],
  sessions: async () => [(await import("./commands/calls/sessions.ts")).sessions],
  grants: async () => (await import("./commands/standing/grants.ts")).grants,
  tools: async () => (await import("./commands/standing/tools.ts")).tools,
  agents: async () => (await import("./commands/standing/agents.ts")).agents,
  people: async () => (await import("./commands/standing/people.ts")).people,
  tokens: async () => (await import("./commands/standing/tokens.ts")).tokens,
  workspaces: async () => (await import("./commands/workspaces.ts")).workspaces,
  channels: async () => (await import("./commands/standing/channels.ts")).channels,
  notices: async () => (await import("./commands/standing/notices.ts")).notices,
  pause: async () => [(await import("./commands/standing/pause.ts")).pause],
  resume: async () => [(await import("./commands/standing/pause.ts")).resume],
  log: async () => [(await import("./commands/record/log.ts")).log],
  verify: async () => [(await import("./commands/record/verify.ts")).verify],
  export: async () => [(await import("./commands/record/export.ts")).exportRecord],
  erase: async () => [(await import("./commands/record/erase.ts")).erase],
  trust: async () => [(await import("./commands/record/trust.ts")).trust],
  backup: async () => [(await import("./commands/record/backup.ts")).backup],
  restore: async () => [(await import("./commands/record/backup.ts")).restore],
  recover: async () => [(await import("./commands/record/recover.ts")).recover],
  "migrate-store": async () => [(await import("./commands/record/migrate-store.ts")).migrateStore],
  policy: async () => [
    ...(await import("./commands/standing/policy.ts")).policy,
    ...(await import("./commands/standing/policy-diff.ts")).policyDiffs,
  ],
  import: async () => [(await import("./commands/standing/import.ts")).importPolicy],
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
