export const MCP_SERVICE_TOOLS = String.raw`
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
