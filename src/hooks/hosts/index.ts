import type { Host } from "../host.ts";

/** The hosts by name. Each is loaded only when it calls, because a hook starts for every tool call. */
export const HOSTS: { readonly [name: string]: () => Promise<Host> } = {
  "claude-code": async () => (await import("./claude-code.ts")).claudeCode,
  codex: async () => (await import("./codex.ts")).codex,
  gemini: async () => (await import("./gemini.ts")).gemini,
  opencode: async () => (await import("./opencode.ts")).opencode,
  copilot: async () => (await import("./copilot.ts")).copilot,
  vscode: async () => (await import("./vscode.ts")).vscode,
};

export const HOST_NAMES: readonly string[] = Object.keys(HOSTS);

export async function loadHost(name: string): Promise<Host | undefined> {
  return Object.hasOwn(HOSTS, name) ? HOSTS[name]?.() : undefined;
}
