import { EFFECT_CLASSES, LEVELS } from "../../../core/effect.ts";
import { visible } from "../../../core/values/text.ts";
import { wordsText } from "../../../core/values/words-text.ts";
import { check, DEFAULT_CALLER } from "../../../gate/calls/judging.ts";
import { addGrant } from "../../../gate/standing/grants.ts";
import { callOf, execCall } from "../../calls.ts";
import { orFail, usage } from "../../failure.ts";
import { type OpenedGate, withDatabase } from "../../gate/database.ts";
import { projectFolder } from "../../gate/local-boxes.ts";
import { withGate } from "../../gate/with-gate.ts";
import { patternsOf } from "../../grant-patterns.ts";
import { AS_OPTION, prove } from "../../person.ts";
import { type CommandInput, type CommandSpec, first, flag, needed, oneOf, text } from "../../spec.ts";
import { wrap } from "../../terminal/table.ts";
import { lasting } from "../../terminal/time.ts";
import { grantsText, passesText } from "../../views/grant-view.ts";
import { shortId } from "../../views/texts.ts";

const NO_GRANTS =
  "No grants. To make one, approve a question with `leeway approve ID --remember 24h`, or use `leeway grants add`.";

const list: CommandSpec = {
  name: "grants list",
  summary: "list the grants in force, what they cover and for how long",
  options: [["--all", "include revoked and expired grants"]],
  examples: ["leeway grants list", "leeway grants list --all --json"],
  exits: [0, 1, 2],
  act: (given) =>
    withGate(given, async (gate) => {
      const { out } = given;
      const grants = (await gate.grants()).filter(({ grant }) => flag(given, "all") || grant.state === "live");
      out.answer(grants, () =>
        grants.length === 0 ? wrap(NO_GRANTS, out.width) : grantsText(out, grants, gate.nowMs()),
      );
      return 0;
    }),
};

const add: CommandSpec = {
  name: "grants add",
  summary: "let an agent do something without a question, for a time or a number of uses",
  options: [
    ["--agent <name>", "the agent that may do it"],
    ["--session <id>", "only in this session"],
    ["--class <class>", "this class of effect"],
    ["--tool <name>", "this tool"],
    [
      "--command <words>",
      "this command, in this folder; a final * allows any further words with the same class of effect, as in 'git commit *'",
    ],
    ["--path <path>", "this path; end it with /** to include everything below"],
    ["--domain <pattern>", "this domain: api.github.com, or *.github.com"],
    ["--project-code", "code in the files of this project, of any agent if none is named (default for: 7d)"],
    ["--project-containers", "containers of this project, of any agent if none is named"],
    ["--in-box", "only for calls that run in a box"],
    ["--level <level>", `up to: ${LEVELS.join(" | ")} (default: write; for a command: execute)`],
    ["--for <span>", "how long (24h), how often (5x), or both (24h,5x) (default: 24h)"],
    ["--tier <tier>", "auto, or notify if you want to be told (default: auto)"],
    ["--because <text>", "the reason"],
    AS_OPTION,
  ],
  examples: [
    "leeway grants add --agent coder --class fs.write --path 'src/**' --for 8h --because 'refactoring today'",
    "leeway grants add --agent coder --command 'npm test' --for 8h",
    "leeway grants add --project-code --for 7d --because 'no box on this machine'",
    "leeway grants add --agent coder --command 'npm test' --in-box --for 7d",
    "leeway grants add --project-containers --for 8h --because 'the test database'",
    "leeway grants add --agent coder --tool fetch_url --domain api.github.com --level read --for 20x",
  ],
  exits: [0, 1, 2, 5],
  page: "Grants",
  act: (given) =>
    withDatabase(given, async (deps) => {
      const grant = await heldToClass(given, deps, grantOf(given, deps));
      given.out.note(wrap(`this will run without a question: ${passesText(grant)}`, given.out.width));
      const { name } = await prove(given, deps, "add a grant");
      const added = orFail(await addGrant(deps, { ...grant, by: name, assurance: "tty" }));
      given.out.answer(
        added.value,
        () => `granted ${added.value.id}\nto revoke it: leeway grants revoke ${shortId(added.value.id)}`,
      );
      return 0;
    }),
};

