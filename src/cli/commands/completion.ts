import { usage } from "../failure.ts";
import { type CommandSpec, first, oneOf } from "../spec.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

/**
 * Made from the same list of commands that parsing uses. The list is a parameter, so that this file does not import
 * all commands.
 */
export function completionFor(commands: () => Promise<readonly CommandSpec[]>): CommandSpec {
  return {
    name: "completion",
    summary: "print a completion script for a shell",
    args: [["<shell>", SHELLS.join(" | ")]],
    examples: [
      "leeway completion bash >> ~/.bashrc",
      "leeway completion zsh > ~/.zfunc/_leeway",
      "leeway completion fish > ~/.config/fish/completions/leeway.fish",
    ],
    exits: [0, 2],
    act: async (given) => {
      const shell = oneOf(first(given), SHELLS, "shell");
      const script = SCRIPTS[shell](await commands());
      if (script === "") throw usage(`there is no completion for ${shell}`, "please report this");
      given.out.answer({ shell, script }, () => script);
      return 0;
    },
  };
}

const SCRIPTS: Record<Shell, (commands: readonly CommandSpec[]) => string> = {
  bash: (commands) => `# leeway completion for bash
_leeway() {
  local words="\${COMP_WORDS[*]:1:COMP_CWORD-1}" now="\${COMP_WORDS[COMP_CWORD]}" found=""
  case "$words" in
${caseLines(commands)}
  esac
  COMPREPLY=($(compgen -W "$found" -- "$now"))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$now"))
}
complete -F _leeway leeway
`,
  zsh: (commands) => `#compdef leeway
# leeway completion for zsh
_leeway() {
  local words_before="\${words[2,CURRENT-1]}" found=""
  case "$words_before" in
${caseLines(commands)}
  esac
  if [[ -n "$found" ]]; then compadd -- \${=found}; else _files; fi
}
compdef _leeway leeway
`,
  fish: (commands) =>
    [
      "# leeway completion for fish",
      ...topWords(commands).map(
        (word) => `complete -c leeway -n __fish_use_subcommand -f -a ${word} -d '${quoted(summaryOf(commands, word))}'`,
      ),
      ...commands.flatMap((spec) => fishLines(spec)),
      "",
    ].join("\n"),
};

/** From the longest name to the shortest, because the shell takes the first pattern that matches. */
function caseLines(commands: readonly CommandSpec[]): string {
  const own = [...commands]
    .sort((a, b) => b.name.length - a.name.length)
    .map((spec) => `    "${spec.name}"|"${spec.name} "*) found="${optionsOf(spec).join(" ")}";;`);
  const groups = [...new Set(commands.filter((spec) => spec.name.includes(" ")).map(groupOf))].map(
    (group) => `    "${group}") found="${childrenOf(commands, group).join(" ")}";;`,
  );
  return [...own, ...groups, `    "") found="${topWords(commands).join(" ")} --help --version";;`].join("\n");
}

function fishLines(spec: CommandSpec): string[] {
  const [group = "", word] = spec.name.split(" ");
  const seen = `'__fish_seen_subcommand_from ${group}'`;
  const child = word === undefined ? [] : [`complete -c leeway -n ${seen} -f -a ${word} -d '${quoted(spec.summary)}'`];
  return [...child, ...optionsOf(spec).map((option) => `complete -c leeway -n ${seen} -l ${option.slice(2)}`)];
}

function topWords(commands: readonly CommandSpec[]): string[] {
  return [...new Set(commands.map(groupOf))];
}

function groupOf(spec: CommandSpec): string {
  return spec.name.split(" ")[0] ?? spec.name;
}

function childrenOf(commands: readonly CommandSpec[], group: string): string[] {
  return commands.flatMap((spec) => (spec.name.startsWith(`${group} `) ? [spec.name.slice(group.length + 1)] : []));
}

function summaryOf(commands: readonly CommandSpec[], word: string): string {
  return commands.find((spec) => spec.name === word)?.summary ?? childrenOf(commands, word).join(", ");
}

function optionsOf(spec: CommandSpec): string[] {
  const named = (spec.options ?? []).flatMap(([flags]) => /--[a-z-]+/.exec(flags)?.[0] ?? []);
  return [...named, "--json", "--help"];
}

function quoted(text: string): string {
  return text.replaceAll("'", "\\'");
}
