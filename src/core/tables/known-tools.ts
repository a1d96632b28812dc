export const KNOWN_TOOLS = String.raw`
group FILE
  # The words that tools use for one file, one folder, a source and a destination, a command, an address.
  names path file_path file filename file_name absolute_path target_file target_path notebook_path
  names relative_workspace_path uri paths files file_paths files.path reads.path edits.path edits.file_path

group EDITED
  # An editor takes a path; a name with an id or an owner beside it belongs to a cloud drive.
  names path file_path absolute_path target_file uri files files.path edits.path edits.file_path replacements.file_path

group FOLDER
  names path dir_path directory dir folder directory_path target_directory target_directories relative_workspace_path
  names search_path uri paths include_directories

group SOURCE
  names source src from source_path old_path from_path sources

group TARGET
  names destination dest dst to destination_path new_path to_path target

group COMMAND
  names command cmd command_line script input argv args arguments params parameters flags options extra_args
  names command_args cmd_args commands program bash_command shell_command

group CODE
  names code source script source_code program

group URLS
  names url urls uri href address link endpoint

group SQL
  names sql query statement queries statements

group REPO
  names repo_path path cwd directory worktree worktree_path worktreePath

group REFS
  names target ref revision rev branch branch_name base base_branch start_point commit remote contains not_contains
  names files paths start_timestamp end_timestamp name onto upstream max_count skip count

group SAVED
  names filename file_name file_path path output response_file_path request_file_path

group GLOBS
  names glob globs include include_pattern file_pattern

# The runtime's own functions, as called by scripts of an agent language.
write_file, write_file_bytes, append_file
  class fs.write
  writes FILE
  example {"path":"src/a.ts"}

mkdir, mkdtemp
  class fs.mkdir
  writes FOLDER
  example {"path":"src"}

copy_file
  class fs.copy
  reads SOURCE
  writes TARGET
  example {"source":"src/a.ts","destination":"src/b.ts"}

move_file
  class fs.move
  writes TARGET
  deletes SOURCE
  example {"source":"src/a.ts","destination":"src/b.ts"}

delete_file
  class fs.delete
  deletes FILE
  example {"path":"src/a.ts"}

exec, exec_at, shell, shell_at
  class process.exec
  command COMMAND
  example {"command":"make all"}

host_call
  class host.call
  example {"name":"clipboard.read"}

store_set, store_delete, store_save
  class store.write
  knows key value name store namespace
  example {"key":"a"}

store_clear
  class store.write
  reach host
  reversible no
  example {}

metadata_set, metadata_save, metadata_refresh_hashes, invalidate_facts
  class metadata.write
  example {}

path_metadata_set, verification_profiles_set, verification_profile_record_run
  class metadata.write
  example {}

checkpoint, checkpoint_delete
  class checkpoint.write
  example {}

checkpoint_clear
  class checkpoint.write
  reach host
  reversible no
  example {}

sse_server_response, sse_server_send, sse_server_heartbeat, sse_server_flush
  class network.sse.write
  example {}

sse_server_close, sse_server_cancel
  class network.sse.write
  example {}

sse_server_mock_receive, sse_server_mock_disconnect
  class network.sse.write
  example {}

__agent_state_write, __agent_state_delete, __agent_state_handoff
  class agent_state.write
  example {}

mcp_release
  class mcp.release
  example {}

git.worktree.create, git.worktree.remove, git.rebase
  class git.write
  writes REPO
  here
  refs REFS
  example {}

git.fetch, git.push
  class git.write
  writes REPO
  here
  refs REFS
  reach outside
  example {}

file.write, file.edit, file.patch
  class fs.write
  writes FILE
  example {"path":"src/a.ts"}

file.read
  class fs.read
  reads FILE
  example {"path":"src/a.ts"}

process.kill
  class process.exec
  example {"pid":7}

shell.exec, process.start
  class process.exec
  command COMMAND
  example {"command":"make all"}

# Assistants in a company's chat.
read_files
  class fs.read
  reads FILE
  example {"paths":["src/a.ts","src/b.ts"]}

write_workspace_files
  class fs.write
  writes FILE
  example {"files":[{"path":"src/a.ts","content":"x"}]}

delete_files
  class fs.delete
  deletes FILE
  example {"paths":["src/a.ts"]}

send_feishu_message, send_external_message
  class message.send
  example {"to":"ben","text":"hi"}

send_message_to_agent, send_file_to_agent
  class message.send
  example {"to":"coder","text":"hi"}

web_search
  class network.read
  example {"query":"weather"}

execute_code, execute_code_e2b
  class process.exec
  code CODE
  example {"code":"print(1)"}

modify_soul
  class agent_state.write
  reach host
  example {"text":"be kind"}

manage_tasks
  class agent_state.write
  example {"text":"be kind"}

access_business_system_read
  class db.read
  example {"table":"orders"}

access_business_system_write
  class db.write
  example {"table":"orders"}

financial_operations
  class payments.move
  example {"amount":5}

create_calendar_event
  class schedule.write
  example {"title":"call"}

# Claude Code.
Read, NotebookRead
  class fs.read
  reads FILE
  example {"file_path":"src/a.ts"}

Write, Edit, MultiEdit, NotebookEdit
  class fs.write
  writes FILE
  example {"file_path":"src/a.ts"}

Glob
  class fs.read
  reads FOLDER
  here
  globs pattern
  deep
  example {"pattern":"**/*.ts"}

Grep
  class fs.read
  reads FOLDER
  here
  globs GLOBS
  deep
  seeks pattern
  example {"pattern":"x"}

LS
  class fs.read
  reads FOLDER
  here
  globs GLOBS
  deep
  example {"pattern":"x"}

Bash
  class process.exec
  command COMMAND
  example {"command":"make all"}

BashOutput, TaskOutput, TaskGet, TaskList
  class none
  knows bash_id task_id shell_id id filter block timeout wait_up_to status owner
  example {"bash_id":"1"}

KillShell, KillBash, TaskStop
  class process.exec
  example {"shell_id":"1"}

WebFetch
  class network.read
  urls URLS
  sends
  example {"url":"https://example.com/a"}

Task, Agent
  class agent.spawn
  example {"prompt":"look around"}

SendMessage
  class message.send
  example {"to":"coder","message":"hi"}

TodoWrite, TodoRead, TaskCreate, TaskUpdate
  class none
  knows todos merge tasks id task_id status subject title content description active_form add_blocked_by add_blocks
  knows blocked_by blocks metadata owner priority
  example {"todos":[]}

AskUserQuestion, EnterPlanMode, ExitPlanMode, ToolSearch
  class none
  knows questions question answers annotations metadata plan plan_file_path query max_results reason
  example {"plan":"x"}

SlashCommand, Skill
  class agent.spawn
  example {"command":"/review"}

ListMcpResourcesTool, ReadMcpResourceTool
  class network.read
  example {"server":"docs","uri":"docs://a"}

CronCreate, CronDelete, ScheduleWakeup
  class schedule.write
  example {"cron":"0 9 * * *"}

CronList
  class none
  knows limit status
  example {}

EnterWorktree, ExitWorktree
  class git.write
  writes REPO
  here
  example {"name":"a"}

LSP
  class fs.read
  reads FILE
  here
  verb operation
  looks goToDefinition goToImplementation goToTypeDefinition findReferences hover documentSymbol workspaceSymbol
  looks prepareCallHierarchy incomingCalls outgoingCalls diagnostics
  example {"filePath":"src/a.ts"}

PowerShell
  class process.exec
  command COMMAND
  foreign
  example {"command":"make all"}

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
  patch input patch patch_text diff
  example {"input":"*** Update File: src/a.ts\n"}

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

activate_skill, delegate_to_agent
  class agent.spawn
  example {"name":"reviewer"}

# opencode.
multiedit, patch
  class fs.write
  writes FILE
  patch patch_text patch diff input
  example {"filePath":"src/a.ts"}

list
  class fs.read
  reads FOLDER
  here
  deep
  example {"path":"src"}

todowrite, todoread, question, plan_exit, plan_enter
  class none
  knows todos merge question questions plan id status content title description header options priority
  example {"todos":[]}

codesearch, websearch
  class network.read
  example {"query":"x"}

# VS Code.
runTerminalCommand, runInTerminal, run_in_terminal, copilot_runInTerminal
  class process.exec
  command COMMAND
  example {"command":"make all"}

createAndRunTask, create_and_run_task, copilot_createAndRunTask
  class process.exec
  command COMMAND
  within task task.options
  leaves .vscode/tasks.json
  example {"task":{"command":"make"}}

runTests, runVscodeCommand, runTask, run_task, runCommands, copilot_runTests, copilot_runVscodeCommand
  class process.exec
  example {"id":"test"}

editFiles, createFile, create_file, insertEdit, insert_edit_into_file, replaceString, replace_string_in_file,
multi_replace_string_in_file
  class fs.write
  writes EDITED
  example {"filePath":"src/a.ts"}

copilot_createFile, copilot_insertEdit, copilot_replaceString, copilot_multiReplaceString, copilot_editFiles,
edit_notebook_file, copilot_editNotebook
  class fs.write
  writes EDITED
  example {"filePath":"src/a.ts"}

copilot_applyPatch
  class fs.write
  patch input patch diff
  example {"input":"*** Add File: src/a.ts\n"}

createDirectory, create_directory, copilot_createDirectory
  class fs.mkdir
  writes FOLDER
  example {"dirPath":"src"}

readFile, copilot_readFile, copilot_viewImage, copilot_getNotebookSummary
  class fs.read
  reads FILE
  example {"filePath":"src/a.ts"}

listDirectory, copilot_listDirectory, file_search, findFiles, copilot_findFiles, text_search, textSearch,
copilot_findTextInFiles
  class fs.read
  reads FOLDER
  here
  globs GLOBS
  deep
  example {"query":"x"}

codebase, semantic_search, copilot_searchCodebase, usages, list_code_usages, copilot_listCodeUsages, test_search,
copilot_searchWorkspaceSymbols
  class fs.read
  reads FOLDER file_paths
  here
  deep
  example {"query":"x"}

problems, get_errors, copilot_getErrors, changes, get_changed_files, copilot_getChangedFiles
  class fs.read
  reads FILE repository_path
  here
  example {}

get_terminal_output, terminal_last_command, terminal_selection, copilot_getTerminalOutput, manage_todo_list
  class none
  knows id terminal_id operation todo_list todos
  example {"id":"1"}

fetch_webpage, copilot_fetchWebPage, openSimpleBrowser, open_simple_browser, copilot_openSimpleBrowser
  class network.read
  urls URLS
  sends
  example {"urls":["https://example.com"]}

githubRepo, github_repo, copilot_githubRepo
  class network.read
  domain api.github.com
  example {"repo":"a/b"}

runSubagent
  class agent.spawn
  example {"prompt":"look around"}

installExtension, install_extension, copilot_installExtension
  class permissions.change
  example {"id":"a.b"}

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

# Other programs: plain names that say what they do.
str_replace_editor, str_replace_based_edit_tool, text_editor
  class fs.write
  writes FILE
  verb command
  looks view
  acts create str_replace insert write undo_edit
  example {"path":"src/a.ts"}

append, edit_block, file_edit, file_append, create_text_file, edit_text_file
  class fs.write
  writes FILE
  example {"path":"src/a.ts"}

remove_file, unlink, rm, delete_path
  class fs.delete
  deletes FILE
  example {"path":"src/a.ts"}

delete_directory, remove_directory, rmdir, delete_folder
  class fs.delete
  deletes FOLDER
  deep
  example {"path":"src"}

rename_file, rename_path
  class fs.move
  writes TARGET
  deletes SOURCE
  example {"source":"src/a.ts","destination":"src/b.ts"}

run_command, execute_bash, execute_shell, terminal, run_bash, bash_tool, start_process
  class process.exec
  command COMMAND
  example {"command":"make all"}

interact_with_process
  class process.exec
  code input text chars
  example {"input":"y"}

python, code_interpreter, run_python, execute_python, run_code, python_exec, repl
  class process.exec
  code CODE
  example {"code":"1"}

http_request, http, request, curl, fetch_url, http_fetch
  class network.read
  urls URLS
  sends
  example {"url":"https://example.com/a"}

http_get
  class network.read
  urls URLS
  sends
  method GET
  example {"url":"https://example.com/a"}

http_post
  class network.write
  urls URLS
  sends
  method POST
  example {"url":"https://example.com/a"}

http_put
  class network.write
  urls URLS
  sends
  method PUT
  example {"url":"https://example.com/a"}

http_patch
  class network.write
  urls URLS
  sends
  method PATCH
  example {"url":"https://example.com/a"}

http_delete
  class network.write
  urls URLS
  sends
  method DELETE
  example {"url":"https://example.com/a"}

send_email, send_mail, gmail_send, email_send
  class message.send
  example {"to":"ben@example.com"}

read_secret, get_secret, secrets_get
  class secrets.read
  example {"name":"key"}

deploy, deploy_service
  class deploy.write
  example {"service":"shop"}

create_payment, transfer_funds
  class payments.move
  example {"amount":5}

# MCP: files and git.
filesystem/read_file, filesystem/read_text_file, filesystem/read_media_file, filesystem/get_file_info
  class fs.read
  reads FILE
  example {"path":"src/a.ts"}

filesystem/read_multiple_files
  class fs.read
  reads FILE
  example {"paths":["src/a.ts"]}

filesystem/write_file, filesystem/edit_file
  class fs.write
  writes FILE
  example {"path":"src/a.ts"}

filesystem/create_directory
  class fs.mkdir
  writes FOLDER
  example {"path":"src"}

filesystem/move_file
  class fs.move
  writes TARGET
  deletes SOURCE
  example {"source":"src/a.ts","destination":"src/b.ts"}

filesystem/list_directory, filesystem/list_directory_with_sizes
  class fs.read
  reads FOLDER
  example {"path":"src"}

filesystem/directory_tree, filesystem/search_files
  class fs.read
  reads FOLDER
  globs pattern
  deep
  example {"path":"src"}

filesystem/list_allowed_directories
  class none
  knows
  example {}

git/git_status
  class fs.read
  reads REPO
  deep
  refs REFS
  words git status
  example {"repo_path":"."}

git/git_diff, git/git_diff_unstaged, git/git_diff_staged
  class fs.read
  reads REPO
  deep
  refs REFS
  words git diff
  example {"repo_path":"."}

git/git_log
  class fs.read
  reads REPO
  deep
  refs REFS
  words git log
  example {"repo_path":"."}

git/git_show
  class fs.read
  reads REPO
  deep
  refs REFS
  words git show
  example {"repo_path":"."}

git/git_branch
  class fs.read
  reads REPO
  deep
  refs REFS
  words git branch --list
  verb branch_type
  looks local remote all
  example {"repo_path":"."}

git/git_add
  class git.write
  writes REPO
  refs REFS
  words git add
  example {"repo_path":"."}

git/git_commit
  class git.write
  writes REPO
  refs REFS
  words git commit
  example {"repo_path":"."}

git/git_reset
  class git.write
  writes REPO
  refs REFS
  words git reset
  example {"repo_path":"."}

git/git_create_branch
  class git.write
  writes REPO
  refs REFS
  words git branch
  example {"repo_path":".","branch_name":"topic"}

git/git_checkout
  class git.write
  writes REPO
  refs REFS
  words git checkout
  example {"repo_path":"."}

git/git_init
  class git.write
  writes REPO
  refs REFS
  example {"repo_path":"."}

# MCP: GitHub.
github/get_me, github/get_teams, github/get_team_members, github/get_file_contents, github/get_commit, github/get_tag,
github/get_latest_release, github/get_release_by_tag, github/get_issue, github/get_issue_comments, github/get_label,
github/get_pull_request, github/get_pull_request_files, github/get_pull_request_diff, github/get_pull_request_status,
github/get_pull_request_comments, github/get_pull_request_reviews, github/get_pull_request_review_comments,
github/get_workflow_run, github/get_workflow_run_usage, github/get_workflow_run_logs, github/get_job_logs,
github/get_code_scanning_alert, github/get_dependabot_alert, github/get_notification_details, github/get_discussion,
github/get_discussion_comments, github/get_gist, github/get_project, github/get_project_field, github/get_project_item,
github/get_repository_tree, github/get_global_security_advisory, github/get_copilot_job_status
  class network.read
  domain api.github.com
  example {"owner":"a","repo":"b"}

github/list_commits, github/list_branches, github/list_tags, github/list_releases, github/list_issues,
github/list_issue_types, github/list_sub_issues, github/list_label, github/list_labels, github/list_pull_requests,
github/list_workflows, github/list_workflow_runs, github/list_workflow_jobs, github/list_workflow_run_artifacts,
github/list_code_scanning_alerts, github/list_dependabot_alerts, github/list_notifications, github/list_discussions,
github/list_discussion_categories, github/list_gists, github/list_projects, github/list_project_fields,
github/list_project_items, github/list_starred_repositories, github/list_global_security_advisories,
github/list_repository_security_advisories, github/list_org_repository_security_advisories
  class network.read
  domain api.github.com
  example {"owner":"a","repo":"b"}

github/search_code, github/search_repositories, github/search_users, github/search_orgs, github/search_issues,
github/search_pull_requests
  class network.read
  domain api.github.com
  example {"owner":"a","repo":"b"}

github/issue_read, github/pull_request_read
  class network.read
  verb method
  looks get get_comments get_sub_issues get_labels get_diff get_status get_files get_review_comments get_reviews
  looks get_check_runs
  domain api.github.com
  example {"owner":"a","repo":"b"}

github/get_secret_scanning_alert, github/list_secret_scanning_alerts
  class secrets.read
  domain api.github.com
  example {"owner":"a","repo":"b"}

github/create_or_update_file, github/push_files, github/create_branch, github/delete_file, github/fork_repository,
github/create_repository, github/merge_pull_request, github/update_pull_request_branch
  class git.write
  domain api.github.com
  reach outside
  reversible no
  example {"owner":"a","repo":"b"}

github/create_issue, github/update_issue, github/add_issue_comment, github/issue_write, github/sub_issue_write,
github/add_sub_issue, github/remove_sub_issue, github/reprioritize_sub_issue, github/create_pull_request,
github/update_pull_request, github/create_pull_request_review, github/create_pending_pull_request_review,
github/create_and_submit_pull_request_review, github/add_comment_to_pending_review,
github/add_pull_request_review_comment, github/add_pull_request_review_comment_to_pending_review,
github/add_reply_to_pull_request_comment, github/pull_request_review_write, github/request_copilot_review,
github/assign_copilot_to_issue, github/create_pull_request_with_copilot, github/create_gist, github/update_gist,
github/add_project_item, github/update_project_item
  class message.send
  domain api.github.com
  example {"owner":"a","repo":"b"}

github/submit_pending_pull_request_review, github/delete_pending_pull_request_review, github/dismiss_notification,
github/mark_all_notifications_read, github/manage_notification_subscription,
github/manage_repository_notification_subscription, github/delete_project_item, github/delete_workflow_run_logs,
github/label_write, github/star_repository, github/unstar_repository
  class network.write
  domain api.github.com
  example {"owner":"a","repo":"b"}

github/run_workflow, github/rerun_workflow_run, github/rerun_failed_jobs, github/cancel_workflow_run,
github/create_release
  class deploy.write
  domain api.github.com
  example {"owner":"a","repo":"b"}

# MCP: the web and the browser.
fetch/fetch, fetch/fetch_html, fetch/fetch_json, fetch/fetch_txt, fetch/fetch_markdown
  class network.read
  urls URLS
  sends
  example {"url":"https://example.com/a"}

browser_navigate, playwright/browser_navigate, puppeteer/puppeteer_navigate, chromedevtools/navigate_page,
chromedevtools/new_page
  class browser.read
  knows url uri timeout wait_until type ignore_cache page_idx page_id index width height background reason description
  knows handle_before_unload
  urls URLS
  example {"url":"https://example.com/a"}

browser_snapshot, browser_take_screenshot, browser_console_messages, browser_network_requests, browser_tab_list,
browser_wait_for, browser_resize
  class browser.read
  saves SAVED
  reach local
  example {}

playwright/browser_snapshot, playwright/browser_take_screenshot, playwright/browser_console_messages,
playwright/browser_network_requests, playwright/browser_wait_for, playwright/browser_resize, playwright/browser_hover
  class browser.read
  saves SAVED
  reach local
  example {}

browser_tabs, playwright/browser_tabs
  class browser.read
  knows action index
  verb action
  looks list select new create
  reach local
  example {}

playwright/browser_navigate_back, playwright/browser_navigate_forward, browser_navigate_back, browser_navigate_forward
  class browser.read
  example {}

browser_click, browser_type, browser_fill_form, browser_press_key, browser_select_option, browser_drag, browser_evaluate,
browser_handle_dialog, browser_close, browser_action
  class browser.act
  example {"ref":"a"}

playwright/browser_click, playwright/browser_type, playwright/browser_fill_form, playwright/browser_press_key,
playwright/browser_select_option, playwright/browser_drag, playwright/browser_evaluate, playwright/browser_run_code,
playwright/browser_handle_dialog, playwright/browser_close, playwright/browser_install
  class browser.act
  example {"ref":"a"}

browser_file_upload, playwright/browser_file_upload
  class browser.act
  reads paths
  example {"paths":["src/a.ts"]}

puppeteer/puppeteer_screenshot, chromedevtools/take_snapshot, chromedevtools/take_screenshot, chromedevtools/list_pages,
chromedevtools/list_network_requests, chromedevtools/list_console_messages, chromedevtools/get_network_request,
chromedevtools/get_console_message
  class browser.read
  saves SAVED
  reach local
  example {}

puppeteer/puppeteer_click, puppeteer/puppeteer_fill, puppeteer/puppeteer_select, puppeteer/puppeteer_hover,
puppeteer/puppeteer_evaluate, chromedevtools/click, chromedevtools/fill, chromedevtools/fill_form,
chromedevtools/evaluate_script, chromedevtools/press_key
  class browser.act
  example {"selector":"a"}

# MCP: databases, messages, memory and thinking.
postgres/query, postgresql/query, sqlite/read_query, mysql/query
  class db.read
  sql SQL
  example {"sql":"select 1"}

postgres/execute, postgres/execute_sql, sqlite/write_query, sqlite/create_table, mysql/execute
  class db.write
  sql SQL
  example {"sql":"insert into a values (1)"}

sqlite/list_tables, sqlite/describe_table, postgres/list_tables, postgres/describe_table, postgres/list_schemas
  class db.read
  example {"table":"a"}

slack/slack_post_message, slack/slack_reply_to_thread, slack/slack_add_reaction, slack/conversations_add_message
  class message.send
  domain slack.com
  example {"channel_id":"C1","text":"hi"}

slack/slack_list_channels, slack/slack_get_channel_history, slack/slack_get_thread_replies, slack/slack_get_users,
slack/slack_get_user_profile, slack/channels_list, slack/conversations_history, slack/conversations_replies,
slack/conversations_search_messages
  class network.read
  domain slack.com
  example {}

memory/create_entities, memory/create_relations, memory/add_observations, memory/delete_entities,
memory/delete_observations, memory/delete_relations
  class agent_state.write
  reach host
  example {"entities":[]}

memory/read_graph, memory/search_nodes, memory/open_nodes
  class none
  knows query names
  example {}

sequential_thinking/sequentialthinking
  class none
  knows thought next_thought_needed thought_number total_thoughts is_revision revises_thought branch_from_thought
  knows branch_id needs_more_thoughts
  example {}

time/get_current_time, time/convert_time
  class none
  knows timezone source_timezone target_timezone time
  example {}
`;
