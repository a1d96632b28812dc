import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openServerLogins } from "../../../src/config/server-logins.ts";
import { httpLink } from "../../../src/mcp/links/http-link.ts";
import { beginLogin } from "../../../src/mcp/login/begin.ts";
import { credentialsOf } from "../../../src/mcp/login/credentials.ts";
import { aesSealer } from "../../../src/system.ts";
import { allowed } from "../../mcp/oauth-server.ts";
import { said, stage } from "../../mcp/stage.ts";

// A login at a protected server and an authorization server that are made with the official SDK.

const require = createRequire(join(dirname(fileURLToPath(import.meta.url)), "..", "package.json"));
// biome-ignore lint/suspicious/noExplicitAny: the types of these packages are not installed for everybody
const load = (name: string): Promise<any> => import(pathToFileURL(require.resolve(name)).href);
const SDK = "@modelcontextprotocol/sdk";

const folder = mkdtempSync(join(tmpdir(), "leeway-sdk-login-"));
let server: Server;
let url: string;
beforeAll(async () => {
  const { default: express } = await load("express");
  const { mcpAuthRouter } = await load(`${SDK}/server/auth/router.js`);
  const { requireBearerAuth } = await load(`${SDK}/server/auth/middleware/bearerAuth.js`);
  const { DemoInMemoryAuthProvider } = await load(`${SDK}/examples/server/demoInMemoryOAuthProvider.js`);
  const { McpServer } = await load(`${SDK}/server/mcp.js`);
  const { StreamableHTTPServerTransport } = await load(`${SDK}/server/streamableHttp.js`);
  const app = express();
  server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The SDK allows `http` for the name localhost.
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  url = `${origin}/mcp`;
  const provider = new DemoInMemoryAuthProvider((resource: URL) => resource.href === url);
  const resourceServerUrl = new URL(url);
  app.use(mcpAuthRouter({ provider, issuerUrl: new URL(origin), resourceServerUrl, scopesSupported: ["mcp:tools"] }));
  const resourceMetadataUrl = `${origin}/.well-known/oauth-protected-resource/mcp`;
  const guard = requireBearerAuth({ verifier: provider, requiredScopes: ["mcp:tools"], resourceMetadataUrl });
  // biome-ignore lint/suspicious/noExplicitAny: as above
  app.post("/mcp", guard, express.json(), async (request: any, response: any) => {
    const mcp = new McpServer({ name: "one", version: "1" });
    mcp.registerTool("hello", { description: "greets" }, () => ({ content: [{ type: "text", text: "hello" }] }));
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await mcp.connect(transport);
    await transport.handleRequest(request, response, request.body);
  });
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

test("a person signs in at servers of the official SDK, and the gateway uses the tools with this login", async () => {
  const logins = openServerLogins(folder, aesSealer(new Uint8Array(32)));
  const begun = await beginLogin({ name: "one", url, headers: {} }, "http://127.0.0.1:4998/callback", undefined);
  expect(begun.scope).toBe("mcp:tools");
  logins.keep(await begun.finish(new URL(await allowed(begun.address)), "ana", Date.now()));
  const credentials = credentialsOf({ logins, clock: { nowMs: () => Date.now() } }, { server: "one", url });
  const s = await stage({
    policy: 'version: 1\ntier: auto\ntools: { "mcp:one/*": { class: none } }\n',
    over: { connect: httpLink({ url, headers: {}, credentials }), credentials },
    options: { isAlone: false },
  });
  expect(said(await s.call("one__hello"))).toBe("hello");
  await s.close();
});
