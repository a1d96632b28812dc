// `leeway/http`: the gate of a server, with the verbs of the library.
export type { ServerGate, ServerGuardOptions } from "../library/gate.ts";
export { type ClientOptions, createClient } from "./client.ts";
