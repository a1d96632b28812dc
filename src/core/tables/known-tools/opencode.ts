export const OPENCODE_TOOLS = String.raw`
# opencode.

multiedit, patch
  class fs.write
  writes FILE
  patch patch_text patch diff input
  example {"filePath":"src/a.ts"}

list
  class fs.read
  reads FOLDER
  here
  deep
  example {"path":"src"}

todowrite, todoread, question, plan_exit, plan_enter
  class none
  knows todos merge question questions plan id status content title description header options priority
  example {"todos":[]}

codesearch, websearch
  class network.read
  example {"query":"x"}
`;
