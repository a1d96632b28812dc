// Why a call cannot be remembered, and what a track record suggests to grant.

// biome-ignore format: one line each
export const GRANTS = {
  "remember.sub_agent": "a sub-agent made this call, and a grant is for one agent",
  "remember.not_understood": "what this call does is not fully understood, so nobody can tell which other calls are like it",
  "remember.no_target": "this call names nothing that a grant could be limited to",
  "remember.unresolved_path": "the path of a file in this call is not known for certain",
  "remember.last_star": "the last word of this command is `*`, which a grant would read as any arguments",
  "remember.needs_human": "this call needs a person's review each time",
  "remember.no_lift": "the policy asks about this call each time, whatever was granted before",
  "remember.class": "{class} is reviewed each time",
  "remember.variables": "the command sets {names}, which can change what the program does",
  "remember.grave": "`{program}` is one of the programs that delete data or control the machine, and each use of these is reviewed",
  "remember.launcher": "`{program}` can start any other program, so remembering it would allow anything",
  "remember.launcher_unnamed": "this command can start any other program, so remembering it would allow anything",

  "suggestion.path": "people approved {good} of {count} `{class}` calls of {agent} in `{where}` in {days} days (lower bound {percent} %): grant them?",
  "suggestion.domain": "people approved {good} of {count} `{class}` calls of {agent} at `{where}` in {days} days (lower bound {percent} %): grant them?",
  "suggestion.tool": "people approved {good} of {count} `{class}` calls of {agent} with the tool `{where}` in {days} days (lower bound {percent} %): grant them?",
  "suggestion.command": "people approved {good} of {count} `{class}` calls of {agent} as `{where}` in {days} days (lower bound {percent} %): grant them?",
  "suggestion.takes_command": "it takes a command",
  "suggestion.by_name": "its name says so",
  "suggestion.by_description": "its description says so",
  "suggestion.may_destroy": "its server says that it may destroy something",
  "suggestion.only_reads": "its server says that it only reads",
} as const;
