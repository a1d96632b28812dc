// Small models of how each agent program decides by its own rules, written from its documentation and its code.

/** What a host did: it ran the call, asked, or denied it. */
export type HostDecision = "allow" | "ask" | "deny";

const STRICTNESS = { allow: 0, ask: 1, deny: 2 } as const;

export function strictestOf(decisions: readonly HostDecision[]): HostDecision {
  return decisions.reduce((held, one) => (STRICTNESS[one] > STRICTNESS[held] ? one : held), "allow");
}

/** The single commands of a text without quotes: hosts decide about each. */
function commandsOf(text: string): readonly string[] {
  return text.split(/&&|\|\||;|\|/).map((one) => one.trim());
}

function starRegex(pattern: string): RegExp {
  return new RegExp(`^${pattern.split("*").map(escaped).join("[\\s\\S]*")}$`);
}

function escaped(text: string): string {
  return text.replace(/[.+^${}()|[\]\\?*]/g, "\\$&");
}

type Lists = { allow: readonly string[]; ask: readonly string[]; deny: readonly string[] };

/** Claude Code: a denial, then a question, then a permission; without any of them it asks. */
export function claudeCommand(lists: Lists, text: string): HostDecision {
  if (/[<>$`()]/.test(text)) return "ask";
  return strictestOf(
    commandsOf(text).map((command) => {
      const matches = (pattern: string) =>
        pattern.endsWith(":*")
          ? command === pattern.slice(0, -2) || command.startsWith(`${pattern.slice(0, -2)} `)
          : starRegex(pattern).test(command);
      if (lists.deny.some(matches)) return "deny";
      if (lists.ask.some(matches)) return "ask";
      return lists.allow.some(matches) ? "allow" : "ask";
    }),
  );
}

/** Codex: the strictest rule whose words the command begins with; without one it asks. */
export function codexCommand(
  rules: readonly (readonly [readonly string[], HostDecision])[],
  text: string,
): HostDecision {
  if (/[<>$`()]/.test(text)) return "ask";
  return strictestOf(
    commandsOf(text).map((command) => {
      const words = command.split(/ +/);
      const found = rules.filter(([prefix]) => prefix.every((word, i) => words[i] === word));
      return found.length === 0 ? "ask" : strictestOf(found.map(([, decision]) => decision));
    }),
  );
}

/** Gemini CLI: the rule with the highest priority whose beginning the text has; without one it asks. */
export function geminiCommand(
  rules: readonly { prefix: string; decision: HostDecision; priority: number }[],
  text: string,
): HostDecision {
  const decided = (command: string): HostDecision => {
    const found = [...rules]
      .sort((a, b) => b.priority - a.priority)
      .find(({ prefix }) => command === prefix || command.startsWith(`${prefix} `));
    return found?.decision ?? "ask";
  };
  if (/[<>]/.test(text)) return strictestOf(["ask", decided(text)]);
  return strictestOf([decided(text), ...commandsOf(text).map(decided)]);
}

/** opencode: the last pattern that matches; without one it runs. */
export function opencodeDecision(lines: readonly (readonly [string, HostDecision])[], text: string): HostDecision {
  return lines.findLast(([pattern]) => opencodeMatches(pattern, text))?.[1] ?? "allow";
}

export function opencodeCommand(lines: readonly (readonly [string, HostDecision])[], text: string): HostDecision {
  return strictestOf(commandsOf(text).map((command) => opencodeDecision(lines, command)));
}

function opencodeMatches(pattern: string, text: string): boolean {
  const source = escaped(pattern).replaceAll("\\*", "[\\s\\S]*").replaceAll("\\?", "[\\s\\S]");
  const ended = source.endsWith(" [\\s\\S]*") ? `${source.slice(0, -" [\\s\\S]*".length)}( [\\s\\S]*)?` : source;
  return new RegExp(`^${ended}$`).test(text);
}

/** A pattern in the manner of .gitignore, for a path relative to the project. A folder that matches matches all below it. */
export function gitignoreMatches(pattern: string, path: string): boolean {
  const body = pattern.replace(/^\.\//, "/").replace(/\/$/, "");
  const isAnchored = body.includes("/");
  const wanted = body.split("/").filter((segment) => segment !== "");
  const given = path.split("/");
  const starts = isAnchored ? [0] : given.map((_, i) => i);
  const ends = given.map((_, i) => i + 1).filter((end) => !pattern.endsWith("/") || end < given.length);
  return starts.some((start) => ends.some((end) => end > start && segmentsMatch(wanted, given.slice(start, end))));
}

function segmentsMatch(wanted: readonly string[], given: readonly string[]): boolean {
  const [first, ...rest] = wanted;
  if (first === undefined) return given.length === 0;
  if (first === "**") {
    if (rest.length === 0) return given.length > 0;
    return given.some((_, i) => segmentsMatch(rest, given.slice(i))) || segmentsMatch(rest, []);
  }
  return given.length > 0 && starRegex(first).test(given[0] ?? "") && segmentsMatch(rest, given.slice(1));
}
