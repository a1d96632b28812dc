import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import { say } from "../../core/messages/message.ts";
import { checkExamples } from "../../core/policy/examples.ts";
import { inOrder, parsePolicy } from "../../core/policy/parse.ts";
import type { Policy } from "../../core/policy.ts";
import { sha256 } from "../../core/values/hash.ts";
import { toJson } from "../../core/values/json.ts";
import type { LoadedPolicy } from "../../ports.ts";
import { readYaml } from "../parse/yaml.ts";
import { compileWhen } from "./when.ts";

/** Where relative patterns start, and whose home `~` is, if the text does not say. */
type Ground = {
  root?: string;
  home?: string;
  /** The folder to which a `root` in the text is relative, if that is not `root`. */
  writtenFrom?: string;
};

/** A policy from its text. Its version is the hash of the text, so the same text is the same policy everywhere. */
export function parsePolicyText(text: string, path: string, ground: Ground = {}): LoadedPolicy {
  const read = readYaml(text, path);
  if (!read.ok) return read;
  const parsed = parsePolicy(read.tree, { version: sha256(text), compileWhen });
  if (!parsed.ok) {
    const tried = parsed.soFar === undefined ? [] : checkExamples(grounded(parsed.soFar, path, ground));
    return { ok: false, faults: inOrder([...parsed.faults, ...tried]) };
  }
  const policy = grounded(parsed.policy, path, ground);
  const faults = checkExamples(policy);
  return faults.length === 0 ? { ok: true, policy } : { ok: false, faults };
}

/** A policy written in code. It is printed as JSON first, so that messages can name a line that a person can read. */
export function policyFromObject(value: unknown, source: string, ground: Ground = {}): LoadedPolicy {
  const json = toJson(value);
  if (json.ok) return parsePolicyText(JSON.stringify(json.value, undefined, 2), source, ground);
  const message = say("policy.not_json", { where: json.where, why: json.why });
  return { ok: false, faults: [{ file: source, line: 1, column: 1, message, hint: say("policy.give_json") }] };
}

function grounded(policy: Policy, path: string, ground: Ground): Policy {
  const from = ground.writtenFrom ?? ground.root ?? dirname(path);
  const root = policy.root === undefined ? ground.root : resolve(from, policy.root);
  return { ...policy, home: ground.home ?? homedir(), ...(root === undefined ? {} : { root }) };
}
