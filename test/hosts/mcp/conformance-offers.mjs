// What the servers for the official conformance suite offer, whatever protocol they speak.

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const SOUND = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
export const text = (said) => ({ type: "text", text: said });
const image = { type: "image", data: PIXEL, mimeType: "image/png" };
const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
export const object = (properties = {}, required = []) => ({ type: "object", properties, required });
export const string = { type: "string" };

/** Tools that ask nothing of the client. */
export const TOOLS = {
  test_simple_text: async () => [text("This is a simple text response for testing.")],
  test_image_content: async () => [image],
  test_audio_content: async () => [{ type: "audio", data: SOUND, mimeType: "audio/wav" }],
  test_embedded_resource: async () => [
    {
      type: "resource",
      resource: {
        uri: "test://embedded-resource",
        mimeType: "text/plain",
        text: "This is an embedded resource content.",
      },
    },
  ],
  test_multiple_content_types: async () => [
    text("Multiple content types test:"),
    image,
    {
      type: "resource",
      resource: {
        uri: "test://mixed-content-resource",
        mimeType: "application/json",
        text: '{"test":"data","value":123}',
      },
    },
  ],
  test_tool_with_logging: async (_, extra) => {
    for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await extra.sendNotification({ method: "notifications/message", params: { level: "info", data } });
      await pause();
    }
    return [text("done")];
  },
  test_tool_with_progress: async (_, extra) => {
    const progressToken = extra._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      const params = { progressToken, progress, total: 100 };
      if (progressToken !== undefined) await extra.sendNotification({ method: "notifications/progress", params });
      await pause();
    }
    return [text("done")];
  },
  test_error_handling: async () => {
    throw new Error("This tool intentionally returns an error for testing");
  },
  json_schema_2020_12_tool: async () => [text("done")],
};

export const SCHEMAS = {
  json_schema_2020_12_tool: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: { address: { $anchor: "address", ...object({ street: string, city: string }) } },
    properties: { name: string, address: { $ref: "#address" }, contactMethod: string, phone: string, email: string },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: object({ contactMethod: { const: "phone" } }, ["contactMethod"]),
    // biome-ignore lint/suspicious/noThenProperty: this is how JSON Schema spells it.
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false,
  },
};

const RESOURCES = {
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { mimeType: "image/png", blob: PIXEL },
};

export const user = (content) => ({ role: "user", content });
export const PROMPTS = {
  test_simple_prompt: { args: [], say: () => [user(text("This is a simple prompt for testing."))] },
  test_prompt_with_arguments: {
    args: ["arg1", "arg2"],
    say: ({ arg1, arg2 }) => [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
  },
  test_prompt_with_embedded_resource: {
    args: ["resourceUri"],
    say: ({ resourceUri: uri }) => [
      user({
        type: "resource",
        resource: { uri, mimeType: "text/plain", text: "Embedded resource content for testing." },
      }),
      user(text("Please process the embedded resource above.")),
    ],
  },
  test_prompt_with_image: { args: [], say: () => [user(image), user(text("Please analyze the image above."))] },
};

/** Undefined if there is no such resource. */
export function contentsOf(uri) {
  if (RESOURCES[uri] !== undefined) return [{ uri, ...RESOURCES[uri] }];
  const [, id] = /^test:\/\/template\/(.+)\/data$/.exec(uri) ?? [];
  if (id === undefined) return undefined;
  const data = { id, templateTest: true, data: `Data for ID: ${id}` };
  return [{ uri, mimeType: "application/json", text: JSON.stringify(data) }];
}

export const listed = {
  resources: Object.entries(RESOURCES).map(([uri, { mimeType }]) => ({ uri, name: uri, mimeType })),
  resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" }],
  prompts: Object.entries(PROMPTS).map(([name, { args }]) => ({
    name,
    description: name,
    arguments: args.map((arg) => ({ name: arg, description: arg, required: true })),
  })),
};

export const COMPLETION = { values: ["paris", "park"], total: 2, hasMore: false };
