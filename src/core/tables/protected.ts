import { AGENT_HOST_ROWS } from "./protected/agent-hosts.ts";
import { BUILDS, HIDDEN_PLAIN, HIDDEN_SETTINGS, SHIPPED } from "./protected/build-names.ts";
import { BUILD_ROWS } from "./protected/builds.ts";
import { CREDENTIAL_NAMES, CREDENTIALS } from "./protected/credential-names.ts";
import { CREDENTIAL_ROWS } from "./protected/credentials.ts";
import { AGENT_HOSTS, AGENTS, EDITORS, HOOKS, SHELLS } from "./protected/obeyed-names.ts";
import { PROJECT_SETTING_ROWS } from "./protected/project-settings.ts";
import { deploy, type ProtectedRow, permissions, secrets } from "./protected/row.ts";
import { START_UP_ROWS } from "./protected/start-up.ts";

// Every path that is more than a file, in one list. Rows say something of their own of each path; names say only of
// which kind a file is.

type Kind = Pick<ProtectedRow, "write" | "read" | "not" | "leads" | "what">;

/** A row for each pattern, with a path that fits it. */
function rowsOf(paths: readonly string[], kind: Kind): readonly ProtectedRow[] {
  return paths.map((path) => ({
    path,
    ...kind,
    // A folder with an ordinary name, which only leads there, may be moved.
    ...(path.startsWith(".") ? {} : { leads: false as const }),
    example: `/home/ana/${path.replace(/\*\*$/, "a").replaceAll("*", "a")}`,
  }));
}

export const PROTECTED_ROWS: readonly ProtectedRow[] = [
  ...AGENT_HOST_ROWS,
  ...START_UP_ROWS,
  ...CREDENTIAL_ROWS,
  ...PROJECT_SETTING_ROWS,
  ...BUILD_ROWS,
  ...rowsOf(CREDENTIALS, { write: permissions, read: secrets, what: "credentials" }),
  ...rowsOf(CREDENTIAL_NAMES, { read: secrets, what: "credentials" }),
  ...rowsOf(AGENTS, { write: permissions, what: "what an agent is told" }),
  ...rowsOf(AGENT_HOSTS, { write: permissions, what: "settings of an agent host" }),
  ...rowsOf(EDITORS, { write: permissions, what: "settings of the editor" }),
  ...rowsOf(SHELLS, { write: permissions, what: "a shell start-up file" }),
  ...rowsOf(HOOKS, { write: permissions, leads: false, what: "hooks of git" }),
  ...rowsOf(BUILDS, { write: deploy, leads: false, what: "what a build or a test runs" }),
  ...rowsOf(SHIPPED, { write: deploy, leads: false, what: "what is built and shipped" }),
  ...rowsOf(HIDDEN_SETTINGS, { write: deploy, leads: false, not: HIDDEN_PLAIN, what: "settings that run code" }),
];
