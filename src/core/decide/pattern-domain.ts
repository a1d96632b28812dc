/** `api.github.com` exactly; `*.github.com` the domain and everything below it; `*` any. */
export type DomainPattern = { is: "exact" | "below"; domain: string } | { is: "any" };

export function domainPattern(pattern: string): DomainPattern {
  const lower = pattern.toLowerCase();
  if (lower === "*") return { is: "any" };
  return lower.startsWith("*.") ? { is: "below", domain: lower.slice(2) } : { is: "exact", domain: lower };
}

export function domainMatches(pattern: DomainPattern, domain: string): boolean {
  if (pattern.is === "any") return true;
  return domain === pattern.domain || (pattern.is === "below" && domain.endsWith(`.${pattern.domain}`));
}
