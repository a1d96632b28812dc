import type { ToolCall } from "../call.ts";
import { type EffectClass, graver, onlyReads } from "../effect.ts";
import { type Message, say } from "../messages/message.ts";
import { toolName, wordsOfTool } from "../tool-name.ts";
import { argumentName, guess, readArguments } from "./arguments.ts";

// What an unknown tool probably does, by its name, its arguments and its server's description. This guess only
// preselects an answer for the person who is asked. It never makes a decision looser.

/** Words that say what is done, anywhere in a name. */
const DOING: readonly (readonly [EffectClass, string])[] = [
  ["payments.move", "pay buy purchase charge refund withdraw deposit checkout donate payout sell trade wire"],
  ["permissions.change", "grant permit revoke authorize impersonate"],
  ["process.exec", "run exec execute eval evaluate shell bash terminal invoke spawn"],
  ["deploy.write", "deploy release rollout rollback provision scale"],
  ["schedule.write", "schedule remind"],
  ["message.send", "send post publish notify reply tweet share invite comment forward broadcast dial"],
  ["db.write", "delete remove drop purge destroy erase wipe truncate kill terminate clear reset disarm unlock lock"],
  ["db.write", "create add insert update upsert edit modify set put patch write save rename move copy replace append"],
  [
    "db.write",
    "merge assign archive restore enable disable start stop restart toggle switch book reserve cancel register",
  ],
  [
    "db.write",
    "subscribe unsubscribe join leave follow unfollow apply submit approve reject close complete mark upload",
  ],
  ["db.write", "import sync install uninstall configure change adjust fill order place transfer activate deactivate"],
];

/** Words that say what the tool is about. After a word for reading they only say what is read. */
const ABOUT: readonly (readonly [EffectClass, string])[] = [
  ["payments.move", "payment payments transfer invoice billing transaction money"],
  ["message.send", "message email mail sms tweet"],
  ["process.exec", "command script code"],
];

/** These words can also be nouns: at the end of a name that begins with a word for reading, `find_order`, they are. */
const THINGS = new Set("order post comment release reply schedule book patch".split(" "));

/** Reading these gives a secret to the agent. */
const SECRET = new Set("secret secrets password passwords credential credentials apikey".split(" "));

const LOOKING = new Set(
  (
    "get list search find read fetch show view describe lookup query count check browse retrieve estimate calculate " +
    "compute convert validate verify compare summarize analyze analyse translate preview is has tell display explain"
  ).split(" "),
);

export type Suggestion = { class: EffectClass; because: Message };

export function suggestionFor(call: Pick<ToolCall, "tool" | "args" | "described">): Suggestion | undefined {
  const { described, tool } = call;
  const names = [...Object.keys(call.args), ...(described?.arguments ?? [])].map(argumentName);
  if (names.some(({ holds }) => holds.has("command")))
    return { class: "process.exec", because: say("suggestion.takes_command") };
  const byName = fromWords(wordsOfTool(toolName(tool).bare));
  const byText = fromWords(firstWords(described?.description ?? ""));
  const found = gravest([byName, byText]);
  if (described?.hints.destructive === true && (found === undefined || onlyReads(found))) {
    return { class: "db.write", because: say("suggestion.may_destroy") };
  }
  if (found === undefined) {
    return described?.hints.readOnly === true
      ? { class: "network.read", because: say("suggestion.only_reads") }
      : undefined;
  }
  const because = found === byName ? say("suggestion.by_name") : say("suggestion.by_description");
  return { class: touchesFiles(call) ? asFile(found) : found, because };
}

function fromWords(words: readonly string[]): EffectClass | undefined {
  if (words.some((word) => SECRET.has(word))) return "secrets.read";
  const looks = words.some((word, at) => at < 2 && LOOKING.has(word));
  const last = words.length - 1;
  const isThing = (word: string, at: number) => at === last && THINGS.has(word) && LOOKING.has(words[0] ?? "");
  const done = gravest(words.map((word, at) => (isThing(word, at) ? undefined : classIn(DOING, word))));
  if (done !== undefined) return done;
  return looks ? "network.read" : gravest(words.map((word) => classIn(ABOUT, word)));
}

function classIn(table: typeof DOING, word: string): EffectClass | undefined {
  return table.find(([, words]) => words.split(" ").includes(word))?.[0];
}

function gravest(classes: readonly (EffectClass | undefined)[]): EffectClass | undefined {
  let held: EffectClass | undefined;
  for (const one of classes) if (one !== undefined) held = held === undefined ? one : graver(held, one);
  return held;
}

/** "Searches the web for …": the first words, without the ending of the third person. */
function firstWords(description: string): readonly string[] {
  return (
    description
      .slice(0, 200)
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  )
    .slice(0, 2)
    .flatMap((word) => [word, word.replace(/(es|s)$/, ""), word.replace(/s$/, "")]);
}

function touchesFiles({ args }: Pick<ToolCall, "args">): boolean {
  return guess(readArguments(args)).paths.length > 0;
}

function asFile(found: EffectClass): EffectClass {
  if (found === "network.read") return "fs.read";
  return found === "db.write" ? "fs.write" : found;
}
