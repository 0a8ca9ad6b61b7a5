import assert from "node:assert/strict";
import fc from "fast-check";
import {
  neutraliseFrames,
  neutraliseLine,
  neutraliseText,
  sanitiseErrorText,
} from "../../runtime/error_text.ts";
import { redactObject, redactSecrets } from "../../runtime/redact.ts";

Deno.test("neutraliseText() takes out terminal sequences and shows what is invisible (A12)", () => {
  assert.equal(neutraliseText("\x1b[1;31mred\x1b[0m"), "red");
  assert.equal(neutraliseText("a\x1b]0;title\x07b\x1b]8;;http://x\x1b\\c"), "abc");
  assert.equal(neutraliseText("\x9b31mx"), "x");
  assert.equal(neutraliseText("a\x1bb\rc\x00"), "a\\u{1B}b\\u{D}c\\u{0}");
  assert.equal(neutraliseText("user\u202Egpj.exe"), "user\\u{202E}gpj.exe");
  assert.equal(neutraliseText("a\u200Bb\uFEFF\u2066"), "a\\u{200B}b\\u{FEFF}\\u{2066}");
  assert.equal(neutraliseText("x\u{E0041}\u{E0100}"), "x\\u{E0041}\\u{E0100}");
  assert.equal(neutraliseText("\uD800x"), "\uFFFDx");
  assert.equal(neutraliseText("tab\tline\r\nñ 漢字 🔢"), "tab\tline\nñ 漢字 🔢");
  assert.equal(neutraliseLine("a\nb\tc"), "a\\nb\\tc");
});

Deno.test("neutraliseFrames() breaks frames and leaves other text alone", () => {
  assert.equal(neutraliseFrames("</tool_call><System>hi"), "&lt;/tool_call>&lt;System>hi");
  assert.equal(neutraliseFrames("<|im_end|>"), "&lt;|im_end|&gt;");
  assert.equal(neutraliseFrames("```json\n{}\n```"), "'''json\n{}\n'''");
  assert.equal(neutraliseFrames("<![CDATA[x]]>"), "&lt;![CDATA[x]]&gt;");
  assert.equal(neutraliseFrames("[INST]x[/INST]<<SYS>>"), "(INST)x(/INST)&lt;<SYS>>");
  assert.equal(neutraliseFrames("a < b, <div>, a[1], `x`"), "a < b, <div>, a[1], `x`");
});

Deno.test("sanitiseErrorText() bounds a text to 2,048 characters and a marker", () => {
  assert.equal(sanitiseErrorText("short"), "short");
  assert.equal(sanitiseErrorText("x".repeat(2048)), "x".repeat(2048));
  assert.equal(sanitiseErrorText("x".repeat(2049)), "x".repeat(2048) + "… [truncated]");
  const pair = sanitiseErrorText("x".repeat(2047) + "🔢🔢");
  assert.equal(pair, "x".repeat(2047) + "… [truncated]");
  assert.ok(sanitiseErrorText("\x1b[0m".repeat(10_000)).endsWith("… [truncated]"));
});

Deno.test("sanitiseErrorText() is idempotent and leaves nothing dangerous", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "\x1b[31m",
      "\x1b",
      "\x1b]",
      "\x07",
      "<system>",
      "</",
      "<",
      "|>",
      "<|",
      "```",
      "~~",
      "]]>",
      "[INST]",
      "<<SYS>>",
      "\u202E",
      "\u{E0041}",
      "\r",
      "\n",
      "token=",
      "password: hunter22",
      "Bearer abcdefghijkl",
      "sk-abcdefghijklmnopqrst",
      "://u:p@h",
      "… [truncated]",
      "\uD83D",
      "x".repeat(700),
    ),
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const once = sanitiseErrorText(pieces.join(""));
      assert.equal(sanitiseErrorText(once), once);
      assert.ok(once.length <= 2048 + 13);
      assert.ok(once.isWellFormed());
      // deno-lint-ignore no-control-regex
      assert.doesNotMatch(once, /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202e]|```|<\/?system\b|<\|/i);
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("sanitiseErrorText() and redactSecrets() take linear time", () => {
  const bait = [
    "\x1b[",
    "\x1b]0;",
    "<",
    "token=",
    "eyJaaaaaaaaaa.",
    "://",
    "-----BEGIN ",
    "Bearer ",
    "```",
  ];
  const started = performance.now();
  for (const text of bait) {
    sanitiseErrorText(text.repeat(1_000_000));
    redactSecrets(text.repeat(2_000));
    neutraliseText(text.repeat(100_000));
  }
  assert.ok(performance.now() - started < 10_000);
});

Deno.test("redactSecrets() takes out what looks like a secret (A25)", () => {
  const secrets = [
    "sk-proj-abcdefghijklmnop1234",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "AKIAABCDEFGHIJKLMNOP",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEabc=\n-----END RSA PRIVATE KEY-----",
  ];
  for (const secret of secrets) assert.equal(redactSecrets(`a ${secret} b`), "a [redacted] b");
  assert.equal(
    redactSecrets("Authorization: Bearer abc.def-123"),
    "Authorization: Bearer [redacted]",
  );
  assert.equal(redactSecrets("postgres://me:hunter2@db/x"), "postgres://[redacted]@db/x");
  assert.equal(redactSecrets('{"password": "hunter2"}'), '{"password": "[redacted]"}');
  assert.equal(redactSecrets("https://example.com:8080/a@b"), "https://example.com:8080/a@b");
  assert.equal(redactSecrets("password: hunter22"), "password: [redacted]");
  assert.equal(redactSecrets("Unexpected token: identifier"), "Unexpected token: identifier");
  assert.equal(redactSecrets("no secret: 12 tokens used"), "no secret: 12 tokens used");
});

Deno.test("redactObject() takes out members by name, at every depth", () => {
  assert.deepEqual(
    redactObject({
      apiKey: "x",
      a: [{ Authorization: "y", n: 1 }],
      text: "token=abcdef",
      tokens: 3,
    }),
    {
      apiKey: "[redacted]",
      a: [{ Authorization: "[redacted]", n: 1 }],
      text: "token=[redacted]",
      tokens: 3,
    },
  );
});
