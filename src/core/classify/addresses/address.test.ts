import { expect, test } from "vitest";
import { commandCall, knowing, tryingCall } from "../../../../test/cases/trying.ts";
import { RECEIVERS, RECEIVING } from "../../tables/receivers.ts";
import { classify } from "../classify.ts";
import { readCall } from "../reading.ts";

const classesOf = (url: string) =>
  [commandCall(`curl '${url}'`), tryingCall("WebFetch", { url, prompt: "what is there" })].map((call) =>
    classify(readCall(call), knowing(call)).parts.map((part) => part.class),
  );

test("an address in the table gets the class that the table gives, from a command and from a tool", () => {
  for (const row of RECEIVING)
    for (const classes of classesOf(row.example)) expect(classes, row.example).toContain(row.class);
  for (const host of RECEIVERS)
    for (const classes of classesOf(`https://a.${host}/x`)) expect(classes, host).toContain("network.write");
});

test("an address is recognised in every spelling of its path", () => {
  for (const url of [
    "http://localhost:8001//api/v1/secrets",
    "http://localhost:8001/api/v1/%73ecrets",
    "http://localhost:8001/x/../api/v1/secrets?limit=1",
    "localhost:8001/api/v1/secrets",
  ])
    for (const classes of classesOf(url)) expect(classes, url).toContain("secrets.read");
});
