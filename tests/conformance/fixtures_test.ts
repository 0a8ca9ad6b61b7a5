/** Each fixture gives what the suite's own description of its scenario asks for. */
import assert from "node:assert/strict";
import { type Answers, answerWith, type Asked, FIXTURE_TOOLS, startFixtures } from "./_fixtures.ts";

const NAME = {
  type: "object",
  properties: { name: { type: "string" } },
  required: ["name"],
};
const COLOR = {
  type: "object",
  properties: { color: { type: "string" } },
  required: ["color"],
};
const CONFIRM = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] };
const ASK_NAME: Asked = ["elicitation/create", "user_name", {
  message: "What is your name?",
  requestedSchema: NAME,
}];
const ASK_GREETING: Asked = ["sampling/createMessage", "greeting", {
  messages: [{ role: "user", content: { type: "text", text: "Generate a greeting" } }],
  maxTokens: 50,
}];
const ASK_CONFIRM: Asked = ["elicitation/create", "confirm", {
  message: "Please confirm",
  requestedSchema: CONFIRM,
}];
const ASK_ROOTS: Asked = ["roots/list", "client_roots", undefined];

Deno.test("the fixtures are found whole, without a warning, and need no permission", async () => {
  await using test = await startFixtures();
  const entries = test.runtime.registry.snapshot().entries();
  assert.equal(entries.length, 25);
  assert.deepEqual(
    entries.filter(({ permissions }) => Object.keys(permissions).length > 0).map(({ name }) =>
      name
    ),
    [],
  );
  assert.deepEqual(test.logs, []);
  assert.match(FIXTURE_TOOLS, /tests\/fixtures\/conformance\/tools$/);
});

Deno.test("the content fixtures answer with the blocks that the suite describes", async () => {
  await using test = await startFixtures();
  const text = await test.call("test_simple_text", {});
  assert.equal(text.content, "This is a simple text response for testing.");
  const [image] = (await test.call("test_image_content", {})).blocks ?? [];
  assert.ok(image?.type === "image" && image.mimeType === "image/png");
  // The signature of every PNG file.
  assert.ok(atob(image.data).startsWith("\x89PNG\r\n\x1a\n"));
  const [audio] = (await test.call("test_audio_content", {})).blocks ?? [];
  assert.ok(audio?.type === "audio" && audio.mimeType === "audio/wav");
  assert.match(atob(audio.data), /^RIFF....WAVEfmt /s);
  const embedded = await test.call("test_embedded_resource", {});
  assert.deepEqual(embedded.blocks, [{
    type: "resource",
    resource: {
      uri: "test://embedded-resource",
      mimeType: "text/plain",
      text: "This is an embedded resource content.",
    },
  }]);
  const mixed = await test.call("test_multiple_content_types", {});
  assert.deepEqual(mixed.blocks, [
    { type: "text", text: "Multiple content types test:" },
    image,
    {
      type: "resource",
      resource: {
        uri: "test://mixed-content-resource",
        mimeType: "application/json",
        text: '{"test":"data","value":123}',
      },
    },
  ]);
  const failed = await test.call("test_error_handling", {});
  assert.equal(failed.error?.message, "This tool intentionally returns an error for testing");
});

Deno.test("test_tool_with_progress reports 0, 50 and 100 of 100", async () => {
  await using test = await startFixtures();
  const reports: (readonly [number, number | undefined])[] = [];
  await test.call("test_tool_with_progress", {}, {
    onProgress: ({ value, total }) => void reports.push([value, total]),
  });
  assert.deepEqual(reports, [[0, 100], [50, 100], [100, 100]]);
});

Deno.test("the logging fixtures write the records that the suite describes", async () => {
  await using test = await startFixtures();
  const records: string[] = [];
  test.runtime.on("tool-log", ({ level, message, name }) => {
    records.push(`${name} ${level}: ${message}`);
  });
  await test.call("test_tool_with_logging", {});
  await test.call("test_logging_tool", {});
  assert.deepEqual(records, [
    "test_tool_with_logging info: Tool execution started",
    "test_tool_with_logging info: Tool processing data",
    "test_tool_with_logging info: Tool execution completed",
    "test_logging_tool debug: A debug record",
    "test_logging_tool info: An info record",
    "test_logging_tool warning: A warning record",
    "test_logging_tool error: An error record",
  ]);
});

