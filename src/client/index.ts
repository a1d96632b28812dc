// `leeway/http`: the gate of a server, with the verbs of the library.
export { type ClientOptions, createClient } from "./client.ts";
