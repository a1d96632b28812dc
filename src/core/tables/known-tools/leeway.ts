export const LEEWAY_TOOLS = String.raw`
# Leeway's own: a person accepts what an MCP server offers.

leeway.pin
  class permissions.change
  knows upstream of name definition old_text new_text
  example {"upstream":"a","of":"tool","name":"b","definition":"c"}

# What a rehearsed command changed is applied to the project.

leeway.apply
  class fs.write
  reads leads
  writes written leads
  deletes removed
  knows call rehearsal changes added deleted content loss lost written removed leads
  example {"call":"call_1","rehearsal":"a","changes":1,"content":"b","written":["src/a.ts"]}

# A person puts back what a call changed.

leeway.undo
  class fs.write
  writes written
  deletes removed
  knows call rehearsal changes added deleted content loss written removed
  example {"call":"call_1","rehearsal":"a","changes":1,"content":"b","written":["src/a.ts"]}

# A person approves a plan. The plan itself does nothing: each of its calls is decided again when it is made.

leeway.plan
  class none
  knows title steps
  example {"title":"a","steps":"[]"}
`;
