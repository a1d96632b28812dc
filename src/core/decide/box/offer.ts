import type { Policy } from "../../policy.ts";
import type { CompiledPolicy } from "../compile.ts";
import type { Standing } from "../standing.ts";

/** The outermost accepted file that has the key `box`: it alone opens something, every other layer can only close it. */
export function openerOf(layers: readonly CompiledPolicy[]): Policy | undefined {
  return layers.find(({ policy }) => policy.beside !== true && policy.box !== undefined)?.policy;
}

/**
 * The box that the caller can make, as the policy wants it. Without rehearsals nobody looks at what a command changed before it is
 * applied, so only the file that may open something can do without them.
 */
export function offerIn({ box, layers }: Standing): Standing["box"] {
  if (box?.rehearses !== true || openerOf(layers)?.box?.rehearse !== "never") return box;
  return { ...box, rehearses: false };
}
