/** A browser's user agent string is long; the part that tells two browsers apart is short. */
export function browserText(agent: string): string {
  const [browser] = /(Firefox|Edg|OPR|Chrome|Safari)\/[\d]+/.exec(agent) ?? [];
  const [system] = /(Android|iPhone|iPad|Windows|Mac OS X|Linux)/.exec(agent) ?? [];
  const known = [browser, system].filter((one) => one !== undefined).join(", ");
  return known === "" ? agent : known;
}
