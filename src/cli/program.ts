import { Command, CommanderError, Option } from "commander";
import { ownVersion } from "../config/version.ts";
import { nearest } from "../core/values/nearest.ts";
import { commandsFor } from "./commands.ts";
import { EXITS, type Exit, Failure, usage } from "./failure.ts";
import { type CommandSpec, outOf } from "./spec.ts";
import { type Io, namesServer, widthOf } from "./terminal/io.ts";
import { wrap, wrapCommand } from "./terminal/table.ts";

const GROUPS: Record<string, string> = {
  grants: "what people allowed in advance, for a time or a number of uses",
  tools: "what people said about unknown tools",
  agents: "the agents, their owners and what each may do",
  people: "the people who answer questions",
  tokens: "secrets with which a program acts as an agent or a person",
  workspaces: "the workspaces that one server serves, each with its own people, agents, policy and record",
  channels: "where people are told outside the inbox: chat, mail, webhooks",
  notices: "messages to people that could not be delivered",
  policy: "the policy: check it, test it, accept it",
};

/** Parses the line, runs one command, and returns its exit code. */
export async function runProgram(io: Io, args: readonly string[]): Promise<number> {
  let code = 0;
  const commands = await commandsFor(args);
  const program = rootOf(io, commands);
  const groups = new Map<string, Command>();
  for (const spec of commands) {
    const command = addTo(io, program, groups, spec, commands);
    command.action(async () => {
      const options = command.opts();
      refuseEmpty(spec, options, command.processedArgs);
      if (!args.includes("--")) refuseMistyped(spec, command.processedArgs.flat()[0], commands);
      const out = outOf(io, options["json"] === true);
      const given = { io, args: command.processedArgs.flat() as string[], options, out };
      await refuseToken(io, spec);
      code = await spec.act(given);
    });
  }
  try {
    await program.parseAsync([...args], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return endOfParsing(error, args, commands);
    throw error;
  }
  return code;
}

/** Commands that give more power need a person with a fresh sign-in. A token does not prove that. */
async function refuseToken(io: Io, { page }: CommandSpec): Promise<void> {
  if (page === undefined || !namesServer(io)) return;
  // A server that is named only in part is an error of its own.
  (await import("../config/server-file.ts")).serverMeant(io.env);
  const what = "this needs a new sign-in, and a token is not enough; nothing was done";
  throw new Failure(5, what, `sign in to the server's pages and do it there, under ${page}`);
}

/**
 * An empty option or argument is refused: often a script's variable is not set. Arguments of the command that is run
 * may be empty.
 */
function refuseEmpty(spec: CommandSpec, options: Record<string, unknown>, args: readonly unknown[]): void {
  const flags = (spec.options ?? []).map(([syntax]) => new Option(syntax));
  const empty = flags.find((option) => options[option.attributeName()] === "");
  if (empty !== undefined) throw usage(`${empty.long} is empty`, "give it a value, or leave it out");
  const at = args.findIndex((value) => value === "" || (Array.isArray(value) && value[0] === ""));
  if (at >= 0) throw usage(`${spec.args?.[at]?.[0] ?? "an argument"} is empty`, "give it a value");
}

/** `leeway box lst` is a typing error, and not a program called `lst`: a program comes after `--`. */
function refuseMistyped({ name }: CommandSpec, word: unknown, commands: readonly CommandSpec[]): void {
  const under = commands
    .filter((spec) => spec.name.startsWith(`${name} `))
    .map((spec) => spec.name.split(" ")[1] ?? "");
  const meant = typeof word === "string" ? nearest(word, under) : undefined;
  if (meant === undefined) return;
  const hint = `did you mean \`leeway ${name} ${meant}\`? A program comes after --: \`leeway ${name} -- ${word}\``;
  throw usage(`unknown command \`${name} ${word}\``, hint);
}

function rootOf(io: Io, commands: readonly CommandSpec[]): Command {
  const program = new Command("leeway")
    .description(
      "decides how much leeway an AI agent has: it runs, asks about, proposes or refuses each call, and records it",
    )
    .version(ownVersion(), "--version", "print the version")
    .exitOverride()
    .enablePositionalOptions()
    .configureHelp({ helpWidth: helpWidth(io), showGlobalOptions: false })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      // The caller reports the error once, in our own words.
      outputError: () => undefined,
    });
  const examples = FIRST_STEPS.map(
    (name) => commands.find((spec) => spec.name === name)?.examples[0] ?? `leeway ${name}`,
  );
  return program.addHelpText("after", () => footer(io, examples, [0, 1, 2, 3, 4, 5]));
}

