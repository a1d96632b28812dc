import { isObject, type Json, type JsonObject } from "../core/values/json.ts";

// Looking into JSON that a service sent: what is missing or of another type is read as empty.

/** The object that a text is as JSON, or nothing. */
export function objectIn(text: string): JsonObject | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The object at this key, or an empty one. */
export function objectAt(value: JsonObject, key: string): JsonObject {
  const found = Object.hasOwn(value, key) ? value[key] : undefined;
  return isObject(found) ? found : {};
}

/** The objects in the list at this key. */
export function objectsAt(value: JsonObject, key: string): readonly JsonObject[] {
  const found = Object.hasOwn(value, key) ? value[key] : undefined;
  const list: readonly Json[] = Array.isArray(found) ? found : [];
  return list.filter((one) => isObject(one));
}

/** The text at this key, or an empty one. */
export function textAt(value: JsonObject, key: string): string {
  const found = Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof found === "string" ? found : "";
}
