import assert from "node:assert/strict";
import fc from "fast-check";
import { toolError, toolResult } from "../../core/envelope.ts";
import { ToolError } from "../../core/errors.ts";
import {
  encodeError,
  encodeResult,
  InvalidResult,
  MAX_DEPTH,
  MAX_RESULT_CHARS,
} from "../../workers/encode_result.ts";

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

function withHole(): number[] {
  const list = [1, 2, 3];
  delete list[1];
  return list;
}

/** What comes out at the other end: JSON text is read as the value it holds. */
function received(value: unknown): unknown {
  const encoded = encodeResult(value);
  return encoded.kind === "raw" ? { kind: "json", value: JSON.parse(encoded.json) } : encoded;
}

function invalid(value: unknown): string {
  try {
    const encoded = encodeResult(value);
    assert.fail(`Expected an invalid result, got ${JSON.stringify(encoded).slice(0, 200)}`);
  } catch (error) {
    if (!(error instanceof InvalidResult)) throw error;
    return error.message;
  }
}

Deno.test("encodeResult() tells texts, errors, JSON values and blocks apart", () => {
  const block = { type: "text", text: "hi" };
  const cases: [value: unknown, wire: unknown][] = [
    ["hi", { kind: "text", text: "hi" }],
    [undefined, { kind: "text", text: "" }],
    [toolResult({ a: 1 }), { kind: "text", text: '{"a":1}' }],
    [toolError("No luck"), { kind: "error", text: '{"error":"No luck"}' }],
    ['{"error":"only looks like one"}', { kind: "text", text: '{"error":"only looks like one"}' }],
    [null, { kind: "json", value: null }],
    [0, { kind: "json", value: 0 }],
    [false, { kind: "json", value: false }],
    [[1, "a", null], { kind: "json", value: [1, "a", null] }],
    [{ a: { b: [] } }, { kind: "json", value: { a: { b: [] } } }],
    [{ a: 1, b: undefined }, { kind: "json", value: { a: 1 } }],
    [new Date(0), { kind: "json", value: "1970-01-01T00:00:00.000Z" }],
    [{ content: [block] }, { kind: "blocks", blocks: [block], structured: undefined }],
    [
      { content: [block], structuredContent: { a: 1 } },
      { kind: "blocks", blocks: [block], structured: { a: 1 } },
    ],
    [{ content: [] }, { kind: "json", value: { content: [] } }],
    [{ content: [{ type: "essay" }] }, { kind: "json", value: { content: [{ type: "essay" }] } }],
    [{ content: "text" }, { kind: "json", value: { content: "text" } }],
  ];
  for (const [value, wire] of cases) assert.deepEqual(received(value), wire);
});

Deno.test("encodeResult() carries any JSON value unchanged", () => {
  fc.assert(fc.property(fc.json(), (text) => {
    const value = JSON.parse(text);
    if (typeof value === "string") return;
    if (encodeResult(value).kind === "blocks") return;
    assert.deepEqual(received(value), { kind: "json", value });
  }));
});

Deno.test("encodeResult() refuses what JSON would lose or change, with its place", () => {
  const cases: [value: unknown, what: string, path: string][] = [
    [NaN, "the number NaN", ""],
    [{ a: [1, Infinity] }, "the number Infinity", "/a/1"],
    [{ a: -Infinity }, "the number -Infinity", "/a"],
    [10n, "a bigint", ""],
    [{ n: 10n }, "a bigint", "/n"],
    [() => 1, "a function", ""],
    [{ run: () => 1 }, "a function", "/run"],
    [Symbol("s"), "a symbol", ""],
    [[undefined], "undefined in an array", "/0"],
    [withHole(), "undefined in an array", "/1"],
    [new Map([["a", 1]]), "an object of type Map", ""],
    [{ seen: new Set([1]) }, "an object of type Set", "/seen"],
    [{ later: Promise.resolve(1) }, "an object of type Promise", "/later"],
    [{ why: new TypeError("lost") }, "an object of type Error", "/why"],
    [{ bytes: new Uint8Array([1, 2]) }, "an object of type Uint8Array", "/bytes"],
    [new ArrayBuffer(2), "an object of type ArrayBuffer", ""],
    [[new Float64Array(1)], "an object of type Float64Array", "/0"],
  ];
  for (const [value, what, path] of cases) {
    const place = path === "" ? "the result" : `the result at "${path}"`;
    assert.equal(
      invalid(value),
      `Cannot send ${place}: ${what} has no JSON form. Return text, JSON values or content blocks`,
    );
  }
});

Deno.test("encodeResult() refuses a value that holds itself, or is nested too deep", () => {
  const circle: Record<string, unknown> = {};
  circle.self = { circle };
  const tooDeep =
    `Cannot send the result: it is nested over ${MAX_DEPTH} levels deep, or holds itself`;
  assert.equal(invalid(circle), tooDeep);
  assert.equal(invalid(nested(MAX_DEPTH + 1)), tooDeep);
  const json = "[".repeat(MAX_DEPTH) + "1" + "]".repeat(MAX_DEPTH);
  assert.deepEqual(encodeResult(nested(MAX_DEPTH)), { kind: "raw", json });
});

