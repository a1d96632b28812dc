import { storeConformance } from "./conformance.ts";
import { memoryStore } from "./memory.ts";

storeConformance("memory", { keeps: false }, async () => ({ store: memoryStore() }));
