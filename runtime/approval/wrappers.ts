/**
 * Programs that start the program named in their arguments.
 * @module
 */

/** How a wrapper's own arguments are told from the program's. */
export interface Wrapper {
  /** Options of one letter that take a value. */
  readonly letters?: string;
  /** Options of a word that take a value. */
  readonly words?: readonly string[];
  /** How many arguments come before the program. */
  readonly operands?: number;
  /** Options with which nothing is run. */
  readonly asks?: readonly string[];
}

/** The wrappers by name. */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>(Object.entries({
  sudo: {
    letters: "ughpCcDRrTtU",
    words: ["user", "group", "host", "prompt", "close-from", "chdir", "chroot", "role", "type"],
  },
  doas: { letters: "uC" },
  pkexec: { words: ["user"] },
  run0: { letters: "ugD", words: ["user", "group", "chdir", "unit", "property"] },
  env: { letters: "uC", words: ["unset", "chdir"] },
  nohup: {},
  nice: { letters: "n", words: ["adjustment"] },
  ionice: { letters: "cnp", words: ["class", "classdata"] },
  chrt: { letters: "TPD", operands: 1 },
  taskset: { operands: 1 },
  timeout: { letters: "ks", words: ["kill-after", "signal"], operands: 1 },
  gtimeout: { letters: "ks", words: ["kill-after", "signal"], operands: 1 },
  stdbuf: { letters: "ioe", words: ["input", "output", "error"] },
  setsid: {},
  time: { letters: "fo", words: ["format", "output"] },
  command: { asks: ["-v", "-V"] },
  builtin: {},
  exec: { letters: "a" },
  busybox: {},
  toybox: {},
  chroot: { words: ["userspec", "groups"], operands: 1 },
  fakeroot: { letters: "sib" },
  unshare: { letters: "RwSG" },
  nsenter: { letters: "tSG", words: ["target", "setuid", "setgid"] },
  flock: { letters: "wEc", words: ["wait", "conflict-exit-code", "command"], operands: 1 },
  xargs: {
    letters: "InPdaELs",
    words: ["replace", "max-args", "max-procs", "delimiter", "arg-file", "max-lines", "max-chars"],
  },
  watch: { letters: "n", words: ["interval"] },
  strace: { letters: "eopsuEabOPSXI" },
  ltrace: { letters: "eopsunaAlx" },
  valgrind: {},
  caffeinate: { letters: "tw" },
  torsocks: {},
  proxychains: { letters: "f" },
  proxychains4: { letters: "f" },
  eatmydata: {},
  unbuffer: {},
  rlwrap: { letters: "aAbCDefgHlmMNoOpPqsStTwz" },
  setpriv: { words: ["reuid", "regid", "groups"] },
  runuser: { letters: "ugGs", words: ["user", "group", "shell"] },
  "systemd-run": {
    letters: "upEtdM",
    words: ["unit", "property", "setenv", "slice", "uid", "gid"],
  },
  "dbus-run-session": {},
  winpty: {},
  gosu: { operands: 1 },
  "su-exec": { operands: 1 },
  parallel: { letters: "jnNIL", words: ["jobs", "joblog"] },
  not: {},
}));