const revoke: CommandSpec = {
  name: "grants revoke",
  summary: "revoke a grant",
  args: [["<id>", "the id of the grant, or the start of it"]],
  options: [AS_OPTION],
  examples: ["leeway grants revoke grt_019a8b"],
  exits: [0, 1, 2, 5],
  act: (given) =>
    withGate(given, async (gate) => {
      const revoked = await (await gate.prove("revoke a grant")).revokeGrant(first(given));
      given.out.answer(revoked, () => `revoked ${revoked.id}; it no longer covers anything`);
      return 0;
    }),
};

export const grants = [list, add, revoke];

type Drafted = ReturnType<typeof grantOf>;

/**
 * A star without a class would also cover words with another effect: `git log *` must not cover options that run
 * programs.
 */
async function heldToClass(given: CommandInput, deps: OpenedGate, grant: Drafted): Promise<Drafted> {
  const [command] = grant.covers.targets.filter((target) => target.kind === "command");
  if (grant.covers.class !== undefined || command?.words.at(-1) !== "*") return grant;
  const call = callOf(deps, { cwd: given.io.cwd, ...execCall(command.words.slice(0, -1), {}) });
  const { effect } = await check(deps, call, DEFAULT_CALLER);
  const own = effect.parts.filter((part) => part.targets.some((target) => target.kind === "command"));
  const [only, ...others] = new Set(own.map((part) => part.class));
  if (only === undefined || only === "none" || others.length > 0)
    throw usage(
      `what \`${visible(wordsText(command.words))}\` does depends on the words that follow`,
      "name a subcommand, or name the class of effect with --class",
    );
  return { ...grant, covers: { ...grant.covers, class: only } };
}

function grantOf(given: CommandInput, deps: OpenedGate) {
  const cls = text(given, "class");
  const tool = text(given, "tool");
  const command = text(given, "command");
  const where = { path: text(given, "path"), domain: text(given, "domain"), command };
  const targets = patternsOf(where, given.io.cwd);
  const isCode = flag(given, "projectCode");
  const isContainers = flag(given, "projectContainers");
  const isOwn = isCode || isContainers;
  if (isCode && isContainers) throw usage("a grant covers code or containers, not both", "add a grant for each");
  if (cls === undefined && tool === undefined && targets.length === 0 && !isOwn) {
    throw usage(
      "a grant must cover something",
      "give --class, --tool, --command, --path, --domain, --project-code or --project-containers",
    );
  }
  const session = text(given, "session");
  return {
    subject: {
      ...agentOf(given, isOwn),
      ...(session === undefined ? {} : { session }),
    },
    covers: {
      ...(cls === undefined ? {} : { class: oneOf(cls, EFFECT_CLASSES, "class") }),
      ...(tool === undefined ? {} : { tool: { name: tool } }),
      ...(isCode ? { projectCode: projectFolder(deps) } : {}),
      ...(isContainers ? { projectContainers: projectFolder(deps) } : {}),
      ...(flag(given, "inBox") ? { inBox: true as const } : {}),
      targets,
      level: oneOf(text(given, "level") ?? (command === undefined && !isOwn ? "write" : "execute"), LEVELS, "level"),
    },
    tier: oneOf(text(given, "tier") ?? "auto", ["notify", "auto"] as const, "tier"),
    because: text(given, "because") ?? "",
    ...lasting(text(given, "for") ?? (isCode ? "7d" : "24h"), deps.clock.nowMs()),
  };
}

/** Everybody may need the code and the containers of a project; everything else is granted to one agent. */
function agentOf(given: CommandInput, isOwn: boolean): { agent?: string } {
  if (isOwn && text(given, "agent") === undefined) return {};
  return { agent: needed(given, "agent", "name the agent, as in --agent coder") };
}
