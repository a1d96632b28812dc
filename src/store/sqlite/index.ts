export { backupDatabase, checkDatabase, restoreDatabase } from "./file/backup.ts";
export { type SqliteOptions, sqliteStore } from "./store.ts";
