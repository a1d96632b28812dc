import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { readSettings } from "../../../config/environment.ts";
import { CHANNEL_KINDS, type ChannelKind } from "../../../core/channel.ts";
import { say } from "../../../core/messages/message.ts";
import { textOf } from "../../../core/messages/text.ts";
import {
  type ChannelField,
  type ChannelValues,
  channelFields,
  typedSecret,
} from "../../../core/policy/channel-fields.ts";
import { diffLines } from "../../../core/show/diff.ts";
import { clockText } from "../../../core/show/when.ts";
import { visible } from "../../../core/values/text.ts";
import { linkCodeFor } from "../../../service/reach.ts";
import { Failure, orFail, usage } from "../../failure.ts";
import { refuseServer, withDatabase } from "../../gate/database.ts";
import { withGate } from "../../gate/with-gate.ts";
import { AS_OPTION, prove } from "../../person.ts";
import { type CommandInput, type CommandSpec, first, flag, oneOf, text } from "../../spec.ts";
import { fileText } from "../../terminal/files.ts";
import { hasPerson, type Out } from "../../terminal/io.ts";
import { askText, askYesNo } from "../../terminal/prompt.ts";
import { channelsText, testText } from "../../views/channel-view.ts";
import { loadedOrFail } from "./policy.ts";

const KIND = ["<kind>", CHANNEL_KINDS.join(" | ")] as const;

function kindOf(given: CommandInput): ChannelKind {
  return oneOf(first(given), CHANNEL_KINDS, "kind of channel");
}

const list: CommandSpec = {
  name: "channels list",
  summary: "list the channels of the policy, whether their secrets are found, and how many notices wait",
  examples: ["leeway channels list", "leeway channels list --json"],
  exits: [0, 1, 2],
  act: (given) =>
    withGate(given, async (gate) => {
      const channels = await gate.channels();
      given.out.answer(channels, () => channelsText(given.out, channels, gate.nowMs()));
      return 0;
    }),
};

const test: CommandSpec = {
  name: "channels test",
  summary: "test a channel of the policy: send a test message to you or to its chat",
  args: [KIND],
  options: [AS_OPTION],
  examples: ["leeway channels test slack", "leeway channels test webhook --json"],
  exits: [0, 1, 2, 5],
  act: (given) => {
    const kind = kindOf(given);
    return withGate(given, async (gate) => {
      const tested = await (await gate.prove(`test the channel ${kind}`)).testChannel(kind);
      given.out.answer(tested, () => testText(given.out, tested));
      return tested.ok ? 0 : 1;
    });
  },
};

const FILE_OPTION = [
  "--file <file>",
  "the policy file to change (default: your own, in the configuration folder)",
] as const;
const YES_OPTION = ["--yes", "do not ask before writing"] as const;

/** Every key that some channel has. */
const FIELDS: readonly ChannelField[] = [
  ...new Map(CHANNEL_KINDS.flatMap((kind) => channelFields(kind).map((field) => [field.key, field]))).values(),
];

const dashed = (key: string) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const FIELD_OPTIONS = FIELDS.map(({ key, label, secret, flag: isFlag }) => {
  const place = secret ? "; give env:NAME or file:PATH, never the secret" : "";
  const means = `${textOf(say(label), "en")}${place}`;
  return [isFlag ? `--${dashed(key)}` : `--${dashed(key)} <${secret ? "place" : "value"}>`, means] as const;
});

const add: CommandSpec = {
  name: "channels add",
  summary: "set up a channel in a policy file; asks for what is missing if you are at a terminal",
  args: [KIND],
  options: [...FIELD_OPTIONS, FILE_OPTION, YES_OPTION],
  examples: [
    "leeway channels add slack",
    "leeway channels add webhook --url https://example.com/leeway --secret env:WEBHOOK_SECRET --yes",
  ],
  exits: [0, 1, 2, 5],
  act: async (given) => {
    refuseServer(given);
    const kind = kindOf(given);
    const file = fileMeant(given);
    const before = textBefore(file);
    const { hasChannel, withChannel } = await import("../../../config/channel-edit.ts");
    if (hasChannel(before, kind))
      throw new Failure(
        1,
        `${file} sets up ${kind} already`,
        `remove it first with \`leeway channels remove ${kind}\`, or edit the file`,
      );
    const values = await valuesFor(given, kind);
    refuseSecret(kind, values);
    const after = withChannel(before === "" ? "version: 1\n" : before, kind, values);
    return write(given, { file, before, after, kind, does: "added" });
  },
};

const remove: CommandSpec = {
  name: "channels remove",
  summary: "remove a channel from a policy file",
  args: [KIND],
  options: [FILE_OPTION, YES_OPTION],
  examples: ["leeway channels remove slack", "leeway channels remove slack --file leeway.yaml --yes"],
  exits: [0, 1, 2, 5],
  act: async (given) => {
    refuseServer(given);
    const kind = kindOf(given);
    const file = fileMeant(given);
    const before = textBefore(file);
    const { hasChannel, withoutChannel } = await import("../../../config/channel-edit.ts");
    if (!hasChannel(before, kind))
      throw new Failure(1, `${file} does not set up ${kind}`, "name the right file with --file");
    return write(given, { file, before, after: withoutChannel(before, kind), kind, does: "removed" });
  },
};

function fileMeant(given: CommandInput): string {
  const named = text(given, "file");
  return named === undefined ? readSettings(given.io.env).userPolicy : resolve(given.io.cwd, named);
}

function textBefore(file: string): string {
  return existsSync(file) ? fileText(file) : "";
}

