export { backupDatabase, checkDatabase, restoreDatabase } from "./backup.ts";
export { type SqliteOptions, sqliteStore } from "./store.ts";
