export const CHAT_ASSISTANT_TOOLS = String.raw`
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
`;
