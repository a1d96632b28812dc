import type { CST, Document, Node, Pair } from "yaml";
import { type Message, say } from "../../core/messages/message.ts";
import { collectFaults, type Faults } from "../../core/policy/shape.ts";
import type { Fault, Member, Tree } from "../../core/policy/tree.ts";
import type { Position } from "../../core/policy.ts";
import { DEPTH_MAX } from "../../core/values/json.ts";
import { readJsonTree } from "./json-tree.ts";
import { yamlLibrary } from "./libraries.ts";
import { readPlainYaml } from "./plain-yaml.ts";

/** Far more than a person writes by hand, and still fast to read. */
const TEXT_MAX = 4 * 1024 * 1024;
/** Files written by programs are longer, and our own reader reads them faster. */
const JSON_MAX = 4 * TEXT_MAX;

type ReadTree = { ok: true; tree: Tree } | { ok: false; faults: readonly Fault[] };

/**
 * YAML 1.2 or JSON as a tree with positions. Only what JSON can express is accepted: aliases, tags, special numbers
 * and duplicate keys are errors, because with each of them a file could mean something else than it seems to.
 */
export function readYaml(text: string, file: string): ReadTree {
  const json = text.length > JSON_MAX ? undefined : readJsonTree(text, file);
  const quick = json ?? (text.length > TEXT_MAX ? undefined : readPlainYaml(text, file));
  return quick === undefined ? readByLibrary(text, file) : { ok: true, tree: quick };
}

/** Reads any YAML, slowly, and reports errors. */
export function readByLibrary(text: string, file: string): ReadTree {
  const faults = collectFaults();
  const tree = treeOf(text, file, faults);
  return tree === undefined || faults.all.length > 0 ? { ok: false, faults: faults.all } : { ok: true, tree };
}

type Place = (offset: number | undefined) => Position;

function treeOf(text: string, file: string, faults: Faults): Tree | undefined {
  const start: Position = { file, line: 1, column: 1 };
  if (text.length > TEXT_MAX)
    return fault(faults, start, say("yaml.too_large", { max: TEXT_MAX }), say("yaml.make_shorter"));
  const { LineCounter, Parser } = yamlLibrary();
  const lines = new LineCounter();
  const place: Place = (offset) => {
    const { line, col } = lines.linePos(offset ?? 0);
    return { file, line: Math.max(1, line), column: Math.max(1, col) };
  };
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const deep = tooDeep(tokens);
  if (deep !== undefined)
    return fault(faults, place(deep.offset), say("yaml.too_deep", { max: DEPTH_MAX }), say("yaml.make_flatter"));
  const [first, second] = documents(tokens, text.length);
  const [error] = first?.errors ?? [];
  // YAML includes JSON, and its words would not help the author of a file that is meant as JSON.
  if (error !== undefined && /\.jsonc?$/.test(file))
    return fault(faults, place(error.pos[0]), say("json.syntax"), say("json.check_syntax"));
  for (const { pos, message } of first?.errors ?? [])
    fault(faults, place(pos[0]), syntaxMessage(message), say("yaml.check_syntax"));
  if (second !== undefined) {
    return fault(faults, place(second.range[0]), say("yaml.second_document"), say("yaml.remove_dashes"));
  }
  // An empty file is an empty policy: every call asks.
  const contents = first?.contents ?? null;
  if (contents === null) return { is: "map", members: [], at: start };
  return first?.errors.length === 0 ? copy(contents, place, faults) : undefined;
}

/** Checked before parsing, which is recursive: a deeply nested text would crash the process. */
function tooDeep(tokens: readonly CST.Token[]): CST.Token | undefined {
  const open = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    if (depth > DEPTH_MAX) return token;
    for (const below of tokensBelow(token)) open.push({ token: below, depth: depth + 1 });
  }
  return undefined;
}

function tokensBelow(token: CST.Token): CST.Token[] {
  if (token.type === "document") return token.value === undefined ? [] : [token.value];
  if (!("items" in token)) return [];
  return token.items.flatMap((item) => [item.key, item.value].filter((part) => part !== undefined && part !== null));
}

/** The first document, and the second if there is one. */
function documents(tokens: readonly CST.Token[], length: number): readonly Document.Parsed[] {
  // Duplicate keys are found below, where the message can name both places.
  const composer = new (yamlLibrary().Composer)({ version: "1.2", schema: "core", strict: true, uniqueKeys: false });
  const found: Document.Parsed[] = [];
  for (const document of composer.compose(tokens, false, length)) {
    found.push(document);
    if (found.length === 2) break;
  }
  return found;
}

function syntaxMessage(message: string): Message {
  const [first = ""] = message.split("\n");
  return say("yaml.syntax", { why: `${first.charAt(0).toLowerCase()}${first.slice(1)}` });
}

function copy(node: Node, place: Place, faults: Faults): Tree | undefined {
  const { isAlias, isMap, isScalar, isSeq } = yamlLibrary();
  const at = place(node.range?.[0]);
  if (isAlias(node)) return fault(faults, at, say("yaml.alias", { name: node.source }), say("yaml.write_again"));
  if (node.tag !== undefined) return fault(faults, at, say("yaml.tag", { tag: node.tag }), say("yaml.remove_tag"));
  if (isSeq(node)) {
    const items = node.items.map((item) => copy(item as Node, place, faults));
    return { is: "list", items: items.filter((item) => item !== undefined), at };
  }
  if (isMap(node)) return { is: "map", members: membersOf(node.items as Pair<Node, Node | null>[], place, faults), at };
  return isScalar(node)
    ? scalar(node.value, at, faults)
    : fault(faults, at, say("yaml.not_a_value"), say("yaml.check_syntax"));
}

function membersOf(pairs: readonly Pair<Node, Node | null>[], place: Place, faults: Faults): Member[] {
  const { isScalar } = yamlLibrary();
  const members = new Map<string, Member>();
  for (const pair of pairs) {
    const at = place(pair.key.range?.[0]);
    const key = isScalar(pair.key) && typeof pair.key.value === "string" ? pair.key.value : undefined;
    const before = key === undefined ? undefined : members.get(key);
    if (key === undefined) fault(faults, at, say("yaml.key_not_text"), say("yaml.put_in_quotes"));
    else if (before !== undefined) {
      fault(faults, at, say("yaml.duplicate_key", { key }), say("yaml.remove_one", { line: before.at.line }));
    } else {
      const value = pair.value === null ? scalar(null, at, faults) : copy(pair.value, place, faults);
      if (value !== undefined) members.set(key, { key, at, value });
    }
  }
  return [...members.values()];
}

function scalar(value: unknown, at: Position, faults: Faults): Tree | undefined {
  if (value === null || typeof value === "boolean") return { is: "scalar", value, at };
  if (typeof value === "string" && value.isWellFormed()) return { is: "scalar", value, at };
  if (typeof value === "number" && Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER) {
    return { is: "scalar", value, at };
  }
  return fault(faults, at, say("yaml.inexact", { value: String(value) }), say("yaml.quote_number"));
}

function fault(faults: Faults, at: Position, message: Message, hint: Message): undefined {
  faults.add(at, message, hint);
  return undefined;
}