/** A fixture that asks: the answers it gets, what it must have asked and what it must have answered. */
interface AskingCase {
  readonly tool: string;
  readonly args?: { readonly [name: string]: string };
  readonly answers: Answers;
  readonly asked: readonly Asked[];
  readonly says: string;
}

const CASES: readonly AskingCase[] = [
  {
    tool: "test_sampling",
    args: { prompt: "Test prompt for sampling" },
    answers: { model: "This is a test response from the client" },
    asked: [["sampling/createMessage", "answer", {
      messages: [{ role: "user", content: { type: "text", text: "Test prompt for sampling" } }],
      maxTokens: 100,
    }]],
    says: "LLM response: This is a test response from the client",
  },
  {
    tool: "test_elicitation",
    args: { message: "Please provide your information" },
    answers: { people: { user: { username: "ada", email: "ada@example.com" } } },
    asked: [["elicitation/create", "user", {
      message: "Please provide your information",
      requestedSchema: {
        type: "object",
        properties: {
          username: { type: "string", description: "User's response" },
          email: { type: "string", description: "User's email address" },
        },
        required: ["username", "email"],
      },
    }]],
    says: 'User response: action=accept, content={"username":"ada","email":"ada@example.com"}',
  },
  {
    tool: "test_input_required_result_elicitation",
    answers: { people: { user_name: { name: "Alice" } } },
    asked: [ASK_NAME],
    says: "Hello, Alice!",
  },
  {
    tool: "test_input_required_result_sampling",
    answers: { model: "Paris" },
    asked: [["sampling/createMessage", "capital_question", {
      messages: [{
        role: "user",
        content: { type: "text", text: "What is the capital of France?" },
      }],
      maxTokens: 100,
    }]],
    says: "Paris",
  },
  {
    tool: "test_input_required_result_list_roots",
    answers: { roots: ["file:///test/root"] },
    asked: [ASK_ROOTS],
    says: "Client roots: file:///test/root",
  },
  {
    tool: "test_input_required_result_request_state",
    answers: { people: { confirm: { ok: true } } },
    asked: [ASK_CONFIRM],
    says: "state-ok: confirmed true",
  },
  {
    tool: "test_input_required_result_multiple_inputs",
    answers: {
      people: { user_name: { name: "Alice" } },
      model: "Hello",
      roots: ["file:///test/root"],
    },
    asked: [ASK_NAME, ASK_GREETING, ASK_ROOTS],
    says: "Hello Alice, at file:///test/root",
  },
  {
    tool: "test_input_required_result_multi_round",
    answers: { people: { step1: { name: "Alice" }, step2: { color: "blue" } } },
    asked: [
      ["elicitation/create", "step1", {
        message: "Step 1: What is your name?",
        requestedSchema: NAME,
      }],
      ["elicitation/create", "step2", {
        message: "Step 2: What is your favorite color?",
        requestedSchema: COLOR,
      }],
    ],
    says: "Alice likes blue",
  },
  {
    tool: "test_input_required_result_tampered_state",
    answers: { people: { confirm: { ok: true } } },
    asked: [ASK_CONFIRM],
    says: "Confirmed true",
  },
  {
    tool: "test_input_required_result_capabilities",
    answers: { model: "Hello" },
    asked: [ASK_GREETING],
    says: "Person refused, model answered",
  },
  {
    tool: "test_missing_capability",
    answers: { model: "Yes" },
    asked: [["sampling/createMessage", "needed", {
      messages: [{ role: "user", content: { type: "text", text: "Are you there?" } }],
      maxTokens: 10,
    }]],
    says: "Answered by test-model",
  },
  {
    tool: "test_streaming_elicitation",
    answers: { people: {} },
    asked: [ASK_CONFIRM],
    says: 'The person chose "decline"',
  },
];

