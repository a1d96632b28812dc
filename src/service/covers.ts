import { isAbsolute } from "../core/classify/path.ts";
import { EFFECT_CLASSES, LEVELS } from "../core/effect.ts";
import type { GrantCover, GrantPattern } from "../core/grant.ts";
import { badInput } from "./refusal.ts";
import { anyText, type Check, checked, flag, inside, kindOf, listOf, maybe, oneOf, type Shape, text } from "./shape.ts";

/** The hash of a tool's definition. */
export const hash: Check = (value, path) => {
  if (typeof value === "string" && /^sha256:[0-9a-f]{64}$/.test(value)) return;
  throw badInput(path, "it is not a hash", "give sha256: and 64 hex digits");
};

/** A grant of a relative path would mean whatever folder somebody is in, so it covers nothing; better said now. */
const absolutePath: Check = (value, path) => {
  text(value, path);
  if (typeof value === "string" && isAbsolute(value)) return;
  throw badInput(path, "it is not an absolute path", "write it from the root of the file system");
};

/** A word of a command may be empty, its program may not. */
const words: Check = (value, path) => {
  listOf(anyText, 1)(value, path);
  if (Array.isArray(value)) text(value[0], inside(path, 0));
};

type PatternOf<K extends GrantPattern["kind"]> = Extract<GrantPattern, { kind: K }>;
const named: Check = () => {};
const PATTERNS: { readonly [K in GrantPattern["kind"]]: Shape<PatternOf<K>> } = {
  path: { kind: named, path: absolutePath, recursive: flag },
  domain: { kind: named, pattern: text },
  command: { kind: named, words, cwd: maybe(absolutePath), rest: maybe(oneOf(["everyday"])) },
  tool: { kind: named, tool: text },
};

const pattern: Check = (value, path) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw badInput(path, `${kindOf(value)} is not a target`, "give an object that says its kind");
  }
  const { kind } = value as GrantPattern;
  oneOf(Object.keys(PATTERNS))(kind, inside(path, "kind"));
  checked(value as GrantPattern, PATTERNS[kind] as Shape<GrantPattern>, path);
};

const TOOL: Shape<NonNullable<GrantCover["tool"]>> = { name: text, definition: maybe(hash) };
const COVER: Shape<GrantCover> = {
  class: maybe(oneOf(EFFECT_CLASSES)),
  tool: maybe((value, path) => void checked(value as NonNullable<GrantCover["tool"]>, TOOL, path)),
  targets: listOf(pattern),
  level: oneOf(LEVELS),
};

/** What a grant is to cover, in words that a grant can have. */
export const cover: Check = (value, path) => {
  const { class: effectClass, tool, targets } = checked(value as GrantCover, COVER, path);
  if (effectClass !== undefined || tool !== undefined || targets.length > 0) return;
  throw badInput(path, "a grant has to cover something", "name a class, a tool or targets");
};
