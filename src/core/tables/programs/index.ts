import { ARCHIVE_ROWS } from "./archives.ts";
import { CLOUD_ROWS } from "./cloud.ts";
import { DATA_ROWS } from "./data.ts";
import { DEV_ROWS } from "./dev.ts";
import { FILE_ROWS } from "./files.ts";
import { GIT_ROWS } from "./git.ts";
import { MACHINE_ROWS } from "./machine.ts";
import { NETWORK_ROWS } from "./network.ts";
import type { ProgramRow } from "./row.ts";
import { SHELL_ROWS } from "./shells.ts";
import { SYSTEM_ROWS } from "./system.ts";
import { UTILITY_ROWS } from "./utilities.ts";

export const PROGRAM_ROWS: readonly ProgramRow[] = [
  ...DATA_ROWS,
  ...CLOUD_ROWS,
  ...DEV_ROWS,
  ...ARCHIVE_ROWS,
  ...MACHINE_ROWS,
  ...SYSTEM_ROWS,
  ...FILE_ROWS,
  ...GIT_ROWS,
  ...NETWORK_ROWS,
  ...SHELL_ROWS,
  ...UTILITY_ROWS,
];
