import type { EffectClass, Level, Reach } from "../effect.ts";
import type { JsonObject } from "../values/json.ts";

/**
 * What the tools of the known agent hosts and servers do: data only, one line each. Arguments are named by the words
 * that tools use for them, separated by spaces; `edits.path` goes into a list or an object.
 */
export type ToolRow = {
  /** Names, separated by spaces. `server/tool` belongs to an MCP server. A name that is not listed is not known. */
  tools: string;
  class: EffectClass;
  capability?: string;
  level?: Level;
  /** Paths that are read, written, deleted; the folder of the call where `here` is set and none is given. */
  reads?: string;
  writes?: string;
  deletes?: string;
  here?: true;
  /** Patterns of file names; one that leaves the folder is a path of its own. */
  globs?: string;
  /** Works on everything below its paths. */
  deep?: true;
  /** What it looks for in files, the hidden ones too. */
  seeks?: string;
  /** Shows the lines that it finds unless the arguments say otherwise. */
  lines?: true;
  /** A patch text that names its own files. */
  patch?: string;
  /** A file written beside what the tool is for. */
  saves?: string;
  /** Words that are handed to git, which takes one that begins with a dash for an option. */
  refs?: string;
  /** The command of git that the tool stands for, run in its folder with those words. */
  words?: string;
  command?: string;
  /** Objects in the arguments in which the tool takes the command apart: `task task.options`. */
  within?: string;
  /** All arguments that the tool takes; another one makes it another tool. Tools for files have a table of their own. */
  knows?: string;
  /** The argument that says what the tool does, the values with which it only looks, and the others that are known. */
  verb?: string;
  looks?: string;
  acts?: string;
  /** A file that the tool changes whatever the arguments say. */
  leaves?: string;
  /** The command is for another shell than bash, whose grammar is not ours. */
  foreign?: true;
  /** Source text of a program: never examined, so never fully understood. */
  code?: string;
  urls?: string;
  /** Makes requests of any kind, so that an argument nobody knows may change what is sent. */
  sends?: true;
  /** The method that the tool's name says. */
  method?: string;
  sql?: string;
  domain?: string;
  reach?: Reach;
  reversible?: boolean;
  /** Arguments that classify as this line says. */
  example: JsonObject;
};

/** What every class means where a line says nothing else. */
export const CLASS_DEFAULTS: Record<
  EffectClass,
  { capability: string; level: Level; reach: Reach; reversible: boolean }
> = {
  none: { capability: "none", level: "none", reach: "local", reversible: true },
  "fs.read": { capability: "workspace.read_text", level: "read", reach: "host", reversible: true },
  "fs.write": { capability: "workspace.write_text", level: "write", reach: "host", reversible: true },
  "fs.mkdir": { capability: "workspace.write_text", level: "write", reach: "host", reversible: true },
  "fs.copy": { capability: "workspace.write_text", level: "write", reach: "host", reversible: true },
  "fs.move": { capability: "workspace.write_text", level: "write", reach: "host", reversible: true },
  "fs.delete": { capability: "workspace.delete", level: "admin", reach: "host", reversible: false },
  "process.exec": { capability: "process.exec", level: "execute", reach: "host", reversible: false },
  "host.call": { capability: "host.call", level: "execute", reach: "host", reversible: false },
  "store.write": { capability: "store.write", level: "write", reach: "local", reversible: true },
  "metadata.write": { capability: "metadata.write", level: "write", reach: "local", reversible: true },
  "checkpoint.write": { capability: "checkpoint.write", level: "write", reach: "local", reversible: true },
  "agent_state.write": { capability: "agent_state.write", level: "write", reach: "local", reversible: true },
  "mcp.release": { capability: "mcp.release", level: "write", reach: "local", reversible: true },
  "network.read": { capability: "network.read", level: "read", reach: "outside", reversible: true },
  "network.write": { capability: "network.write", level: "write", reach: "outside", reversible: false },
  "network.sse.write": { capability: "network.sse", level: "write", reach: "outside", reversible: false },
  "git.write": { capability: "git.write", level: "write", reach: "project", reversible: true },
  "message.send": { capability: "message.send", level: "write", reach: "outside", reversible: false },
  "db.read": { capability: "db.read", level: "read", reach: "project", reversible: true },
  "db.write": { capability: "db.write", level: "write", reach: "project", reversible: false },
  "browser.read": { capability: "browser.read", level: "read", reach: "outside", reversible: true },
  "browser.act": { capability: "browser.act", level: "execute", reach: "outside", reversible: false },
  "agent.spawn": { capability: "agent.spawn", level: "execute", reach: "local", reversible: true },
  "schedule.write": { capability: "schedule.write", level: "write", reach: "outside", reversible: true },
  "deploy.write": { capability: "deploy.write", level: "admin", reach: "outside", reversible: false },
  "payments.move": { capability: "payments.move", level: "admin", reach: "outside", reversible: false },
  "secrets.read": { capability: "secrets.read", level: "admin", reach: "host", reversible: false },
  "permissions.change": { capability: "permissions.change", level: "admin", reach: "host", reversible: false },
  unknown: { capability: "unknown", level: "admin", reach: "outside", reversible: false },
};

