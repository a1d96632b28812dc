import { once } from "../values/once.ts";
import { AGENT_HOST_ROWS } from "./protected/agent-hosts.ts";
import { BUILDS, HIDDEN_BUILDS, HIDDEN_PLAIN, HIDDEN_SETTINGS, SHIPPED } from "./protected/build-names.ts";
import { BUILD_ROWS } from "./protected/builds.ts";
import { CREDENTIAL_NAMES, CREDENTIALS } from "./protected/credential-names.ts";
import { CREDENTIAL_ROWS } from "./protected/credentials.ts";
import { AGENT_HOSTS, AGENTS, EDITORS, HOOKS, SHELLS } from "./protected/obeyed-names.ts";
import { PROJECT_SETTING_ROWS } from "./protected/project-settings.ts";
import { deploy, type ProtectedRow, permissions, secrets } from "./protected/row.ts";
import { START_UP_ROWS } from "./protected/start-up.ts";

// Every protected path, in one list. Rows say something specific about each path; names only say the kind of file.
// The groups of this list are in the files of `protected/`.

type Kind = Pick<ProtectedRow, "write" | "read" | "not" | "leads" | "what">;

/** A row for each pattern. */
function rowsOf(paths: readonly string[], kind: Kind): readonly ProtectedRow[] {
  // An ordinary folder that only contains a protected file may be moved.
  const ordinary: Kind = { ...kind, leads: false };
  return paths.map((path) => ({ path, ...(path.startsWith(".") ? kind : ordinary) }));
}

const OWN_ROWS = [AGENT_HOST_ROWS, START_UP_ROWS, CREDENTIAL_ROWS, PROJECT_SETTING_ROWS, BUILD_ROWS];

const LISTS: readonly (readonly [paths: readonly string[], kind: Kind])[] = [
  [CREDENTIALS, { write: permissions, read: secrets, what: "credentials" }],
  [CREDENTIAL_NAMES, { read: secrets, what: "credentials" }],
  [AGENTS, { write: permissions, what: "agent_instructions" }],
  [AGENT_HOSTS, { write: permissions, what: "agent_host_settings" }],
  [EDITORS, { write: permissions, what: "editor_settings" }],
  [SHELLS, { write: permissions, what: "shell_start_up" }],
  [HOOKS, { write: permissions, leads: false, what: "git_hooks" }],
  [BUILDS, { write: deploy, leads: false, what: "build_or_test" }],
  [SHIPPED, { write: deploy, leads: false, what: "shipped" }],
  [
    HIDDEN_SETTINGS,
    { write: deploy, leads: false, not: `${HIDDEN_PLAIN} ${HIDDEN_BUILDS}`, what: "settings_that_run_code" },
  ],
];

export const protectedRows = once((): readonly ProtectedRow[] => rowsThat(() => true));

/** The rows that matter for reading: most calls only read. */
export const readRows = once((): readonly ProtectedRow[] => rowsThat(({ read }) => read !== undefined));

function rowsThat(fits: (kind: Kind) => boolean): readonly ProtectedRow[] {
  return [
    ...OWN_ROWS.flatMap((rows) => rows.filter(fits)),
    ...LISTS.flatMap(([paths, kind]) => (fits(kind) ? rowsOf(paths, kind) : [])),
  ];
}
