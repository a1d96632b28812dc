export const CURSOR_TOOLS = String.raw`
# Cursor, Cline and similar programs.

run_terminal_cmd, run_terminal_command, execute_command
  class process.exec
  command COMMAND
  example {"command":"make all"}

edit_file, search_replace, reapply, write_to_file, replace_in_file, apply_diff, insert_content, edit_notebook
  class fs.write
  writes FILE
  example {"target_file":"src/a.ts"}

codebase_search, search_files, list_files, list_code_definition_names, grep_code, read_lints
  class fs.read
  reads FOLDER
  here
  globs GLOBS
  deep
  example {"query":"x"}

attempt_completion, ask_followup_question, update_todo_list, switch_mode
  class none
  knows result question follow_up options todos mode mode_slug reason message task_progress
  example {"result":"done"}

new_task
  class agent.spawn
  example {"message":"look around"}

update_memory
  class agent_state.write
  reach host
  example {"text":"tea"}

fetch_rules
  class fs.read
  reads FOLDER
  here
  example {}
`;