/** The words that tools use for one file, one folder, a source and a destination, a command, an address. */
const FILE =
  "path file_path file filename file_name absolute_path target_file target_path notebook_path relative_workspace_path uri paths files file_paths files.path reads.path edits.path edits.file_path";
/** An editor takes a path; a name with an id or a sharer beside it belongs to a drive of some service. */
const EDITED =
  "path file_path absolute_path target_file uri files files.path edits.path edits.file_path replacements.file_path";
const FOLDER =
  "path dir_path directory dir folder directory_path target_directory target_directories relative_workspace_path search_path uri paths include_directories";
const SOURCE = "source src from source_path old_path from_path sources";
const TARGET = "destination dest dst to destination_path new_path to_path target";
const COMMAND =
  "command cmd command_line script input argv args arguments params parameters flags options extra_args command_args cmd_args commands program bash_command shell_command";
const CODE = "code source script source_code program";
const URLS = "url urls uri href address link endpoint";
const SQL = "sql query statement queries statements";
const REPO = "repo_path path cwd directory worktree worktree_path worktreePath";
const REFS =
  "target ref revision rev branch branch_name base base_branch start_point commit remote contains not_contains files paths start_timestamp end_timestamp name onto upstream max_count skip count";
const SAVED = "filename file_name file_path path output response_file_path request_file_path";
const GLOBS = "glob globs include include_pattern file_pattern";

const file: JsonObject = { path: "src/a.ts" };
const folder: JsonObject = { path: "src" };
const sourceTarget: JsonObject = { source: "src/a.ts", destination: "src/b.ts" };
const run: JsonObject = { command: "make all" };
const page: JsonObject = { url: "https://example.com/a" };

