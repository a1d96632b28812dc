export const COPILOT_TOOLS = String.raw`
# Copilot CLI.

view
  class fs.read
  reads path
  example {"path":"src/a.ts"}

create
  class fs.write
  writes path
  example {"path":"src/a.ts","file_text":"x"}

list_bash, read_bash, list_agents, read_agent, report_intent
  class none
  knows shell_id delay agent_id intent include_completed since_turn timeout wait
  example {"intent":"x"}
`;
