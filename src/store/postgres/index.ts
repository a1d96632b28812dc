export { type LackingRight, lackingRightsOf } from "./lacking-rights.ts";
export { type PostgresOptions, type PostgresStore, postgresStore } from "./store.ts";