Deno.test("encodeResult() refuses what is too long", () => {
  assert.equal(MAX_RESULT_CHARS, 67_108_864);
  const long = "x".repeat(MAX_RESULT_CHARS + 1);
  const message =
    /it is 6710\d{4} characters long, 67108864 at most\. Write it to a file and return its path$/;
  assert.match(invalid(long), message);
  assert.match(invalid([long]), message);
  assert.match(invalid({ content: [{ type: "text", text: long }] }), message);
});

Deno.test("encodeResult() asks a value's own toJSON, and takes its answer", () => {
  assert.deepEqual(received({ toJSON: () => ({ a: 1 }) }), { kind: "json", value: { a: 1 } });
  assert.match(invalid({ toJSON: () => 10n }), /^Cannot send the result: /);
  assert.match(invalid({ toJSON: () => undefined }), /^Cannot send the result: /);
  assert.equal(
    invalid({
      toJSON: () => {
        throw new Error("Not today");
      },
    }),
    "Cannot send the result: Not today",
  );
});

Deno.test("encodeResult() refuses a getter that throws and a proxy that fights, without throwing anything else", () => {
  const getter = {
    get a(): number {
      throw new Error("Hands off");
    },
  };
  assert.equal(invalid(getter), "Cannot send the result: Hands off");
  const traps = {
    get: () => {
      throw new Error("Trapped");
    },
    ownKeys: () => {
      throw new Error("Trapped");
    },
  };
  assert.equal(invalid(new Proxy({}, traps)), "Cannot send the result: Trapped");
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  assert.match(invalid(proxy), /^Cannot send the result: /);
});

Deno.test("encodeResult() makes plain data of content blocks, so that nothing of them runs again", () => {
  let asked = 0;
  const block = {
    type: "text",
    get text(): string {
      asked++;
      return "once";
    },
  };
  const wire = encodeResult({ content: [block], structuredContent: { toJSON: () => [1] } });
  const before = asked;
  assert.deepEqual(JSON.parse(JSON.stringify(wire)), {
    kind: "blocks",
    blocks: [{ type: "text", text: "once" }],
    structured: [1],
  });
  assert.equal(asked, before);
});

Deno.test("encodeError() tells a ToolError from other errors", () => {
  assert.deepEqual(
    encodeError(new ToolError("Try again", { retryable: true, details: { wait: 1 } })),
    {
      code: "tool_error",
      message: "Try again",
      errorName: "ToolError",
      retryable: true,
      details: { wait: 1 },
    },
  );
  assert.deepEqual(encodeError(new TypeError("Wrong")), {
    code: "tool_error",
    message: "Wrong",
    errorName: "TypeError",
    retryable: false,
  });
  assert.deepEqual(encodeError(new InvalidResult("Bad")), {
    code: "invalid_result",
    message: "Bad",
    retryable: false,
  });
});

Deno.test("encodeError() makes a message of whatever was thrown, and leaves the stack behind", () => {
  const cases: [thrown: unknown, message: string][] = [
    ["a text", "a text"],
    [42, "42"],
    [undefined, "undefined"],
    [null, "null"],
    [{ message: "an object" }, "an object"],
    [{ message: 1 }, "[object Object]"],
    [Object.create(null), "a value that cannot be shown as text"],
    [
      {
        get message() {
          throw new Error("no");
        },
      },
      "a value that cannot be shown as text",
    ],
  ];
  for (const [thrown, message] of cases) {
    const error = encodeError(thrown);
    assert.equal(error.message, message);
    assert.equal(error.code, "tool_error");
    assert.ok(!("stack" in error));
  }
  const long = encodeError(new Error("x".repeat(5000)));
  assert.equal(long.message, `${"x".repeat(2048)}… [truncated]`);
});

Deno.test("encodeError() finds what was asked for without a grant, also behind other errors", () => {
  const cases: [message: string, denied: unknown][] = [
    [
      'Requires read access to "/etc/passwd", run again with the --allow-read flag',
      { kind: "read", what: "/etc/passwd" },
    ],
    [
      'Requires net access to "example.com:443", run again with the --allow-net flag',
      { kind: "net", what: "example.com:443" },
    ],
    ["Requires env access, run again with the --allow-env flag", { kind: "env" }],
    ['Requires import access to "deno.land:443"', { kind: "import", what: "deno.land:443" }],
  ];
  for (const [message, denied] of cases) {
    for (const error of [new Error(message), new Error("outer", { cause: new Error(message) })]) {
      const encoded = encodeError(error);
      assert.equal(encoded.code, "permission_denied");
      assert.deepEqual(encoded.denied, denied);
    }
  }
  assert.equal(encodeError(new Error("Requires a coffee")).code, "tool_error");
});

Deno.test("encodeError() drops details that JSON cannot carry", () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  for (const details of [circle, 10n, () => 1, "x".repeat(70_000)]) {
    const error = encodeError(new ToolError("m", { details: details as never }));
    assert.equal(error.message, "m");
    assert.equal(error.details, undefined);
  }
});
