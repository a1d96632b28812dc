import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { inject } from "vitest";

/** The address of a new, empty database of the PostgreSQL that all suites share. */
export async function newDatabase(): Promise<string> {
  const answer = (await text(connect(inject("postgresAt"), "127.0.0.1"))).trim();
  if (!answer.startsWith("postgres://")) throw new Error(`there is no PostgreSQL for the tests: ${answer}`);
  return answer;
}
