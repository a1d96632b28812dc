export const CLAUDE_CODE_TOOLS = String.raw`
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

ListAgents, ReportFindings
  class none
  knows findings level status filter
  example {"findings":[]}

Workflow, Task, Agent
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
  knows questions question answers annotations metadata plan plan_file_path plan_path query max_results reason
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
`;
