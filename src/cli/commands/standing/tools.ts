import { EFFECT_CLASSES, graver } from "../../../core/effect.ts";
import { nameText } from "../../../core/letters/name-text.ts";
import { type Declaration, kindOfClass, TOOL_KIND_NAMES } from "../../../core/standing/declaration.ts";
import { exactTool } from "../../../core/tool-name.ts";
import type { Hash } from "../../../core/values/hash.ts";
import { visible } from "../../../core/values/text.ts";
import { addDeclaration, type NewDeclaration } from "../../../gate/standing/declarations.ts";
import { classFor } from "../../../service/declarations.ts";
import { orFail, usage } from "../../failure.ts";
import { withDatabase } from "../../gate/database.ts";
import { withGate } from "../../gate/with-gate.ts";
import { AS_OPTION, prove } from "../../person.ts";
import { type CommandInput, type CommandSpec, first, flag, needed, oneOf, text } from "../../spec.ts";
import type { Out } from "../../terminal/io.ts";
import { table, wrap } from "../../terminal/table.ts";
import { shortId } from "../../views/texts.ts";

// What people declared that tools do.

const NONE =
  "No tool has been declared. You can say what an unknown tool does on its question in the inbox, or with `leeway tools declare`.";

const list: CommandSpec = {
  name: "tools list",
  summary: "list what people declared about tools",
  options: [
    ["--all", "include removed declarations"],
    ["--policy", "print them as `tools:` rows for a policy file"],
  ],
  examples: ["leeway tools list", "leeway tools list --json", "leeway tools list --policy >> leeway.yaml"],
  exits: [0, 1, 2],
  act: (given) =>
    withGate(given, async (gate) => {
      const found = (await gate.tools()).filter(({ state }) => flag(given, "all") || state === "live");
      if (flag(given, "policy")) given.out.answer({ policy: policyRows(found) }, () => policyRows(found));
      else given.out.answer(found, () => declarationsText(given.out, found));
      return 0;
    }),
};

function declarationsText(out: Out, found: readonly Declaration[]): string {
  if (found.length === 0) return wrap(NONE, out.width);
  const rows = found.map((one) => [
    shortId(one.id),
    visible(aboutText(one)),
    kindOfClass(one.class) ?? one.class,
    visible(one.agent ?? "everybody"),
    visible(one.declaredBy),
    ...(one.state === "live" ? ["in force"] : ["removed"]),
  ]);
  return table(out, ["ID", "TOOL", "DOES", "FOR AGENT", "BY", "STATE"], rows);
}

function aboutText({ about }: Pick<Declaration, "about">): string {
  if (about.of === "server") return `${about.server}/*`;
  return about.definition === undefined ? about.tool : `${about.tool} (${about.definition.slice(7, 15)})`;
}

/**
 * Rows for a policy file. A row applies to all agents and to every definition of a name. So of several definitions
 * the most dangerous class is exported, and a declaration for one agent is left out and named in a comment.
 */
export function policyRows(found: readonly Declaration[]): string {
  const rows = new Map<string, Declaration>();
  const left: string[] = [];
  for (const one of found) {
    if (one.state !== "live") continue;
    if (one.agent !== undefined) {
      left.push(`# not exported: ${oneLine(nameInPolicy(one))} (${one.class}) for ${oneLine(one.agent)} alone`);
      continue;
    }
    const key = exactTool(nameInPolicy(one));
    const held = rows.get(key);
    if (held === undefined || graver(held.class, one.class) !== held.class) rows.set(key, one);
  }
  const lines = [...rows.values()].map(
    (one) => `  ${JSON.stringify(nameInPolicy(one))}: { class: ${one.class} } # declared by ${oneLine(one.declaredBy)}`,
  );
  return [...(lines.length === 0 ? ["# no tool was declared for everybody"] : ["tools:", ...lines]), ...left].join(
    "\n",
  );
}

/** Like a declaration of a whole server, a glob does not cover tools whose names suggest something more dangerous. */
function nameInPolicy({ about }: Pick<Declaration, "about">): string {
  return about.of === "tool" ? about.tool : `${about.server}/*`;
}

function oneLine(name: string): string {
  return visible(name).replace(/[\r\n]/g, " ");
}

const declare: CommandSpec = {
  name: "tools declare",
  summary: "say what a tool does, so that Leeway no longer treats it as unknown",
  args: [["[tool]", "the tool's name, as the agent calls it"]],
  options: [
    ["--does <what>", `${TOOL_KIND_NAMES.join(" | ")}; or a class such as fs.read`],
    [
      "--definition <hash>",
      "the hash of the definition that you read (sha256:…); if the definition changes, Leeway asks again",
    ],
    [
      "--server <name>",
      "instead of a tool: all tools of an MCP server, except those whose names suggest something more dangerous",
    ],
    ["--agent <name>", "only for calls of this agent"],
    ["--because <text>", "the reason"],
    AS_OPTION,
  ],
  examples: [
    "leeway tools declare get_weather --does looks",
    "leeway tools declare mcp__shop__refund --does moves-money",
    "leeway tools declare --server docs --does looks",
  ],
  exits: [0, 1, 2, 5],
  page: "Agents",
  act: (given) =>
    withDatabase(given, async (deps) => {
      const wanted = declarationOf(given);
      const { name: by } = await prove(given, deps, "declare a tool");
      const { value } = orFail(await addDeclaration(deps, { ...wanted, by, assurance: "tty" }));
      given.out.answer(value, () =>
        [
          `declared ${value.id}: ${nameText(aboutText(value))} is ${value.class}`,
          `to remove it: leeway tools forget ${shortId(value.id)}`,
        ].join("\n"),
      );
      return 0;
    }),
};

function declarationOf(given: CommandInput): Omit<NewDeclaration, "by" | "assurance"> {
  const [tool, server, definition, agent] = [
    given.args[0],
    text(given, "server"),
    text(given, "definition"),
    text(given, "agent"),
  ];
  if ((tool === undefined) === (server === undefined)) {
    throw usage("a declaration needs either a tool or a server", "name the tool, or give --server");
  }
  if (server !== undefined && (definition !== undefined || agent !== undefined)) {
    throw usage(
      "the declaration of a whole server is for all agents and definitions",
      "leave out --definition and --agent",
    );
  }
  if (definition !== undefined && !/^sha256:[0-9a-f]{64}$/.test(definition)) {
    throw usage(`--definition ${definition} is not a hash`, "give sha256: and 64 hex digits");
  }
  const does = needed(given, "does", "add what the tool does, as in --does looks");
  return {
    about:
      tool === undefined
        ? { of: "server", server: server ?? "" }
        : { of: "tool", tool, ...(definition === undefined ? {} : { definition: definition as Hash }) },
    class: classFor(oneOf(does, [...TOOL_KIND_NAMES, ...EFFECT_CLASSES], "value of --does")),
    because: text(given, "because") ?? "",
    ...(agent === undefined ? {} : { agent }),
  };
}

const forget: CommandSpec = {
  name: "tools forget",
  summary: "remove a declaration; the tool is unknown again",
  args: [["<id>", "the id of the declaration, or the start of it"]],
  options: [AS_OPTION],
  examples: ["leeway tools forget dec_019a8b"],
  exits: [0, 1, 2, 5],
  act: (given) =>
    withGate(given, async (gate) => {
      const forgotten = await (await gate.prove("remove a declaration")).forgetTool(first(given));
      given.out.answer(forgotten, () => `removed ${forgotten.id}; the tool is unknown again`);
      return 0;
    }),
};

export const tools = [list, declare, forget];
