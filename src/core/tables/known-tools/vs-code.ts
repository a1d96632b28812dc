export const VS_CODE_TOOLS = String.raw`
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
`;
