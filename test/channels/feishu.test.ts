import { feishuStage } from "./feishu-stage.ts";
import { channelSuite } from "./suite.ts";

channelSuite({
  kind: "feishu",
  start: () => feishuStage(),
  updates: true,
  reachesPeople: true,
  hasButtons: true,
  triages: true,
});
