import { userInfo } from "node:os";
import { SettingError } from "./setting-error.ts";

/** Refuses a file of another user: whoever can write it decides what runs with the rights of this program. */
export function refuseOthersFile(file: string, { uid }: { uid: number }): void {
  if (process.getuid === undefined || uid === process.getuid()) return;
  const owner = uid === 0 ? "root" : `the user with the number ${uid}`;
  throw new SettingError(`${file} belongs to ${owner}`, `make it yours: sudo chown ${userInfo().username} ${file}`);
}
