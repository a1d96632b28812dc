export const TOOL_GROUPS = String.raw`
group FILE
  # Names of the argument that holds a file. The groups below do the same for folders, sources, destinations, commands and addresses.
  names path file_path file filename file_name absolute_path target_file target_path notebook_path
  names relative_workspace_path uri paths files file_paths files.path reads.path edits.path edits.file_path

group EDITED
  # An editor takes a path. A file that is named by an id or an owner belongs to a cloud drive.
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
`;
