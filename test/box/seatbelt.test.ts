import { expect, test } from "vitest";
import { seatbeltProfile } from "../../tools/seatbelt.mjs";

const PLACES = { hidden: ["/Users/ana/.ssh"], kept: ["/p/.git", "/p/Makefile"], temporary: "/private/tmp/box" };

test("a profile closes the network and all places, then opens those of the walls, then closes what is protected and hidden", () => {
  const profile = seatbeltProfile(
    { write: ["/p", "/p/Makefile"], network: [], reveal: ["/Users/ana/.ssh/config"] },
    PLACES,
  );
  expect(profile.split("\n").slice(2, 4)).toEqual(["(deny network*)", '(allow network* (local ip "localhost:*"))']);
  expect(profile.split("\n").slice(9, 17)).toEqual([
    '(allow file-write* (subpath "/private/tmp/box"))',
    '(allow file-write* (subpath "/p"))',
    '(allow file-write* (subpath "/p/Makefile"))',
    '(deny file-write* (subpath "/p/.git"))',
    '(deny file-write* (subpath "/p/Makefile"))',
    '(allow file-write* (subpath "/p/Makefile"))',
    '(deny file-read* file-write* (subpath "/Users/ana/.ssh"))',
    '(allow file-read* (subpath "/Users/ana/.ssh/config"))',
  ]);
});

test("no path can add a rule to a profile", () => {
  const walls = { write: ['/p") (allow default) ("'], network: [], reveal: [] };
  expect(seatbeltProfile(walls, PLACES)).toContain('(allow file-write* (subpath "/p\\") (allow default) (\\""))');
  expect(() => seatbeltProfile({ ...walls, write: ["/p\n"] }, PLACES)).toThrow("control characters");
});
