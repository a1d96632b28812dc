import { storeConformance } from "./conformance/suite.ts";
import { memoryStore } from "./memory.ts";

storeConformance("memory", { keeps: false }, async () => ({ store: memoryStore() }));
