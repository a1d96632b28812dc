import { patiently } from "./server/patience.ts";
import { type LackingRight, lackingRights } from "./server/rights.ts";
import { serverAt } from "./server/server.ts";

export type { LackingRight };

export async function lackingRightsOf(url: string): Promise<readonly LackingRight[]> {
  const server = serverAt(url);
  try {
    return await patiently(() => server.use(lackingRights));
  } finally {
    await server.close();
  }
}