for (const { tool, args = {}, answers, asked, says } of CASES) {
  Deno.test(`${tool} asks what the suite describes, and answers from what it got`, async () => {
    await using test = await startFixtures();
    const recording = answerWith(answers);
    const result = await test.call(tool, args, { input: recording.surface });
    assert.deepEqual(recording.asked, asked);
    assert.equal(result.content, says);
  });
}

Deno.test("test_elicitation_sep1034_defaults asks for five fields with their defaults", async () => {
  await using test = await startFixtures();
  const { surface, asked } = answerWith({ people: {} });
  const result = await test.call("test_elicitation_sep1034_defaults", {}, { input: surface });
  assert.deepEqual(fieldsOf(asked), {
    name: { type: "string", description: "User name", default: "John Doe" },
    age: { type: "integer", description: "User age", default: 30 },
    score: { type: "number", description: "User score", default: 95.5 },
    status: {
      type: "string",
      description: "User status",
      enum: ["active", "inactive", "pending"],
      default: "active",
    },
    verified: { type: "boolean", description: "Verification status", default: true },
  });
  assert.equal(result.content, "Elicitation completed: action=decline, content={}");
});

Deno.test("test_elicitation_sep1330_enums asks for a choice in five ways", async () => {
  await using test = await startFixtures();
  const { surface, asked } = answerWith({ people: { choices: { untitledSingle: "option1" } } });
  const result = await test.call("test_elicitation_sep1330_enums", {}, { input: surface });
  const fields = fieldsOf(asked) as Record<string, Record<string, unknown>>;
  assert.deepEqual(Object.keys(fields).map((name) => [name, Object.keys(fields[name]!)]), [
    ["untitledSingle", ["type", "enum"]],
    ["titledSingle", ["type", "oneOf"]],
    ["legacyEnum", ["type", "enum", "enumNames"]],
    ["untitledMulti", ["type", "items"]],
    ["titledMulti", ["type", "items"]],
  ]);
  assert.deepEqual(fields.untitledMulti?.items, {
    type: "string",
    enum: ["option1", "option2", "option3"],
  });
  assert.deepEqual(Object.keys(fields.titledMulti?.items ?? {}), ["anyOf"]);
  assert.equal(
    result.content,
    'Elicitation completed: action=accept, content={"untitledSingle":"option1"}',
  );
});

Deno.test("test_missing_capability fails, and names what is missing, where there is no model", async () => {
  await using test = await startFixtures();
  const result = await test.call("test_missing_capability", {}, {
    input: answerWith({ people: {} }).surface,
  });
  assert.deepEqual(result.error?.details, { missingCapability: "sampling" });
});

Deno.test("json_schema_2020_12_tool is told with every keyword of its schema", async () => {
  await using test = await startFixtures();
  const { tools } = await test.runtime.getDefinitions(
    { names: ["json_schema_2020_12_tool"] },
    { dialect: "mcp" },
  );
  assert.deepEqual(tools[0]?.inputSchema, {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: {
      address: {
        $anchor: "addressDef",
        type: "object",
        properties: { street: { type: "string" }, city: { type: "string" } },
      },
    },
    properties: {
      name: { type: "string" },
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string", enum: ["phone", "email"] },
      phone: { type: "string" },
      email: { type: "string" },
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false,
  });
});

Deno.test("test_header_parameter is told with its header, and gives back its parameter", async () => {
  await using test = await startFixtures();
  const { tools } = await test.runtime.getDefinitions(
    { names: ["test_header_parameter"] },
    { dialect: "mcp" },
  );
  assert.deepEqual(tools[0]?.inputSchema.properties, {
    region: { type: "string", description: "A text", "x-mcp-header": "Region" },
  });
  assert.equal(
    (await test.call("test_header_parameter", { region: "Hello" })).content,
    "Region: Hello",
  );
});

function fieldsOf(asked: readonly Asked[]): unknown {
  const request = asked[0]?.[2];
  assert.ok(request && "requestedSchema" in request);
  return (request.requestedSchema as { readonly properties: unknown }).properties;
}
