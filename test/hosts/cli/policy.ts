/**
 * The policy of the driven hosts: what the name of a file begins with says which tier its command has, so that one script has
 * calls of every tier.
 */
export const POLICY = `version: 1
tiers:
  fs.read: auto
  fs.write: auto
  agent.spawn: auto
tools:
  notes/write_note: { class: fs.write }
  notes/erase_note: { class: fs.write }
tier: ask
rules:
  - { name: notify, match: { command: "touch notify*" }, tier: notify, because: notify files are told }
  - { name: suggest, match: { command: "touch suggest*" }, tier: suggest, because: suggest files are proposals }
  - { name: shadow, match: { command: "touch shadow*" }, tier: shadow, because: shadow files are watched }
  - { name: ask, match: { command: "touch ask*" }, tier: ask, because: ask files are for people }
  - { name: deny, match: { command: "touch deny*" }, tier: deny, because: deny files are not wanted }
  - { name: human, match: { command: "touch human*" }, tier: ask, human: true, because: human files need a human }
  - { name: notes, match: { tool: "notes/erase_note" }, tier: deny, because: notes are not erased }
approvals: { selfReview: true }
`;
