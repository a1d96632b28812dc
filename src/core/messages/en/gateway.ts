// What the MCP gateway tells models, in English.

// biome-ignore format: one line each
export const GATEWAY = {
  "gateway.wait": "To wait for the answer, call the tool leeway_wait with the id {id}: it runs the call once it is approved and returns its result.",
  "gateway.waiting": "waiting for a person to answer the question {id}",
  "gateway.hidden": "Leeway hides this tool of the MCP server {server}: its definition is new or has changed, and nobody has accepted it. Calling it asks a person to review the definition.",
  "gateway.asked": "People were asked to review the definition of the tool; the question is {id}.",
  "gateway.refused": "{person} has reviewed the definition of this tool and refused it.",
  "gateway.drifted": "The definition of this tool changed while the call waited, so the call did not run.",
  "gateway.gone": "The MCP server {server} stopped while the call ran ({why}). Whether the call had an effect is not known. Do not retry it before you or a person have checked.",
  "gateway.unrecorded": "The call ran, but its result could not be recorded ({why}). Do not retry it; tell the user.",
  "gateway.undecided": "Leeway could not decide, so the call did not run: {why}. Do not retry it; tell the user.",
  "gateway.cut": "The call ran before. Its result was too large to keep; this is its start.",
  "gateway.edited": "A reviewer changed the arguments of this call. It ran with: {args}",
  "gateway.not_yours": "There is no question {id} of this session. If you made the call in an earlier session, make the same call again: it waits for the same question.",
  "gateway.about_wait": "Waits until a person has answered a question of Leeway about one of your calls. If it is approved, the call runs and this returns its result. If nobody has answered after about a minute, call this again.",
  "gateway.about_status": "Says how a question of Leeway about one of your calls stands, without waiting.",
  "gateway.about_id": "The id of the question: apr_ and more.",
} as const;
