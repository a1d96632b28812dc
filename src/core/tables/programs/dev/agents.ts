export const AGENT_PROGRAMS = String.raw`
# Agents and models that are started from a command line.

claude, codex, gemini, aider, opencode, goose, amp, cursor-agent, copilot, qwen, crush, cody, cline, droid, openhands,
swe-agent, plandex, llm, ollama run, mods, sgpt, interpreter, gptme, kimi, auggie
  class agent.spawn
  check alone
  takes text...
  options --version<none -h,--help<none --dangerously-skip-permissions>permissions.change
  options --allow-dangerously-skip-permissions>permissions.change
  options --dangerously-bypass-approvals-and-sandbox>permissions.change --yolo>permissions.change
  options --full-auto>permissions.change --permission-mode=>permissions.change
  options --allowedTools,--allowed-tools=>permissions.change --allow-all-tools>permissions.change
  options --mcp-config=>permissions.change --settings=>permissions.change
  free
  try claude -p hi
  try claude --version => none
  try claude --dangerously-skip-permissions -p x => permissions.change
  try codex exec x
  try gemini --yolo => permissions.change
  try aider a.py

claude mcp, claude config, claude plugin, claude install, claude setup-token, claude migrate-installer, codex login,
codex logout, codex mcp, gemini mcp, gemini extensions, opencode auth, opencode mcp
  class permissions.change
  takes text...
  free
  try claude mcp add x evil
  try codex mcp add x

ollama
  class process.exec
  check alone
  takes text...
  options -v,--version<none
  free
  try ollama --version => none
  try ollama pull x

ollama list, ollama ls, ollama ps, ollama show
  class network.read
  takes text...
  options --modelfile --parameters --system --template --license -v,--verbose
  try ollama list
`;
