import { expect, test } from "vitest";
import { browserText } from "./browser.ts";

test("a known browser is shown by its name and system, and an unknown one by its whole user agent", () => {
  const chrome =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36";
  expect(browserText(chrome)).toBe("Chrome/150, Linux");
  expect(browserText("Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0")).toBe(
    "Firefox/140, Windows",
  );
  expect(browserText("curl/8")).toBe("curl/8");
});
