import type { Policy } from "../policy.ts";

/** Where home folders are, for a `~` in a policy that does not say whose home. */
const HOMES = ["/home/*", "/root", "/Users/*"];

/**
 * A path pattern as absolute segments. Relative patterns start at the policy's root. Without a root they may match
 * anywhere, because a rule that silently matches nothing looks like one that works.
 */
export function pathPatterns(pattern: string, policy: Pick<Policy, "root" | "home">): readonly (readonly string[])[] {
  if (pattern.startsWith("/")) return [segmentsOf(pattern)];
  if (pattern === "~" || pattern.startsWith("~/")) {
    const homes = policy.home === undefined ? HOMES : [policy.home];
    return homes.map((home) => segmentsOf(home + pattern.slice(1)));
  }
  return policy.root === undefined
    ? [["**", ...segmentsOf(pattern)]]
    : [[...segmentsOf(policy.root), ...segmentsOf(pattern)]];
}

export function segmentsOf(path: string): readonly string[] {
  return path.split("/").filter((segment) => segment !== "" && segment !== ".");
}
