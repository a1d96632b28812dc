export const LEEWAY_TOOLS = String.raw`
# Leeway's own: a person accepts what an MCP server offers.

leeway.pin
  class permissions.change
  knows upstream of name definition old_text new_text
  example {"upstream":"a","of":"tool","name":"b","definition":"c"}
`;
