import type { PolicyFault } from "../ports.ts";

export function faultLine(fault: PolicyFault): string {
  return `${fault.file}:${fault.line}:${fault.column}: ${fault.message}${fault.hint === undefined ? "" : ` (${fault.hint})`}`;
}
