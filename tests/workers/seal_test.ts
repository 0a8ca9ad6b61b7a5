import assert from "node:assert/strict";
import fc from "fast-check";
import { createKey, KEY_BYTES, Opener, Sealer } from "../../workers/seal.ts";

const TAG_BYTES = 16;

function join(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(parts.flatMap((part) => [...part]));
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function sealAll(key: Uint8Array, texts: readonly string[]): Uint8Array[] {
  const sealer = new Sealer(key);
  return texts.map((text) => join(sealer.seal([bytes(text)])));
}

function openText(opener: Opener, frame: Uint8Array): string | undefined {
  const plain = opener.open(frame);
  return plain && new TextDecoder().decode(plain);
}

Deno.test("createKey() gives 32 bytes that differ each time", () => {
  assert.equal(KEY_BYTES, 32);
  assert.equal(createKey().length, 32);
  assert.notDeepEqual(createKey(), createKey());
});

Deno.test("Opener.open() gives back what Sealer.seal() took, frame by frame", () => {
  fc.assert(fc.property(fc.array(fc.array(fc.uint8Array({ maxLength: 64 }))), (frames) => {
    const key = createKey();
    const sealer = new Sealer(key), opener = new Opener(key);
    for (const parts of frames) {
      const sealed = join(sealer.seal(parts));
      assert.equal(sealed.length, join(parts).length + TAG_BYTES);
      assert.deepEqual([...opener.open(sealed)!], [...join(parts)]);
    }
  }));
});

Deno.test("Sealer.seal() hides the text, and never seals the same text to the same bytes", () => {
  const [first, second] = sealAll(createKey(), ["the same secret", "the same secret"]);
  assert.notDeepEqual(first, second);
  assert.ok(!new TextDecoder().decode(first).includes("secret"));
});

Deno.test("Opener.open() gives nothing for a frame that was changed in any one bit", () => {
  const key = createKey();
  const [frame] = sealAll(key, ["twelve bytes"]);
  for (let bit = 0; bit < frame!.length * 8; bit++) {
    const changed = frame!.slice();
    changed[bit >> 3]! ^= 1 << (bit & 7);
    assert.equal(new Opener(key).open(changed), undefined, `bit ${bit}`);
  }
  assert.equal(openText(new Opener(key), frame!), "twelve bytes");
});

Deno.test("Opener.open() gives nothing for a frame that another key sealed", () => {
  const [forged] = sealAll(createKey(), ["forged"]);
  assert.equal(new Opener(createKey()).open(forged!), undefined);
});

Deno.test("Opener.open() gives nothing for a frame that comes a second time", () => {
  const key = createKey();
  const [first] = sealAll(key, ["pay once"]);
  const opener = new Opener(key);
  assert.equal(openText(opener, first!), "pay once");
  assert.equal(opener.open(first!), undefined);
});

Deno.test("Opener.open() gives nothing for a frame that comes before its turn", () => {
  const key = createKey();
  const [first, second] = sealAll(key, ["first", "second"]);
  assert.equal(new Opener(key).open(second!), undefined);
  const opener = new Opener(key);
  assert.equal(openText(opener, first!), "first");
  assert.equal(openText(opener, second!), "second");
});

Deno.test("Opener.open() gives nothing for a frame that is cut anywhere, or grown", () => {
  const key = createKey();
  const [frame] = sealAll(key, ["cut me"]);
  for (let length = 0; length < frame!.length; length++) {
    assert.equal(new Opener(key).open(frame!.subarray(0, length)), undefined, `length ${length}`);
  }
  assert.equal(new Opener(key).open(join([frame!, new Uint8Array(1)])), undefined);
});

Deno.test("Opener.open() gives nothing for a frame of the other direction", () => {
  const down = createKey(), up = createKey();
  const [sent] = sealAll(down, ["from the front"]);
  assert.equal(new Opener(up).open(sent!), undefined);
});
