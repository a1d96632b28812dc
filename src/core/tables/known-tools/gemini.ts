export const GEMINI_TOOLS = String.raw`
# Gemini CLI.

read_file
  class fs.read
  reads FILE
  example {"path":"src/a.ts"}

read_many_files
  class fs.read
  reads FILE
  globs include
  deep
  example {"paths":["src"]}

list_directory
  class fs.read
  reads FOLDER
  here
  globs GLOBS
  deep
  example {"path":"src"}

search_file_content, grep_search
  class fs.read
  reads FOLDER
  here
  globs GLOBS
  deep
  seeks pattern query
  lines
  example {"pattern":"handler"}

replace
  class fs.write
  writes FILE
  example {"file_path":"src/a.ts"}

run_shell_command
  class process.exec
  command COMMAND
  example {"command":"make all"}

web_fetch
  class network.read
  urls url urls prompt
  sends
  example {"prompt":"https://example.com/a"}

google_web_search
  class network.read
  example {"query":"weather"}

save_memory
  class agent_state.write
  reach host
  example {"fact":"tea"}

write_todos, ask_user
  class none
  knows todos question questions message description
  example {"todos":[]}

update_topic, list_background_processes, read_background_output, complete_task
  class none
  knows title summary topic strategic_intent pid lines delay_ms result
  example {"title":"x"}

invoke_agent, activate_skill, delegate_to_agent
  class agent.spawn
  example {"name":"reviewer"}
`;
