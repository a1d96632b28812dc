export const MCP_FILE_TOOLS = String.raw`
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
`;
