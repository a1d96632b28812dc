export const PLAINLY_NAMED_TOOLS = String.raw`
# Tools of other programs, with plain names that say what they do.

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
`;
