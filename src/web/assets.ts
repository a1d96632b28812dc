import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Route } from "../http/route.ts";

// The name of each file contains its hash, so that browsers can keep it forever.

const KINDS = {
  "style.css": "text/css; charset=utf-8",
  "app.js": "text/javascript; charset=utf-8",
  "push.js": "text/javascript; charset=utf-8",
  "icon.svg": "image/svg+xml",
} as const;
type Name = keyof typeof KINDS;

type Asset = { path: string; body: Buffer; kind: string };
const ASSETS = new Map<Name, Asset>((Object.keys(KINDS) as Name[]).map((name) => [name, read(name)]));

function read(name: Name): Asset {
  const body = readFileSync(new URL(`../../assets/${name}`, import.meta.url));
  const hash = createHash("sha256").update(body).digest("hex").slice(0, 12);
  return { path: `/assets/${hash}/${name}`, body, kind: KINDS[name] };
}

export function assetPath(name: Name): string {
  return ASSETS.get(name)?.path ?? "";
}

const FOREVER = "public, max-age=31536000, immutable";

const WORKER = readFileSync(new URL("../../assets/service-worker.js", import.meta.url));

export const ASSET_ROUTES: readonly Route[] = [
  ...[...ASSETS.values()].map(
    ({ path, body, kind }): Route => ({
      method: "GET",
      path,
      for: ["anybody"],
      page: true,
      summary: "A file of the pages.",
      act: async () => ({ status: 200, headers: { "content-type": kind, "cache-control": FOREVER }, body }),
    }),
  ),
  {
    method: "GET",
    // This address is at the top, because a service worker controls only pages below its own address. Browsers must not cache it.
    path: "/service-worker.js",
    for: ["anybody"],
    page: true,
    summary: "What shows notifications in a browser that is closed.",
    act: async () => ({
      status: 200,
      headers: { "content-type": KINDS["app.js"], "cache-control": "no-cache" },
      body: WORKER,
    }),
  },
  {
    method: "GET",
    path: "/favicon.ico",
    for: ["anybody"],
    page: true,
    summary: "The icon, at the address where browsers look for it.",
    act: async () => ({ status: 302, headers: { location: assetPath("icon.svg") } }),
  },
  {
    method: "GET",
    path: "/manifest.webmanifest",
    for: ["anybody"],
    page: true,
    summary: "The manifest that makes the inbox installable.",
    act: async ({ base }) => ({
      status: 200,
      headers: { "content-type": "application/manifest+json" },
      body: JSON.stringify({
        name: "Leeway",
        short_name: "Leeway",
        start_url: `${base}/`,
        display: "standalone",
        background_color: "#f7f7f5",
        theme_color: "#f7f7f5",
        icons: [{ src: assetPath("icon.svg"), sizes: "any", type: "image/svg+xml", purpose: "any" }],
      }),
    }),
  },
];