// biome-ignore format: one line each
export const TOOL_ROWS: readonly ToolRow[] = [
  // The runtime's own functions, as scripts of an agent language call them.
  { tools: "write_file write_file_bytes append_file", class: "fs.write", writes: FILE, example: file },
  { tools: "mkdir mkdtemp", class: "fs.mkdir", writes: FOLDER, example: folder },
  { tools: "copy_file", class: "fs.copy", reads: SOURCE, writes: TARGET, example: sourceTarget },
  { tools: "move_file", class: "fs.move", deletes: SOURCE, writes: TARGET, example: sourceTarget },
  { tools: "delete_file", class: "fs.delete", deletes: FILE, example: file },
  { tools: "exec exec_at shell shell_at", class: "process.exec", command: COMMAND, example: run },
  { tools: "host_call", class: "host.call", example: { name: "clipboard.read" } },
  { tools: "store_set store_delete store_save", class: "store.write", knows: "key value name store namespace", example: { key: "a" } },
  { tools: "store_clear", class: "store.write", reach: "host", reversible: false, example: {} },
  { tools: "metadata_set metadata_save metadata_refresh_hashes invalidate_facts", class: "metadata.write", example: {} },
  { tools: "path_metadata_set verification_profiles_set verification_profile_record_run", class: "metadata.write", example: {} },
  { tools: "checkpoint checkpoint_delete", class: "checkpoint.write", example: {} },
  { tools: "checkpoint_clear", class: "checkpoint.write", reach: "host", reversible: false, example: {} },
  { tools: "sse_server_response sse_server_send sse_server_heartbeat sse_server_flush", class: "network.sse.write", example: {} },
  { tools: "sse_server_close sse_server_cancel", class: "network.sse.write", example: {} },
  { tools: "sse_server_mock_receive sse_server_mock_disconnect", class: "network.sse.write", example: {} },
  { tools: "__agent_state_write __agent_state_delete __agent_state_handoff", class: "agent_state.write", example: {} },
  { tools: "mcp_release", class: "mcp.release", example: {} },
  { tools: "git.worktree.create git.worktree.remove git.rebase", class: "git.write", writes: REPO, refs: REFS, here: true, example: {} },
  { tools: "git.fetch git.push", class: "git.write", writes: REPO, refs: REFS, here: true, reach: "outside", example: {} },
  { tools: "file.write file.edit file.patch", class: "fs.write", writes: FILE, example: file },
  { tools: "file.read", class: "fs.read", reads: FILE, example: file },
  { tools: "process.kill", class: "process.exec", example: { pid: 7 } },
  { tools: "shell.exec process.start", class: "process.exec", command: COMMAND, example: run },

  // Assistants in a company's chat.
  { tools: "read_files", class: "fs.read", reads: FILE, example: { paths: ["src/a.ts", "src/b.ts"] } },
  { tools: "write_workspace_files", class: "fs.write", writes: FILE, example: { files: [{ path: "src/a.ts", content: "x" }] } },
  { tools: "delete_files", class: "fs.delete", deletes: FILE, example: { paths: ["src/a.ts"] } },
  { tools: "send_feishu_message send_external_message", class: "message.send", example: { to: "ben", text: "hi" } },
  { tools: "send_message_to_agent send_file_to_agent", class: "message.send", example: { to: "coder", text: "hi" } },
  { tools: "web_search", class: "network.read", example: { query: "weather" } },
  { tools: "execute_code execute_code_e2b", class: "process.exec", code: CODE, example: { code: "print(1)" } },
  { tools: "modify_soul", class: "agent_state.write", reach: "host", example: { text: "be kind" } },
  { tools: "manage_tasks", class: "agent_state.write", example: { text: "be kind" } },
  { tools: "access_business_system_read", class: "db.read", example: { table: "orders" } },
  { tools: "access_business_system_write", class: "db.write", example: { table: "orders" } },
  { tools: "financial_operations", class: "payments.move", example: { amount: 5 } },
  { tools: "create_calendar_event", class: "schedule.write", example: { title: "call" } },

  // Claude Code.
  { tools: "Read NotebookRead", class: "fs.read", reads: FILE, example: { file_path: "src/a.ts" } },
  { tools: "Write Edit MultiEdit NotebookEdit", class: "fs.write", writes: FILE, example: { file_path: "src/a.ts" } },
  { tools: "Glob", class: "fs.read", reads: FOLDER, globs: "pattern", here: true, deep: true, example: { pattern: "**/*.ts" } },
  { tools: "Grep", class: "fs.read", reads: FOLDER, globs: GLOBS, here: true, deep: true, seeks: "pattern", example: { pattern: "x" } },
  { tools: "LS", class: "fs.read", reads: FOLDER, globs: GLOBS, here: true, deep: true, example: { pattern: "x" } },
  { tools: "Bash", class: "process.exec", command: COMMAND, example: run },
  { tools: "BashOutput TaskOutput TaskGet TaskList", class: "none", knows: "bash_id task_id shell_id id filter block timeout wait_up_to status owner", example: { bash_id: "1" } },
  { tools: "KillShell KillBash TaskStop", class: "process.exec", example: { shell_id: "1" } },
  { tools: "WebFetch", class: "network.read", urls: URLS, sends: true, example: page },
  { tools: "Task Agent", class: "agent.spawn", example: { prompt: "look around" } },
  { tools: "SendMessage", class: "message.send", example: { to: "coder", message: "hi" } },
  { tools: "TodoWrite TodoRead TaskCreate TaskUpdate", class: "none", knows: "todos merge tasks id task_id status subject title content description active_form add_blocked_by add_blocks blocked_by blocks metadata owner priority", example: { todos: [] } },
  { tools: "AskUserQuestion EnterPlanMode ExitPlanMode ToolSearch", class: "none", knows: "questions question answers annotations metadata plan plan_file_path query max_results reason", example: { plan: "x" } },
  { tools: "SlashCommand Skill", class: "agent.spawn", example: { command: "/review" } },
  { tools: "ListMcpResourcesTool ReadMcpResourceTool", class: "network.read", example: { server: "docs", uri: "docs://a" } },
  { tools: "CronCreate CronDelete ScheduleWakeup", class: "schedule.write", example: { cron: "0 9 * * *" } },
  { tools: "CronList", class: "none", knows: "limit status", example: {} },
  { tools: "EnterWorktree ExitWorktree", class: "git.write", writes: REPO, here: true, example: { name: "a" } },
  { tools: "LSP", class: "fs.read", reads: FILE, here: true, verb: "operation", looks: "goToDefinition goToImplementation goToTypeDefinition findReferences hover documentSymbol workspaceSymbol prepareCallHierarchy incomingCalls outgoingCalls diagnostics", example: { filePath: "src/a.ts" } },
  { tools: "PowerShell", class: "process.exec", command: COMMAND, foreign: true, example: run },

  // Codex.
  { tools: "shell_command local_shell unified_exec exec_command", class: "process.exec", command: COMMAND, example: run },
  { tools: "write_stdin", class: "process.exec", code: "chars input", example: { chars: "y" } },
  { tools: "apply_patch", class: "fs.write", patch: "input patch patch_text diff", example: { input: "*** Update File: src/a.ts\n" } },
  { tools: "update_plan request_user_input", class: "none", knows: "plan explanation questions question message title description", example: { plan: [] } },
  { tools: "view_image", class: "fs.read", reads: FILE, example: file },
  { tools: "list_dir grep_files", class: "fs.read", reads: FOLDER, globs: GLOBS, here: true, deep: true, example: { dir_path: "src" } },
  { tools: "spawn_agent resume_agent", class: "agent.spawn", example: { message: "look around" } },
  { tools: "send_input close_agent", class: "message.send", example: { id: "1", message: "hi" } },
  { tools: "wait wait_agent", class: "none", knows: "id ids timeout timeout_ms targets seconds ms duration", example: { ids: ["1"] } },
  { tools: "list_mcp_resources list_mcp_resource_templates read_mcp_resource", class: "network.read", example: { server: "docs" } },

  // Gemini CLI.
  { tools: "read_file", class: "fs.read", reads: FILE, example: file },
  { tools: "read_many_files", class: "fs.read", reads: FILE, globs: "include", deep: true, example: { paths: ["src"] } },
  { tools: "list_directory", class: "fs.read", reads: FOLDER, globs: GLOBS, here: true, deep: true, example: { path: "src" } },
  { tools: "search_file_content grep_search", class: "fs.read", reads: FOLDER, globs: GLOBS, here: true, deep: true, seeks: "pattern query", lines: true, example: { pattern: "handler" } },
  { tools: "replace", class: "fs.write", writes: FILE, example: { file_path: "src/a.ts" } },
  { tools: "run_shell_command", class: "process.exec", command: COMMAND, example: run },
  { tools: "web_fetch", class: "network.read", urls: "url urls prompt", sends: true, example: { prompt: "https://example.com/a" } },
  { tools: "google_web_search", class: "network.read", example: { query: "weather" } },
  { tools: "save_memory", class: "agent_state.write", reach: "host", example: { fact: "tea" } },
  { tools: "write_todos ask_user", class: "none", knows: "todos question questions message description", example: { todos: [] } },
  { tools: "activate_skill delegate_to_agent", class: "agent.spawn", example: { name: "reviewer" } },

  // opencode.
  { tools: "multiedit patch", class: "fs.write", writes: FILE, patch: "patch_text patch diff input", example: { filePath: "src/a.ts" } },
  { tools: "list", class: "fs.read", reads: FOLDER, here: true, deep: true, example: folder },
  { tools: "todowrite todoread question plan_exit plan_enter", class: "none", knows: "todos merge question questions plan id status content title description header options priority", example: { todos: [] } },
  { tools: "codesearch websearch", class: "network.read", example: { query: "x" } },

  // VS Code.
  { tools: "runTerminalCommand runInTerminal run_in_terminal copilot_runInTerminal", class: "process.exec", command: COMMAND, example: run },
  { tools: "createAndRunTask create_and_run_task copilot_createAndRunTask", class: "process.exec", command: COMMAND, within: "task task.options", leaves: ".vscode/tasks.json", example: { task: { command: "make" } } },
  { tools: "runTests runVscodeCommand runTask run_task runCommands copilot_runTests copilot_runVscodeCommand", class: "process.exec", example: { id: "test" } },
  { tools: "editFiles createFile create_file insertEdit insert_edit_into_file replaceString replace_string_in_file multi_replace_string_in_file", class: "fs.write", writes: EDITED, example: { filePath: "src/a.ts" } },
  { tools: "copilot_createFile copilot_insertEdit copilot_replaceString copilot_multiReplaceString copilot_editFiles edit_notebook_file copilot_editNotebook", class: "fs.write", writes: EDITED, example: { filePath: "src/a.ts" } },
  { tools: "copilot_applyPatch", class: "fs.write", patch: "input patch diff", example: { input: "*** Add File: src/a.ts\n" } },
  { tools: "createDirectory create_directory copilot_createDirectory", class: "fs.mkdir", writes: FOLDER, example: { dirPath: "src" } },
  { tools: "readFile copilot_readFile copilot_viewImage copilot_getNotebookSummary", class: "fs.read", reads: FILE, example: { filePath: "src/a.ts" } },
  { tools: "listDirectory copilot_listDirectory file_search findFiles copilot_findFiles text_search textSearch copilot_findTextInFiles", class: "fs.read", reads: FOLDER, globs: GLOBS, here: true, deep: true, example: { query: "x" } },
  { tools: "codebase semantic_search copilot_searchCodebase usages list_code_usages copilot_listCodeUsages test_search copilot_searchWorkspaceSymbols", class: "fs.read", reads: `${FOLDER} file_paths`, here: true, deep: true, example: { query: "x" } },
  { tools: "problems get_errors copilot_getErrors changes get_changed_files copilot_getChangedFiles", class: "fs.read", reads: `${FILE} repository_path`, here: true, example: {} },
  { tools: "get_terminal_output terminal_last_command terminal_selection copilot_getTerminalOutput manage_todo_list", class: "none", knows: "id terminal_id operation todo_list todos", example: { id: "1" } },
  { tools: "fetch_webpage copilot_fetchWebPage openSimpleBrowser open_simple_browser copilot_openSimpleBrowser", class: "network.read", urls: URLS, sends: true, example: { urls: ["https://example.com"] } },
  { tools: "githubRepo github_repo copilot_githubRepo", class: "network.read", domain: "api.github.com", example: { repo: "a/b" } },
  { tools: "runSubagent", class: "agent.spawn", example: { prompt: "look around" } },
  { tools: "installExtension install_extension copilot_installExtension", class: "permissions.change", example: { id: "a.b" } },

  // Cursor, Cline and kin.
  { tools: "run_terminal_cmd run_terminal_command execute_command", class: "process.exec", command: COMMAND, example: run },
  { tools: "edit_file search_replace reapply write_to_file replace_in_file apply_diff insert_content edit_notebook", class: "fs.write", writes: FILE, example: { target_file: "src/a.ts" } },
  { tools: "codebase_search search_files list_files list_code_definition_names grep_code read_lints", class: "fs.read", reads: FOLDER, globs: GLOBS, here: true, deep: true, example: { query: "x" } },
  { tools: "attempt_completion ask_followup_question update_todo_list switch_mode", class: "none", knows: "result question follow_up options todos mode mode_slug reason message task_progress", example: { result: "done" } },
  { tools: "new_task", class: "agent.spawn", example: { message: "look around" } },
  { tools: "update_memory", class: "agent_state.write", reach: "host", example: { text: "tea" } },
  { tools: "fetch_rules", class: "fs.read", reads: FOLDER, here: true, example: {} },

  // Programs of their own: plain names that say what they do.
  { tools: "str_replace_editor str_replace_based_edit_tool text_editor", class: "fs.write", writes: FILE, verb: "command", looks: "view", acts: "create str_replace insert write undo_edit", example: file },
  { tools: "append edit_block file_edit file_append create_text_file edit_text_file", class: "fs.write", writes: FILE, example: file },
  { tools: "remove_file unlink rm delete_path", class: "fs.delete", deletes: FILE, example: file },
  { tools: "delete_directory remove_directory rmdir delete_folder", class: "fs.delete", deletes: FOLDER, deep: true, example: folder },
  { tools: "rename_file rename_path", class: "fs.move", deletes: SOURCE, writes: TARGET, example: sourceTarget },
  { tools: "run_command execute_bash execute_shell terminal run_bash bash_tool start_process", class: "process.exec", command: COMMAND, example: run },
  { tools: "interact_with_process", class: "process.exec", code: "input text chars", example: { input: "y" } },
  { tools: "python code_interpreter run_python execute_python run_code python_exec repl", class: "process.exec", code: CODE, example: { code: "1" } },
  { tools: "http_request http request curl fetch_url http_fetch", class: "network.read", urls: URLS, sends: true, example: page },
  { tools: "http_get", class: "network.read", urls: URLS, sends: true, method: "GET", example: page },
  { tools: "http_post", class: "network.write", urls: URLS, sends: true, method: "POST", example: page },
  { tools: "http_put", class: "network.write", urls: URLS, sends: true, method: "PUT", example: page },
  { tools: "http_patch", class: "network.write", urls: URLS, sends: true, method: "PATCH", example: page },
  { tools: "http_delete", class: "network.write", urls: URLS, sends: true, method: "DELETE", example: page },
  { tools: "send_email send_mail gmail_send email_send", class: "message.send", example: { to: "ben@example.com" } },
  { tools: "read_secret get_secret secrets_get", class: "secrets.read", example: { name: "key" } },
  { tools: "deploy deploy_service", class: "deploy.write", example: { service: "shop" } },
  { tools: "create_payment transfer_funds", class: "payments.move", example: { amount: 5 } },

  // MCP: files and git.
  { tools: "filesystem/read_file filesystem/read_text_file filesystem/read_media_file filesystem/get_file_info", class: "fs.read", reads: FILE, example: file },
  { tools: "filesystem/read_multiple_files", class: "fs.read", reads: FILE, example: { paths: ["src/a.ts"] } },
  { tools: "filesystem/write_file filesystem/edit_file", class: "fs.write", writes: FILE, example: file },
  { tools: "filesystem/create_directory", class: "fs.mkdir", writes: FOLDER, example: folder },
  { tools: "filesystem/move_file", class: "fs.move", deletes: SOURCE, writes: TARGET, example: sourceTarget },
  { tools: "filesystem/list_directory filesystem/list_directory_with_sizes", class: "fs.read", reads: FOLDER, example: folder },
  { tools: "filesystem/directory_tree filesystem/search_files", class: "fs.read", reads: FOLDER, globs: "pattern", deep: true, example: folder },
  { tools: "filesystem/list_allowed_directories", class: "none", knows: "", example: {} },
  { tools: "git/git_status", class: "fs.read", words: "git status", reads: REPO, refs: REFS, deep: true, example: { repo_path: "." } },
  { tools: "git/git_diff git/git_diff_unstaged git/git_diff_staged", class: "fs.read", words: "git diff", reads: REPO, refs: REFS, deep: true, example: { repo_path: "." } },
  { tools: "git/git_log", class: "fs.read", words: "git log", reads: REPO, refs: REFS, deep: true, example: { repo_path: "." } },
  { tools: "git/git_show", class: "fs.read", words: "git show", reads: REPO, refs: REFS, deep: true, example: { repo_path: "." } },
  { tools: "git/git_branch", class: "fs.read", words: "git branch --list", reads: REPO, refs: REFS, deep: true, verb: "branch_type", looks: "local remote all", example: { repo_path: "." } },
  { tools: "git/git_add", class: "git.write", words: "git add", writes: REPO, refs: REFS, example: { repo_path: "." } },
  { tools: "git/git_commit", class: "git.write", words: "git commit", writes: REPO, refs: REFS, example: { repo_path: "." } },
  { tools: "git/git_reset", class: "git.write", words: "git reset", writes: REPO, refs: REFS, example: { repo_path: "." } },
  { tools: "git/git_create_branch", class: "git.write", words: "git branch", writes: REPO, refs: REFS, example: { repo_path: ".", branch_name: "topic" } },
  { tools: "git/git_checkout", class: "git.write", words: "git checkout", writes: REPO, refs: REFS, example: { repo_path: "." } },
  { tools: "git/git_init", class: "git.write", writes: REPO, refs: REFS, example: { repo_path: "." } },

  // MCP: GitHub.
  { tools: "github/get_me github/get_teams github/get_team_members github/get_file_contents github/get_commit github/get_tag github/get_latest_release github/get_release_by_tag github/get_issue github/get_issue_comments github/get_label github/get_pull_request github/get_pull_request_files github/get_pull_request_diff github/get_pull_request_status github/get_pull_request_comments github/get_pull_request_reviews github/get_pull_request_review_comments github/get_workflow_run github/get_workflow_run_usage github/get_workflow_run_logs github/get_job_logs github/get_code_scanning_alert github/get_dependabot_alert github/get_notification_details github/get_discussion github/get_discussion_comments github/get_gist github/get_project github/get_project_field github/get_project_item github/get_repository_tree github/get_global_security_advisory github/get_copilot_job_status", class: "network.read", domain: "api.github.com", example: { owner: "a", repo: "b" } },
  { tools: "github/list_commits github/list_branches github/list_tags github/list_releases github/list_issues github/list_issue_types github/list_sub_issues github/list_label github/list_labels github/list_pull_requests github/list_workflows github/list_workflow_runs github/list_workflow_jobs github/list_workflow_run_artifacts github/list_code_scanning_alerts github/list_dependabot_alerts github/list_notifications github/list_discussions github/list_discussion_categories github/list_gists github/list_projects github/list_project_fields github/list_project_items github/list_starred_repositories github/list_global_security_advisories github/list_repository_security_advisories github/list_org_repository_security_advisories", class: "network.read", domain: "api.github.com", example: { owner: "a", repo: "b" } },
  { tools: "github/search_code github/search_repositories github/search_users github/search_orgs github/search_issues github/search_pull_requests", class: "network.read", domain: "api.github.com", example: { owner: "a", repo: "b" } },
  { tools: "github/issue_read github/pull_request_read", class: "network.read", domain: "api.github.com", verb: "method", looks: "get get_comments get_sub_issues get_labels get_diff get_status get_files get_review_comments get_reviews get_check_runs", example: { owner: "a", repo: "b" } },
  { tools: "github/get_secret_scanning_alert github/list_secret_scanning_alerts", class: "secrets.read", domain: "api.github.com", example: { owner: "a", repo: "b" } },
  { tools: "github/create_or_update_file github/push_files github/create_branch github/delete_file github/fork_repository github/create_repository github/merge_pull_request github/update_pull_request_branch", class: "git.write", domain: "api.github.com", reach: "outside", reversible: false, example: { owner: "a", repo: "b" } },
  { tools: "github/create_issue github/update_issue github/add_issue_comment github/issue_write github/sub_issue_write github/add_sub_issue github/remove_sub_issue github/reprioritize_sub_issue github/create_pull_request github/update_pull_request github/create_pull_request_review github/create_pending_pull_request_review github/create_and_submit_pull_request_review github/add_comment_to_pending_review github/add_pull_request_review_comment github/add_pull_request_review_comment_to_pending_review github/add_reply_to_pull_request_comment github/pull_request_review_write github/request_copilot_review github/assign_copilot_to_issue github/create_pull_request_with_copilot github/create_gist github/update_gist github/add_project_item github/update_project_item", class: "message.send", domain: "api.github.com", example: { owner: "a", repo: "b" } },
  { tools: "github/submit_pending_pull_request_review github/delete_pending_pull_request_review github/dismiss_notification github/mark_all_notifications_read github/manage_notification_subscription github/manage_repository_notification_subscription github/delete_project_item github/delete_workflow_run_logs github/label_write github/star_repository github/unstar_repository", class: "network.write", domain: "api.github.com", example: { owner: "a", repo: "b" } },
  { tools: "github/run_workflow github/rerun_workflow_run github/rerun_failed_jobs github/cancel_workflow_run github/create_release", class: "deploy.write", domain: "api.github.com", example: { owner: "a", repo: "b" } },

  // MCP: the web and the browser.
  { tools: "fetch/fetch fetch/fetch_html fetch/fetch_json fetch/fetch_txt fetch/fetch_markdown", class: "network.read", urls: URLS, sends: true, example: page },
  { tools: "browser_navigate playwright/browser_navigate puppeteer/puppeteer_navigate chromedevtools/navigate_page chromedevtools/new_page", class: "browser.read", urls: URLS, knows: "url uri timeout wait_until type ignore_cache page_idx page_id index width height background reason description handle_before_unload", example: page },
  { tools: "browser_snapshot browser_take_screenshot browser_console_messages browser_network_requests browser_tab_list browser_wait_for browser_resize", class: "browser.read", saves: SAVED, reach: "local", example: {} },
  { tools: "playwright/browser_snapshot playwright/browser_take_screenshot playwright/browser_console_messages playwright/browser_network_requests playwright/browser_wait_for playwright/browser_resize playwright/browser_hover", class: "browser.read", saves: SAVED, reach: "local", example: {} },
  { tools: "browser_tabs playwright/browser_tabs", class: "browser.read", reach: "local", knows: "action index", verb: "action", looks: "list select new create", example: {} },
  { tools: "playwright/browser_navigate_back playwright/browser_navigate_forward browser_navigate_back browser_navigate_forward", class: "browser.read", example: {} },
  { tools: "browser_click browser_type browser_fill_form browser_press_key browser_select_option browser_drag browser_evaluate browser_handle_dialog browser_close browser_action", class: "browser.act", example: { ref: "a" } },
  { tools: "playwright/browser_click playwright/browser_type playwright/browser_fill_form playwright/browser_press_key playwright/browser_select_option playwright/browser_drag playwright/browser_evaluate playwright/browser_run_code playwright/browser_handle_dialog playwright/browser_close playwright/browser_install", class: "browser.act", example: { ref: "a" } },
  { tools: "browser_file_upload playwright/browser_file_upload", class: "browser.act", reads: "paths", example: { paths: ["src/a.ts"] } },
  { tools: "puppeteer/puppeteer_screenshot chromedevtools/take_snapshot chromedevtools/take_screenshot chromedevtools/list_pages chromedevtools/list_network_requests chromedevtools/list_console_messages chromedevtools/get_network_request chromedevtools/get_console_message", class: "browser.read", saves: SAVED, reach: "local", example: {} },
  { tools: "puppeteer/puppeteer_click puppeteer/puppeteer_fill puppeteer/puppeteer_select puppeteer/puppeteer_hover puppeteer/puppeteer_evaluate chromedevtools/click chromedevtools/fill chromedevtools/fill_form chromedevtools/evaluate_script chromedevtools/press_key", class: "browser.act", example: { selector: "a" } },

  // MCP: databases, messages, memory and thought.
  { tools: "postgres/query postgresql/query sqlite/read_query mysql/query", class: "db.read", sql: SQL, example: { sql: "select 1" } },
  { tools: "postgres/execute postgres/execute_sql sqlite/write_query sqlite/create_table mysql/execute", class: "db.write", sql: SQL, example: { sql: "insert into a values (1)" } },
  { tools: "sqlite/list_tables sqlite/describe_table postgres/list_tables postgres/describe_table postgres/list_schemas", class: "db.read", example: { table: "a" } },
  { tools: "slack/slack_post_message slack/slack_reply_to_thread slack/slack_add_reaction slack/conversations_add_message", class: "message.send", domain: "slack.com", example: { channel_id: "C1", text: "hi" } },
  { tools: "slack/slack_list_channels slack/slack_get_channel_history slack/slack_get_thread_replies slack/slack_get_users slack/slack_get_user_profile slack/channels_list slack/conversations_history slack/conversations_replies slack/conversations_search_messages", class: "network.read", domain: "slack.com", example: {} },
  { tools: "memory/create_entities memory/create_relations memory/add_observations memory/delete_entities memory/delete_observations memory/delete_relations", class: "agent_state.write", reach: "host", example: { entities: [] } },
  { tools: "memory/read_graph memory/search_nodes memory/open_nodes", class: "none", knows: "query names", example: {} },
  { tools: "sequential_thinking/sequentialthinking", class: "none", knows: "thought next_thought_needed thought_number total_thoughts is_revision revises_thought branch_from_thought branch_id needs_more_thoughts", example: {} },
  { tools: "time/get_current_time time/convert_time", class: "none", knows: "timezone source_timezone target_timezone time", example: {} },
];
