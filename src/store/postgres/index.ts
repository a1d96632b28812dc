export { type PostgresOptions, type PostgresStore, postgresStore } from "./store.ts";
