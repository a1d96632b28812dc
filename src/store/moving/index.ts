export { type ChainEnd, type CopyProgress, chainsOf, copyTables } from "./copy.ts";
export type { MovingFrom, MovingTo, SeenSource } from "./move.ts";
export { fromSnapshot, postgresFrom, postgresTo, seenPostgres } from "./postgres-ends.ts";
export { seenSqlite, sqliteFrom } from "./sqlite-source.ts";
export { fillFile, sqliteTo } from "./sqlite-target.ts";