/** From the options; at a terminal, what is missing is asked for. A secret is never asked for, only where it is. */
async function valuesFor(given: CommandInput, kind: ChannelKind): Promise<ChannelValues> {
  const values: Record<string, ChannelValues[string]> = {};
  const fields = channelFields(kind);
  const strange = FIELDS.find(({ key }) => given.options[key] !== undefined && !fields.some((own) => own.key === key));
  if (strange !== undefined)
    throw usage(`--${dashed(strange.key)} is not a setting of ${kind}`, "`leeway channels add --help` lists them all");
  const asks = hasPerson(given.io) && !flag(given, "yes");
  for (const field of fields) {
    const value = optionOf(given, field) ?? (asks ? await askedFor(given, kind, field) : undefined);
    if (value !== undefined) values[field.key] = value;
    else if (field.required)
      throw usage(`--${dashed(field.key)} is missing`, `write, for example, --${dashed(field.key)} ${field.example}`);
  }
  return values;
}

function optionOf(given: CommandInput, { key, many, flag: isFlag }: ChannelField): ChannelValues[string] | undefined {
  if (isFlag) return given.options[key] === true ? true : undefined;
  const value = text(given, key);
  return value === undefined ? undefined : many ? value.split(",") : value;
}

async function askedFor(
  given: CommandInput,
  kind: ChannelKind,
  field: ChannelField,
): Promise<ChannelValues[string] | undefined> {
  const { key, label, required, secret, many, words, flag: isFlag, example } = field;
  const what = textOf(say(label), "en");
  if (isFlag) return (await askYesNo(given.io, `${key}: ${what}?`)) ? true : undefined;
  const place = secret ? " Where is it? Write env:NAME or file:PATH, never the secret itself." : "";
  const answer = await askText(given.io, `${key}: ${what}.${place}${required ? "" : " (leave empty for none)"}`, {
    example,
    wrong: (typed) => {
      if (typed === "") return required ? "this is needed" : undefined;
      if (typedSecret(kind, { [key]: typed }) !== undefined)
        return "this is not env:NAME or file:PATH, or looks like a secret";
      return words === undefined || words.includes(typed) ? undefined : `use one of: ${words.join(", ")}`;
    },
  });
  return answer === "" ? undefined : many ? [answer] : answer;
}

type Edit = { file: string; before: string; after: string; kind: ChannelKind; does: "added" | "removed" };

/** Shows what would change, asks, writes, and says what comes next. A file with errors is never written. */
async function write(given: CommandInput, { file, before, after, kind, does }: Edit): Promise<number> {
  const { parsePolicyText } = await import("../../../config/policy/policy-text.ts");
  loadedOrFail(parsePolicyText(after, file));
  const diff = changeOf(before, after);
  given.out.note(`${file}:\n${coloured(given.out, diff)}`);
  if (!flag(given, "yes")) await consent(given);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, after);
  const next = does === "added" ? ["leeway policy accept", `leeway channels test ${kind}`] : ["leeway policy accept"];
  given.out.answer({ file, kind, [does]: true, next }, () => doneText({ file, kind, does, next }));
  return 0;
}

/** A secret in the file would be seen by everybody who reads the policy, so it is refused. */
function refuseSecret(kind: ChannelKind, values: ChannelValues): void {
  const secret = typedSecret(kind, values);
  if (secret === undefined) return;
  throw usage(
    `the value of \`${secret.key}\` is a secret or looks like one; it is not repeated here, and nothing was written`,
    textOf(say("hint.name_secret_place"), "en"),
  );
}

async function consent(given: CommandInput): Promise<void> {
  if (!hasPerson(given.io))
    throw new Failure(
      5,
      "a person at a terminal must confirm the change, and this is not a terminal",
      "run the command in a terminal, or use --yes",
    );
  if (!(await askYesNo(given.io, "write this?"))) throw new Failure(1, "cancelled", "nothing was changed");
}

type Changed = readonly { sign: "+" | "-"; line: string }[];

/** Only the lines that change. */
function changeOf(before: string, after: string): Changed {
  const [old, now] = [before.split("\n"), after.split("\n")];
  return diffLines(old, now).flatMap((line): Changed => {
    if (line.is === "same") return [];
    return line.is === "added"
      ? [{ sign: "+", line: now[line.after] ?? "" }]
      : [{ sign: "-", line: old[line.before] ?? "" }];
  });
}

function coloured({ colours }: Out, changed: Changed): string {
  return changed
    .map(({ sign, line }) => (sign === "+" ? colours.green : colours.red)(`${sign} ${visible(line)}`))
    .join("\n");
}

function doneText({ file, kind, does, next }: Omit<Edit, "before" | "after"> & { next: readonly string[] }): string {
  const steps = next.map((command) => `  ${command}`).join("\n");
  const after =
    does === "added" ? "The channel is used once the policy is accepted:" : "It is used until the policy is accepted:";
  return `${does} ${kind} ${does === "added" ? "to" : "from"} ${file}\n${after}\n${steps}`;
}

const link: CommandSpec = {
  name: "channels link",
  summary: "get a code that links your account in a channel to your name, and see where to send it",
  args: [KIND],
  options: [AS_OPTION],
  examples: ["leeway channels link slack", "leeway channels link feishu --as ana"],
  exits: [0, 1, 2, 5],
  page: "Settings",
  act: (given) => {
    const kind = kindOf(given);
    return withDatabase(given, async (deps) => {
      const { name } = await prove(given, deps, `link an account of ${kind}`);
      const { code, send, untilMs } = orFail(await linkCodeFor(deps, kind, { by: name, assurance: "tty" })).value;
      const sent = textOf(send, "en");
      given.out.answer({ code, send: sent, untilMs }, () => `${sent}\nThe code works until ${clockText(untilMs)}.`);
      return 0;
    });
  },
};

export const channels = [list, test, add, remove, link];
