import { channelSuite } from "./suite.ts";
import { webhookReceiver } from "./webhook-receiver.ts";

channelSuite({ kind: "webhook", start: webhookReceiver, updates: false, reachesPeople: false, hasButtons: false });
