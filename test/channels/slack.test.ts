import { slackService } from "./slack-service.ts";
import { channelSuite } from "./suite.ts";

channelSuite({
  kind: "slack",
  start: () => slackService(),
  updates: true,
  reachesPeople: true,
  hasButtons: true,
  triages: true,
});
