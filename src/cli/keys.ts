/** Splits input into keys: a terminal may send several keys at once. */
export function splitKeys(data: string): string[] {
  return data.match(/\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Z])|./gsu) ?? [];
}
