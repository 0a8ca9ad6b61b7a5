/**
 * Tells its parent, by the exit code, whether the resolver of this process has taken `RES_OPTIONS=no-aaaa`. A
 * process of its own with no permission but `ffi`, because only the C library itself knows.
 * @module
 */

/** `RES_NOAAAA` of glibc's `resolv.h`. */
const RES_NOAAAA = 0x0800_0000n;
/** Where `options` is in `struct __res_state`, behind two numbers of 4 bytes. */
const OPTIONS_OFFSET = 8;

const library = Deno.dlopen("libc.so.6", {
  __res_init: { parameters: [], result: "i32" },
  __res_state: { parameters: [], result: "pointer" },
});
library.symbols.__res_init();
const state = library.symbols.__res_state();
const options = state === null
  ? 0n
  : new Deno.UnsafePointerView(state).getBigUint64(OPTIONS_OFFSET);
Deno.exit((options & RES_NOAAAA) === 0n ? 1 : 0);
