import { once } from "../../values/once.ts";
import { type FactTable, namesIn, type Paragraph, paragraphsNaming, paragraphsOf } from "../facts.ts";
import { CONTAINER_PROGRAMS } from "./cloud/containers.ts";
import { INFRASTRUCTURE_PROGRAMS } from "./cloud/infrastructure.ts";
import { KUBERNETES_PROGRAMS } from "./cloud/kubernetes.ts";
import { PASSWORD_PROGRAMS } from "./cloud/passwords.ts";
import { PROVIDER_PROGRAMS } from "./cloud/providers.ts";
import { DATA_PROGRAMS } from "./data.ts";
import { AGENT_PROGRAMS } from "./dev/agents.ts";
import { COMPILER_PROGRAMS } from "./dev/compilers.ts";
import { GO_PROGRAMS } from "./dev/go.ts";
import { JAVA_PROGRAMS } from "./dev/java.ts";
import { JAVASCRIPT_PROGRAMS } from "./dev/javascript.ts";
import { LANGUAGE_PROGRAMS } from "./dev/languages.ts";
import { LINTER_PROGRAMS } from "./dev/linters.ts";
import { MEDIA_PROGRAMS } from "./dev/media.ts";
import { NPM_PROGRAMS } from "./dev/npm.ts";
import { PYTHON_PROGRAMS } from "./dev/python.ts";
import { RUST_PROGRAMS } from "./dev/rust.ts";
import { ARCHIVE_PROGRAMS } from "./files/archives.ts";
import { FILE_CHANGING_PROGRAMS } from "./files/changing.ts";
import { EDITING_PROGRAMS } from "./files/editing.ts";
import { LINE_PROGRAMS } from "./files/lines.ts";
import { FILE_READING_PROGRAMS } from "./files/reading.ts";
import { GIT_EXCHANGE_PROGRAMS } from "./git/exchange.ts";
import { FORGE_PROGRAMS } from "./git/forges.ts";
import { GIT_HISTORY_PROGRAMS } from "./git/history.ts";
import { VERSION_CONTROL_PROGRAMS } from "./git/others.ts";
import { GIT_UPKEEP_PROGRAMS } from "./git/upkeep.ts";
import { GIT_WORK_PROGRAMS } from "./git/work.ts";
import { ENCRYPTION_PROGRAMS } from "./network/encryption.ts";
import { HOST_PROGRAMS } from "./network/hosts.ts";
import { REQUEST_PROGRAMS } from "./network/requests.ts";
import { NETWORK_SETTING_PROGRAMS } from "./network/settings.ts";
import { rowFrom } from "./read-row.ts";
import { READER_PROGRAMS } from "./readers.ts";
import type { ProgramRow } from "./row.ts";
import { SHELL_PROGRAMS } from "./shells/shells.ts";
import { WRAPPER_PROGRAMS } from "./shells/wrappers.ts";
import { ACCOUNT_PROGRAMS } from "./system/accounts.ts";
import { DESKTOP_PROGRAMS } from "./system/desktop.ts";
import { DISK_PROGRAMS } from "./system/disks.ts";
import { MACHINE_PROGRAMS } from "./system/machine.ts";
import { PACKAGE_PROGRAMS } from "./system/packages.ts";
import { PROCESS_PROGRAMS } from "./system/processes.ts";
import { SERVICE_PROGRAMS } from "./system/services.ts";
import { UTILITY_PROGRAMS } from "./utilities.ts";

