import assert from "node:assert/strict";
import { hasNames } from "../../core/host_names.ts";

Deno.test("hasNames() tells names from literal addresses", () => {
  const literal = ["127.0.0.1", "10.0.0.1:80", "[::1]", "[2001:db8::1]:443", "[::ffff:1.2.3.4]"];
  assert.equal(hasNames(literal), false);
  assert.equal(hasNames([]), false);
  for (const name of ["example.com", "localhost:80", "1.2.3", "1.2.3.4.example:80", "*", "a"]) {
    assert.equal(hasNames([...literal, name]), true, name);
  }
});
