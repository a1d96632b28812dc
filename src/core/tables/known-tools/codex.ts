export const CODEX_TOOLS = String.raw`
# Codex.

shell_command, local_shell, unified_exec, exec_command
  class process.exec
  command COMMAND
  example {"command":"make all"}

write_stdin
  class process.exec
  code chars input
  example {"chars":"y"}

apply_patch
  class fs.write
  patch input patch patch_text diff command
  example {"input":"*** Update File: src/a.ts\n"}

get_goal, create_goal, update_goal
  class none
  knows objective token_budget status
  example {"objective":"x"}

update_plan, request_user_input
  class none
  knows plan explanation questions question message title description
  example {"plan":[]}

view_image
  class fs.read
  reads FILE
  example {"path":"src/a.ts"}

list_dir, grep_files
  class fs.read
  reads FOLDER
  here
  globs GLOBS
  deep
  example {"dir_path":"src"}

spawn_agent, resume_agent
  class agent.spawn
  example {"message":"look around"}

send_input, close_agent
  class message.send
  example {"id":"1","message":"hi"}

wait, wait_agent
  class none
  knows id ids timeout timeout_ms targets seconds ms duration
  example {"ids":["1"]}

list_mcp_resources, list_mcp_resource_templates, read_mcp_resource
  class network.read
  example {"server":"docs"}
`;
