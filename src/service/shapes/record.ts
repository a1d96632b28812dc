import { ENTRY_KINDS } from "../../core/ledger.ts";
import type { Hash } from "../../core/values/hash.ts";
import type { EntryFilter } from "../../ports.ts";
import { callable, listOf, maybe, nameOf, object, oneOf, type Shape, text, whole } from "../shape.ts";
import type { ActingPerson } from "./people.ts";

/** What an entry is about. */
export const SUBJECT = object({
  agent: maybe(text),
  tool: maybe(text),
  class: maybe(text),
  tier: maybe(text),
  outcome: maybe(text),
  call: maybe(text),
  approval: maybe(text),
  execution: maybe(text),
  grant: maybe(text),
  person: maybe(text),
  token: maybe(text),
  session: maybe(text),
  run: maybe(text),
  trace: maybe(text),
  entry: maybe(text),
});
/** A filter for entries. */
export const FILTER: Shape<EntryFilter> = object({
  afterIndex: maybe(whole(0)),
  beforeIndex: maybe(whole(0)),
  kinds: maybe(listOf(oneOf(ENTRY_KINDS))),
  fromMs: maybe(whole(0)),
  toMs: maybe(whole(0)),
  actor: maybe(text),
  subject: maybe(SUBJECT),
});
export const PAGE = object({ limit: maybe(whole(1)), order: maybe(oneOf(["newest", "oldest"])) });
export const VERIFYING = object({ onProgress: maybe(callable<(done: number, of: number) => void>()) });
export const OF_AGENT = object({ agent: maybe(text) });

/** A policy file, and the version of it that the person saw. */
export const ACCEPT = object({ by: text, version: nameOf<Hash>() });
export type AcceptInput = ActingPerson & { version: string };
