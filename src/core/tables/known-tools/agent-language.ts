export const AGENT_LANGUAGE_TOOLS = String.raw`
# Functions that the runtime of the agent language Harn offers to its scripts.

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
`;
