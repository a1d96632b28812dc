/** A terminal may hand over several keys at once. */
export function splitKeys(data: string): string[] {
  return data.match(/\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Z])|./gsu) ?? [];
}
