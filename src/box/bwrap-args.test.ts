import { expect, test } from "vitest";
import { bwrapArgs } from "./bwrap-args.ts";

const PLACES = {
  own: ["/tmp"],
  hidden: [
    { at: "/home/ana/.ssh", is: "folder" },
    { at: "/home/ana/p/.env", is: "file" },
  ],
  kept: ["/home/ana/p/app/Makefile"],
  scratch: [],
  pinned: ["/home/ana/p/app"],
  shown: ["/usr/bin/node"],
  writable: ["/home/ana/p"],
} as const;
const AROUND = { project: "/home/ana/p", views: [], places: PLACES, emptyFile: "/state/empty" };

const text = (args: readonly string[]) => args.join(" ").replaceAll(" --", "\n--").split("\n");

test("folders are mounted before what is in them, and nothing has a network or a right", () => {
  const walls = { write: ["/home/ana/p"], network: [], reveal: ["/home/ana/.ssh/config"] };
  expect(text(bwrapArgs(walls, AROUND))).toEqual([
    ..."--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --disable-userns".split(" "),
    ...["--cap-drop ALL", "--die-with-parent", "--unshare-net", "--ro-bind / /", "--dev /dev", "--proc /proc"],
    ...["--remount-ro /proc", "--perms 1777", "--tmpfs /tmp", "--perms 0755", "--tmpfs /home/ana/.ssh"],
    "--bind /home/ana/p /home/ana/p",
    "--ro-bind /state/empty /home/ana/p/.env",
    "--ro-bind-try /home/ana/.ssh/config /home/ana/.ssh/config",
    "--bind /home/ana/p/app /home/ana/p/app",
    "--ro-bind /home/ana/p/app/Makefile /home/ana/p/app/Makefile",
    "--remount-ro /home/ana/.ssh",
  ]);
});

test("a view takes the place of the project, where everything can be changed but nothing hidden can be read", () => {
  const views = [{ at: "/home/ana/p", from: "/state/merged" }];
  const found = text(bwrapArgs({ write: ["/home/ana/p"], network: "any", reveal: [] }, { ...AROUND, views }));
  expect(found.filter((one) => one.includes("/home/ana/p"))).toEqual([
    "--bind /state/merged /home/ana/p",
    "--ro-bind /state/empty /home/ana/p/.env",
  ]);
  expect(found).not.toContain("--unshare-net");
});

test("a folder in a project in /tmp that a program starts in has no mount of its own, unless it is in a hidden folder", () => {
  const places = {
    ...PLACES,
    hidden: [{ at: "/tmp/p/.ssh", is: "folder" }],
    kept: [],
    pinned: [],
    writable: ["/tmp/p"],
  } as const;
  const walls = { write: ["/tmp/p"], network: [], reveal: [] };
  const mounts = (shown: string[]) => {
    const found = text(bwrapArgs(walls, { ...AROUND, project: "/tmp/p", places: { ...places, shown } }));
    return found.filter((one) => one.includes("bind /tmp/"));
  };
  const ofProject = ["--ro-bind /tmp/p /tmp/p", "--bind /tmp/p /tmp/p"];
  expect(mounts(["/tmp/p/src", "/tmp/p/src/run.sh"])).toEqual(ofProject);
  expect(mounts(["/tmp/p/.ssh/work"])).toEqual([...ofProject, "--ro-bind /tmp/p/.ssh/work /tmp/p/.ssh/work"]);
  expect(mounts(["/tmp/other"])).toContain("--ro-bind /tmp/other /tmp/other");
});
