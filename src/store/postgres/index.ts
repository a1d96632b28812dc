export { type PostgresOptions, postgresStore } from "./store.ts";