/** What a new user tries first, in this order. */
const FIRST_STEPS = ["demo", "init", "check", "run", "inbox"];

function addTo(
  io: Io,
  program: Command,
  groups: Map<string, Command>,
  spec: CommandSpec,
  commands: readonly CommandSpec[],
): Command {
  const [first = "", second] = spec.name.split(" ");
  const parent = second === undefined ? program : groupOf(io, program, groups, first, commands);
  const command = parent.command(second ?? first).description(spec.summary);
  for (const [syntax, means] of spec.args ?? []) command.argument(syntax, means);
  for (const [flags, means] of spec.options ?? []) command.option(flags, means);
  command.option("--json", "answer in JSON");
  // A command can have commands of its own: what follows `leeway mcp list` belongs to the second.
  if (second === undefined) groups.set(first, command.enablePositionalOptions());
  return command.addHelpText("after", () => footer(io, spec.examples, spec.exits, spec.endsWith));
}

function groupOf(
  io: Io,
  program: Command,
  groups: Map<string, Command>,
  name: string,
  commands: readonly CommandSpec[],
): Command {
  const known = groups.get(name);
  if (known !== undefined) return known;
  const examples = commands.filter((spec) => spec.name.startsWith(`${name} `)).map((spec) => spec.examples[0] ?? "");
  const group = program.command(name).description(GROUPS[name] ?? name);
  group.addHelpText("after", () => footer(io, examples, [0, 1, 2]));
  groups.set(name, group);
  return group;
}

const HELP_WIDTH_MAX = 100;

function helpWidth(io: Io): number {
  return Math.min(widthOf(io.stdout), HELP_WIDTH_MAX);
}

function footer(io: Io, examples: readonly string[], exits: readonly Exit[], endsWith?: string): string {
  const commands = examples.map((line) => wrapCommand(`  ${line}`, helpWidth(io)));
  const lines = exits.map((exit) => `  ${exit}  ${EXITS[exit]}`);
  const also = endsWith === undefined ? "" : `${wrap(endsWith, helpWidth(io))}\n`;
  return `\nExamples:\n${commands.join("\n")}\n\nExit codes:\n${lines.join("\n")}\n${also}`;
}

/** Help and version are normal output; every other parsing error is wrong usage. */
function endOfParsing(error: CommanderError, args: readonly string[], commands: readonly CommandSpec[]): number {
  // An agent program takes 0 for a yes. With a host, this was not a person who wants help.
  const isHook = args[0] === "hook" && args.slice(1).some((word) => !word.startsWith("-"));
  if (error.code === "commander.helpDisplayed" && isHook) return 2;
  if (error.code === "commander.helpDisplayed" || error.code === "commander.version") return 0;
  if (error.code === "commander.help") return 2;
  const [said = "", ...rest] = error.message.replace(/^error: /, "").split("\n");
  const what = error.code === "commander.excessArguments" ? "too many arguments" : said;
  if (args[0] === "check" && error.code === "commander.excessArguments")
    throw new Failure(2, what, "give a command as one word: `leeway check --command 'ls'`");
  // What a command runs comes after `--`: a hint to its help says less than an example.
  const example = commands.find(({ name }) => name === args[0])?.examples[0];
  if (error.code === "commander.missingArgument" && example?.includes(" -- ") === true)
    throw new Failure(2, "no command is given", `for example ${example}`);
  const nearest = /Did you mean (.+)\?/.exec(rest.join(" "))?.[1];
  throw new Failure(2, what, nearest === undefined ? helpHint(args, commands) : `did you mean \`${nearest}\`?`);
}

function helpHint(args: readonly string[], commands: readonly CommandSpec[]): string {
  const words = args.slice(0, 2).filter((word) => /^[a-z-]+$/.test(word) && !word.startsWith("-"));
  const known = words.filter((_, at) => commands.some((spec) => isPath(spec.name, words.slice(0, at + 1).join(" "))));
  return `see \`${["leeway", ...known, "--help"].join(" ")}\``;
}

function isPath(name: string, words: string): boolean {
  return name === words || name.startsWith(`${words} `);
}
