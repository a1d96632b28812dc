import { isGlob } from "../../values/glob.ts";
import type { CommandPattern } from "../command-patterns.ts";
import type { CompiledRule } from "../compiled.ts";
import { addTo, newSlot, type RuleSlot } from "./slot.ts";

/** A trie over the words of a pattern; options are checked afterwards on the rules that are found. */
export type WordNode = {
  kids: Map<string, WordNode> | undefined;
  globs: { glob: string; node: WordNode }[] | undefined;
  /** Any rest may follow. */
  rest: RuleSlot | undefined;
  /** Nothing follows. */
  exact: RuleSlot | undefined;
};

export function newWordNode(): WordNode {
  return { kids: undefined, globs: undefined, rest: undefined, exact: undefined };
}

export function addCommand(root: WordNode, pattern: CommandPattern, rule: CompiledRule): void {
  let node = root;
  for (const word of pattern.words) node = isGlob(word) ? globKid(node, word) : wordKid(node, word);
  if (pattern.rest) node.rest ??= newSlot();
  else node.exact ??= newSlot();
  addTo((pattern.rest ? node.rest : node.exact) as RuleSlot, rule);
}

function wordKid(node: WordNode, word: string): WordNode {
  node.kids ??= new Map();
  let kid = node.kids.get(word);
  if (kid === undefined) {
    kid = newWordNode();
    node.kids.set(word, kid);
  }
  return kid;
}

function globKid(node: WordNode, glob: string): WordNode {
  node.globs ??= [];
  const found = node.globs.find((kid) => kid.glob === glob);
  if (found !== undefined) return found.node;
  const kid = newWordNode();
  node.globs.push({ glob, node: kid });
  return kid;
}
