/** Which rights the role lacks in PostgreSQL, asked before anything is read or written. */
export { lackingRightsOf as lackingRights } from "./store/postgres/index.ts";