/** The tables of programs, one for each family. */
export const PROGRAM_TABLES: readonly FactTable[] = [
  { file: "programs/data.ts", text: DATA_PROGRAMS },
  { file: "programs/cloud/containers.ts", text: CONTAINER_PROGRAMS },
  { file: "programs/cloud/kubernetes.ts", text: KUBERNETES_PROGRAMS },
  { file: "programs/cloud/infrastructure.ts", text: INFRASTRUCTURE_PROGRAMS },
  { file: "programs/cloud/providers.ts", text: PROVIDER_PROGRAMS },
  { file: "programs/cloud/passwords.ts", text: PASSWORD_PROGRAMS },
  { file: "programs/dev/javascript.ts", text: JAVASCRIPT_PROGRAMS },
  { file: "programs/dev/npm.ts", text: NPM_PROGRAMS },
  { file: "programs/dev/python.ts", text: PYTHON_PROGRAMS },
  { file: "programs/dev/languages.ts", text: LANGUAGE_PROGRAMS },
  { file: "programs/dev/rust.ts", text: RUST_PROGRAMS },
  { file: "programs/dev/go.ts", text: GO_PROGRAMS },
  { file: "programs/dev/java.ts", text: JAVA_PROGRAMS },
  { file: "programs/dev/compilers.ts", text: COMPILER_PROGRAMS },
  { file: "programs/dev/linters.ts", text: LINTER_PROGRAMS },
  { file: "programs/dev/agents.ts", text: AGENT_PROGRAMS },
  { file: "programs/dev/media.ts", text: MEDIA_PROGRAMS },
  { file: "programs/files/reading.ts", text: FILE_READING_PROGRAMS },
  { file: "programs/files/changing.ts", text: FILE_CHANGING_PROGRAMS },
  { file: "programs/files/lines.ts", text: LINE_PROGRAMS },
  { file: "programs/files/editing.ts", text: EDITING_PROGRAMS },
  { file: "programs/files/archives.ts", text: ARCHIVE_PROGRAMS },
  { file: "programs/system/machine.ts", text: MACHINE_PROGRAMS },
  { file: "programs/system/services.ts", text: SERVICE_PROGRAMS },
  { file: "programs/system/disks.ts", text: DISK_PROGRAMS },
  { file: "programs/system/processes.ts", text: PROCESS_PROGRAMS },
  { file: "programs/system/accounts.ts", text: ACCOUNT_PROGRAMS },
  { file: "programs/system/packages.ts", text: PACKAGE_PROGRAMS },
  { file: "programs/system/desktop.ts", text: DESKTOP_PROGRAMS },
  { file: "programs/git/history.ts", text: GIT_HISTORY_PROGRAMS },
  { file: "programs/git/work.ts", text: GIT_WORK_PROGRAMS },
  { file: "programs/git/upkeep.ts", text: GIT_UPKEEP_PROGRAMS },
  { file: "programs/git/exchange.ts", text: GIT_EXCHANGE_PROGRAMS },
  { file: "programs/git/forges.ts", text: FORGE_PROGRAMS },
  { file: "programs/git/others.ts", text: VERSION_CONTROL_PROGRAMS },
  { file: "programs/network/requests.ts", text: REQUEST_PROGRAMS },
  { file: "programs/network/hosts.ts", text: HOST_PROGRAMS },
  { file: "programs/network/settings.ts", text: NETWORK_SETTING_PROGRAMS },
  { file: "programs/network/encryption.ts", text: ENCRYPTION_PROGRAMS },
  { file: "programs/shells/shells.ts", text: SHELL_PROGRAMS },
  { file: "programs/shells/wrappers.ts", text: WRAPPER_PROGRAMS },
  { file: "programs/readers.ts", text: READER_PROGRAMS },
  { file: "programs/utilities.ts", text: UTILITY_PROGRAMS },
];

/** Programs and subcommands that share a row, which is parsed on first use. */
export type NamedRow = { readonly names: readonly string[]; readonly row: () => ProgramRow };

/** What the tables say about a program and its subcommands. */
export function rowsOf(program: string): NamedRow[] {
  return paragraphsOfProgram(program).map((paragraph) => ({
    names: namesIn(paragraph),
    row: once(() => rowFrom(paragraph)),
  }));
}

/** A command names few programs, and searching the texts is faster than building the index. A server names many. */
const SEARCHED_MAX = 16;
let searched = 0;

function paragraphsOfProgram(program: string): readonly Paragraph[] {
  if (searched >= SEARCHED_MAX) return index().get(program) ?? [];
  searched++;
  return PROGRAM_TABLES.flatMap((table) => paragraphsNaming(table, program));
}

const index = once(() => {
  const made = new Map<string, Paragraph[]>();
  for (const paragraph of PROGRAM_TABLES.flatMap(paragraphsOf)) {
    for (const program of new Set(namesIn(paragraph).map((name) => name.split(" ", 1)[0] ?? ""))) {
      const held = made.get(program);
      if (held === undefined) made.set(program, [paragraph]);
      else held.push(paragraph);
    }
  }
  return made;
});
