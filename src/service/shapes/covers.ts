import { isAbsolute } from "../../core/classify/path.ts";
import { saysSomething } from "../../core/decide/grants.ts";
import { EFFECT_CLASSES, LEVELS } from "../../core/effect.ts";
import { say } from "../../core/messages/message.ts";
import type { GrantCover, GrantPattern } from "../../core/standing/grant.ts";
import type { Hash } from "../../core/values/hash.ts";
import { badInput } from "../refusal.ts";
import {
  anyText,
  choice,
  flag,
  inside,
  kindOf,
  listOf,
  maybe,
  object,
  oneOf,
  type Shape,
  shapeOf,
  text,
  textOf,
} from "../shape.ts";

/** The hash of a tool's definition. */
export const hash: Shape<Hash> = shapeOf({ type: "string", pattern: "^sha256:[0-9a-f]{64}$" }, (value, path) => {
  if (isHash(value)) return value;
  throw badInput(path, say("refusal.not_a_hash"), say("hint.give_hash"));
});

function isHash(value: unknown): value is Hash {
  return typeof value === "string" && /^sha256:[0-9a-f]{64}$/.test(value);
}

/** A relative path would depend on the current folder, so a grant for it is refused. */
const absolutePath: Shape<string> = shapeOf(text.schema, (value, path) => {
  const given = textOf(value, path);
  if (isAbsolute(given)) return given;
  throw badInput(path, say("refusal.not_absolute"), say("hint.from_root"));
});

const someWords = listOf(anyText, 1);
/** A word of a command may be empty, but not its program. */
const words: Shape<readonly string[]> = shapeOf(someWords.schema, (value, path, source) => {
  const given = someWords.read(value, path, source);
  textOf(given[0], inside(path, 0));
  return given;
});

const PATTERN = choice("kind", {
  path: { path: absolutePath, recursive: flag },
  domain: { pattern: text },
  command: { words, cwd: maybe(absolutePath), rest: maybe(oneOf(["everyday", "branches"])) },
  tool: { tool: text },
});

const pattern: Shape<GrantPattern> = shapeOf(PATTERN.schema, (value, path, source) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw badInput(path, say("refusal.not_a_target", { kind: kindOf(value) }), say("hint.target_object"));
  }
  return PATTERN.read(value, path, source);
});

/** `true`, or left out. */
export const only: Shape<true> = shapeOf({ const: true }, (value, path) => {
  if (value === true) return value;
  throw badInput(path, say("refusal.not_true", { kind: kindOf(value) }), say("hint.true_or_leave_out"));
});

const COVER = object({
  class: maybe(oneOf(EFFECT_CLASSES)),
  tool: maybe(object({ name: text, definition: maybe(hash) })),
  /** The folder of a project whose own code is trusted, for a limited time. */
  projectCode: maybe(absolutePath),
  /** The folder of a project whose containers are trusted, for a limited time. */
  projectContainers: maybe(absolutePath),
  /** Only calls that run in a box. */
  inBox: maybe(only),
  targets: listOf(pattern),
  level: oneOf(LEVELS),
});

/** What a grant should cover. */
export const cover: Shape<GrantCover> = shapeOf(COVER.schema, (value, path, source) => {
  const covers = COVER.read(value, path, source);
  if (covers.projectCode !== undefined && covers.projectContainers !== undefined)
    throw badInput(path, say("refusal.grant_covers_two_trusts"), say("hint.a_grant_for_each"));
  if (saysSomething(covers)) return covers;
  throw badInput(path, say("refusal.grant_covers_nothing"), say("hint.name_cover"));
});
