import type { EffectClass } from "../effect.ts";
import type { AgentName, ApprovalId, DeclarationId, PersonName, WorkspaceId } from "../ids.ts";
import { exactTool, flat } from "../tool-name.ts";
import type { Hash } from "../values/hash.ts";

/**
 * What a declaration is about. A tool is its name and its definition: if the server changes the definition, people
 * are asked again. A server stands for all its tools, except those whose name or hints suggest something more
 * dangerous.
 */
export type DeclarationSubject = { of: "tool"; tool: string; definition?: Hash } | { of: "server"; server: string };

/** What a person said a tool does. It explains an unknown tool, but it cannot weaken a rule, a mark or a deny. */
export type Declaration = {
  id: DeclarationId;
  workspace: WorkspaceId;
  about: DeclarationSubject;
  /** Only for calls of this agent: owners declare for their own agents, admins for all agents. */
  agent?: AgentName;
  class: EffectClass;
  because: string;
  declaredBy: PersonName;
  fromApproval?: ApprovalId;
  createdMs: number;
} & ({ state: "live" } | { state: "forgotten"; atMs: number; by: PersonName });

/** The words with which people say what a tool does, from harmless to dangerous, and the class of each. */
export const TOOL_KINDS = {
  thinks: "none",
  looks: "network.read",
  "reads-files": "fs.read",
  "writes-files": "fs.write",
  "deletes-files": "fs.delete",
  changes: "db.write",
  "changes-outside": "network.write",
  sends: "message.send",
  browses: "browser.act",
  schedules: "schedule.write",
  deploys: "deploy.write",
  "starts-agents": "agent.spawn",
  "runs-code": "process.exec",
  "moves-money": "payments.move",
  "reads-secrets": "secrets.read",
  "changes-access": "permissions.change",
} as const satisfies Record<string, EffectClass>;
export type ToolKind = keyof typeof TOOL_KINDS;
export const TOOL_KIND_NAMES = Object.keys(TOOL_KINDS) as readonly ToolKind[];

/** The word for a class, where people have one. */
export function kindOfClass(cls: EffectClass): ToolKind | undefined {
  return TOOL_KIND_NAMES.find((kind) => TOOL_KINDS[kind] === cls);
}

/** Two declarations about the same thing for the same agents have the same key: the later one replaces the earlier. */
export function declarationKey({ about, agent }: Pick<Declaration, "about" | "agent">): string {
  const whose = agent ?? "";
  return about.of === "server"
    ? `server\n${flat(about.server)}\n\n${whose}`
    : `tool\n${exactTool(about.tool)}\n${about.definition ?? ""}\n${whose}`;
}
