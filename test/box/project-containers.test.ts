import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { GrantCover } from "../../src/core/standing/grant.ts";
import { review } from "../../src/gate/approvals/review.ts";
import { DEFAULT_CALLER, PROGRAM_DOOR } from "../../src/gate/calls/judging.ts";
import { submit } from "../../src/gate/calls/submit.ts";
import { addPerson } from "../../src/gate/people/people.ts";
import { suggestGrants } from "../../src/gate/standing/grants.ts";
import { openDeps } from "../../src/open.ts";

// No box holds a container, because the engine that starts it is outside. One answer lets agents use those of a project.

const project = realpathSync.native(mkdtempSync(join(tmpdir(), "leeway-containers-")));
const FILES: Record<string, string> = {
  "compose.yaml": "services: {}\n",
  Dockerfile: "FROM scratch\n",
  "docker/web.Dockerfile": "FROM scratch\n",
  "conf/nginx.conf": "events {}\n",
  "bare/README.md": "no files for containers\n",
  ".env": "TOKEN=x\n",
};

beforeAll(() => {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  symlinkSync("/etc", join(project, "away"));
  execFileSync("git", ["init", "-q", project]);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

async function gateWith(policy: object) {
  const deps = await openDeps({
    db: ":memory:",
    policy: { version: 1, approvals: { assurance: "any" }, ...policy },
    cwd: project,
  });
  await addPerson(deps, { name: "ana", admin: true, by: "ana", assurance: "tty" });
  const door = { ...PROGRAM_DOOR, boxes: { rehearses: true, ownRepository: true }, starts: "later" as const };
  const send = (command: string) => {
    const ids = { workspace: deps.workspace, agent: "coder", callId: deps.mint.next("call"), traceId: "t" };
    const call = { ...ids, chain: [], claims: {}, tool: "shell", args: { command }, cwd: project };
    return submit(deps, call, { ...DEFAULT_CALLER, door });
  };
  const offers = async (approvalId: string) => {
    const found = await suggestGrants(deps, approvalId);
    return found.ok ? found.value.offers : [];
  };
  return { deps, send, offers };
}

type Gate = Awaited<ReturnType<typeof gateWith>>;

async function trusted(): Promise<Gate> {
  const gate = await gateWith({ preset: "standard" });
  const { approvalId = "", digest } = await gate.send("docker compose up -d");
  const covers = (await gate.offers(approvalId)).map((offer) => offer.covers).find(isContainers);
  if (covers === undefined) throw new Error("containers are not offered");
  const answer = { by: "ana", verdict: "approve", digest, note: "", assurance: "tty", bulk: false } as const;
  expect((await review(gate.deps, approvalId, { ...answer, remember: { covers } })).ok).toBe(true);
  return gate;
}

const isContainers = ({ projectContainers }: GrantCover) => projectContainers !== undefined;

const OWN = [
  "docker compose up -d --build --wait 2>&1 | tail -5",
  "docker compose build",
  "docker compose -f compose.yaml --profile test restart web",
  "docker compose down",
  "docker-compose stop",
  "docker compose exec -T db pg_isready -U postgres",
  "docker compose run --rm web npm test",
  "docker build -t api:1 .",
  "docker build -q -f docker/web.Dockerfile --build-arg A=b .",
  "docker run --rm api:1",
  "docker run --rm -it -p 3000:3000 -e A=b api:1 npm test",
  `docker run --rm -v "$PWD/conf:/etc/nginx:ro" nginx:1.25 nginx -t`,
  "docker run -d --rm --name web-try api:1 && sleep 1; docker stop web-try",
];

const OTHERS = [
  "docker compose down -v",
  "docker compose down --rmi all",
  "docker compose -p other stop",
  "docker compose --project-directory /srv up -d",
  "docker compose -f /srv/compose.yaml up -d",
  "docker compose -f away/compose.yaml up -d",
  "docker compose --env-file .env up -d",
  "docker compose push",
  "docker compose config",
  "docker compose exec --privileged web sh",
  "docker compose run -v /:/host web sh",
  "cd bare && docker compose up -d",
  "cd /tmp && docker compose up -d",
  "echo 'services: {}' > compose.yaml && docker compose up -d",
  "DOCKER_HOST=tcp://a.example docker compose up -d",
  "docker -H tcp://a.example compose up -d",
  "docker --context prod compose up -d",
  "docker build -t a https://example.com/a.git",
  "docker build - < Dockerfile",
  "docker build --secret id=a,src=.env .",
  "docker build --ssh default .",
  "docker build --push -t a .",
  "docker build -o /tmp/out .",
  "docker build --build-arg TOKEN .",
  "docker build --network host .",
  "docker build /etc",
  "docker build away",
  "docker build -f Dockerfile away",
  "docker build -f Dockerfile ./conf",
  "docker run -v /:/host alpine",
  "docker run -v /var/run/docker.sock:/s alpine",
  "docker run -v ~/.ssh:/s alpine",
  "docker run -v away:/s alpine",
  "docker run -v ./away:/s alpine",
  "docker run -v ./.env:/s alpine",
  "docker run -v ./.git:/s alpine",
  "docker run -v data:/s alpine",
  "docker run -v ..:/s alpine",
  "docker run --mount type=bind,src=/,dst=/h alpine",
  "docker run --privileged alpine",
  "docker run --network host alpine",
  "docker run --pid host alpine",
  "docker run --cap-add ALL alpine",
  "docker run --volumes-from db alpine",
  "docker run --env-file .env alpine",
  "docker run -e TOKEN alpine",
  "docker run --restart always alpine",
  "docker run alpine rm -rf /srv",
  "docker stop db",
  "docker rm -f db",
  "docker rmi api:1",
  "docker exec db sh",
  "docker volume rm data",
  "docker system prune -af",
  "docker push api:1",
  "docker login",
  "docker cp a:/b c",
  "docker compose up -d && git push",
  "sh -c 'docker run -v /:/host alpine'",
];

test("trust in a project's containers lets exactly these run, and everything else asks as before", async () => {
  const gate = await trusted();
  const ran = async (commands: readonly string[]) => {
    const found: string[] = [];
    for (const command of commands) if ((await gate.send(command)).outcome === "run") found.push(command);
    return found;
  };
  expect(await ran(OWN)).toEqual(OWN);
  expect(await ran(OTHERS)).toEqual([]);
  await gate.deps.close();
});

test("trust in containers ends after a day, covers no code outside of them, and says what it means", async () => {
  const gate = await gateWith({ preset: "standard" });
  const { approvalId = "" } = await gate.send("docker compose build");
  expect((await gate.offers(approvalId)).at(-1)?.label).toBe(
    `containers of the project ${project}: build images from its files, start and stop containers, run commands in them; the command itself opens no folder outside of the project and gives no extra rights`,
  );
  await gate.deps.close();
  const other = await trusted();
  const { rows } = await other.deps.standing.current();
  const [grant] = rows.grants;
  expect((grant?.untilMs ?? 0) - (grant?.createdMs ?? 0)).toBe(24 * 60 * 60 * 1000);
  // Code that would run without a box, because the caller wants none.
  expect((await other.send("LEEWAY_BOX=off make all")).outcome).toBe("pending");
  await other.deps.close();
});

test("what a rule, a row or needs-human asks about is neither offered as containers of the project nor lifted", async () => {
  const rule = { name: "look", match: { command: "docker *" }, tier: "ask", because: "look first" };
  for (const policy of [
    { preset: "standard", rules: [rule] },
    { preset: "standard", tiers: { "process.exec": "ask" } },
    { preset: "standard", human: { classes: ["process.exec"] } },
  ]) {
    const gate = await gateWith(policy);
    const { approvalId = "" } = await gate.send("docker compose up -d");
    expect((await gate.offers(approvalId)).filter(({ covers }) => isContainers(covers))).toEqual([]);
    await gate.deps.close();
  }
});
