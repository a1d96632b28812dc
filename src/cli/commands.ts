import { agents } from "./commands/agents.ts";
import { approve, deny } from "./commands/answer.ts";
import { backup, restore } from "./commands/backup.ts";
import { check } from "./commands/check.ts";
import { completionFor } from "./commands/completion.ts";
import { demo } from "./commands/demo.ts";
import { doctor } from "./commands/doctor.ts";
import { erase } from "./commands/erase.ts";
import { exportRecord } from "./commands/export.ts";
import { grants } from "./commands/grants.ts";
import { importPolicy } from "./commands/import.ts";
import { inbox } from "./commands/inbox.ts";
import { init } from "./commands/init.ts";
import { log } from "./commands/log.ts";
import { pause, resume } from "./commands/pause.ts";
import { people } from "./commands/people.ts";
import { policy } from "./commands/policy.ts";
import { policyDiffs } from "./commands/policy-diff.ts";
import { recover } from "./commands/recover.ts";
import { run } from "./commands/run.ts";
import { show } from "./commands/show.ts";
import { status } from "./commands/status.ts";
import { tokens } from "./commands/tokens.ts";
import { tools } from "./commands/tools.ts";
import { trust } from "./commands/trust.ts";
import { up } from "./commands/up.ts";
import { verify } from "./commands/verify.ts";
import { why } from "./commands/why.ts";
import type { CommandSpec } from "./spec.ts";

/** Every command there is, in the order that help lists them. */
export const COMMANDS: readonly CommandSpec[] = [
  up,
  init,
  status,
  demo,
  check,
  run,
  why,
  inbox,
  approve,
  deny,
  show,
  ...grants,
  ...tools,
  ...agents,
  ...people,
  ...tokens,
  pause,
  resume,
  log,
  verify,
  exportRecord,
  erase,
  trust,
  backup,
  restore,
  recover,
  ...policy,
  ...policyDiffs,
  importPolicy,
  doctor,
  completionFor(() => COMMANDS),
];
