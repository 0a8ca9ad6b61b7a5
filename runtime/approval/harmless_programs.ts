/**
 * Programs that run unasked outside of a container, with the options that they may have. What is not here asks.
 *
 * Left out on purpose is what starts other programs, writes files or reads names of files from files: `sort -o`, `-T`
 * and `--compress-program`, `find -exec`, `-delete` and `-fprint`, `rg --pre` and `-z`, `tree -o`, `--files0-from`,
 * `xxd` and `uniq` with a second file, `date -s`, `diff -l` and `-r` (which follows links), `jq -f` and its modules;
 * and all of git, whose configuration names programs.
 * @module
 */

/** What a program may be given. */
export interface HarmlessProgram {
  /** Short options without a value, each a letter. */
  readonly flags?: string;
  /** Short options with a value that names no file. */
  readonly values?: string;
  /** Long options, separated by blanks; `name=` takes a value behind the sign. */
  readonly long?: string;
  /** What its operands are. @default {"paths"} */
  readonly operands?: "paths" | "made" | "texts" | "pattern";
  /** How many operands there may be. */
  readonly most?: number;
  /** What each operand that is a text must look like. */
  readonly like?: RegExp;
  /** Options after which there is no pattern among the operands. */
  readonly noPattern?: readonly string[];
  /** Whether its arguments are no options at all; with `paths`, each that begins with no dash is a path. */
  readonly isRaw?: boolean;
  /** Arguments that it always gets first. */
  readonly first?: readonly string[];
  /** Tests and actions with the number of words behind each, for `find`. */
  readonly expression?: Readonly<Record<string, number>>;
}

const CHECKSUM: HarmlessProgram = { flags: "bt", long: "binary text tag" };
const FD: HarmlessProgram = {
  flags: "HIsigFpa0",
  values: "tedESc",
  long: "hidden no-ignore case-sensitive ignore-case glob fixed-strings full-path absolute-path " +
    "type= extension= max-depth= min-depth= exclude= size= color=",
  operands: "pattern",
  noPattern: [],
};

const FIND_TESTS: Readonly<Record<string, number>> = Object.freeze({
  ...Object.fromEntries(
    ("-a -and -o -or -not ! ( ) , -empty -print -print0 -ls -prune -quit -depth -daystart -true -false " +
      "-xdev -mount -readable -writable -executable -nouser -nogroup").split(" ")
      .map((word) => [word, 0]),
  ),
  ...Object.fromEntries(
    ("-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -maxdepth -mindepth -size " +
      "-mtime -mmin -atime -amin -ctime -cmin -perm -user -group -links -inum -printf").split(" ")
      .map((word) => [word, 1]),
  ),
});

/** The list. */
export const HARMLESS_PROGRAMS: ReadonlyMap<string, HarmlessProgram> = new Map(
  Object.entries<HarmlessProgram>({
    ls: {
      flags: "1aAbBcCdfFgGhiklmnNopqQrRsStuUvxXZ",
      long:
        "all almost-all color color= human-readable recursive reverse size sort= time= full-time " +
        "time-style= group-directories-first directory ignore= classify",
    },
    cat: { flags: "AbeEnstTuv", long: "number show-all squeeze-blank number-nonblank" },
    head: { flags: "qvz0123456789", values: "nc", long: "lines= bytes= quiet verbose" },
    tail: { flags: "fqvz0123456789", values: "ncs", long: "lines= bytes= quiet verbose follow" },
    wc: { flags: "clmLw", long: "bytes chars lines words max-line-length" },
    sort: {
      flags: "bdfghiMnRruVcCsmz",
      values: "kt",
      long: "reverse numeric-sort unique key= field-separator= ignore-case stable version-sort " +
        "human-numeric-sort check zero-terminated",
    },
    uniq: {
      flags: "cdDiuz",
      values: "fsw",
      long: "count repeated unique ignore-case skip-fields= skip-chars=",
      most: 1,
    },
    cut: {
      flags: "nsz",
      values: "bcdf",
      long: "complement output-delimiter= fields= delimiter= characters= bytes= only-delimited",
    },
    tr: {
      flags: "cCdst",
      long: "complement delete squeeze-repeats",
      operands: "texts",
      most: 2,
    },
    nl: { flags: "p", values: "bdfhilnsvw", long: "body-numbering= number-format= number-width=" },
    grep: {
      flags: "EFGPiyvwxcLlnHhoqsabrzZT0123456789",
      values: "eABCm",
      long:
        "include= exclude= exclude-dir= color color= extended-regexp ignore-case invert-match " +
        "line-number count recursive files-with-matches files-without-match only-matching max-count= " +
        "regexp= context= after-context= before-context= no-filename with-filename word-regexp " +
        "fixed-strings perl-regexp quiet",
      operands: "pattern",
      noPattern: ["e", "regexp"],
    },
    rg: {
      flags: "nilcwvoFxuHN0psSUPI",
      values: "etTgmABCr",
      long:
        "line-number ignore-case files-with-matches count word-regexp invert-match only-matching " +
        "fixed-strings smart-case hidden no-ignore files json stats heading no-heading color= " +
        "type= type-not= glob= max-count= max-depth= context= after-context= before-context= " +
        "regexp= replace= sort= multiline no-filename with-filename files-without-match",
      operands: "pattern",
      noPattern: ["e", "regexp", "files"],
      first: ["--no-config"],
    },
    find: { expression: FIND_TESTS },
    fd: FD,
    fdfind: FD,
    jq: {
      flags: "nrcsSeajMC",
      long:
        "raw-output compact-output slurp null-input exit-status sort-keys ascii-output tab raw-input",
      operands: "pattern",
      noPattern: [],
      // Variables of the environment, and modules, which are read from files.
      like: /^(?!.*(?:env|import|include|module|library))/is,
    },
    diff: {
      // Links in a folder would lead outside.
      first: ["--no-dereference"],
      flags: "abBdeEinNpqstTuwyZ",
      values: "UCWFI",
      long: "brief unified unified= context= side-by-side color color= ignore-all-space " +
        "ignore-space-change ignore-blank-lines ignore-case report-identical-files new-file text " +
        "strip-trailing-cr suppress-common-lines width= label=",
    },
    cmp: { flags: "bls", values: "n", long: "silent quiet verbose print-bytes" },
    comm: { flags: "123z", long: "check-order nocheck-order output-delimiter= total" },
    paste: { flags: "sz", values: "d", long: "serial delimiters=" },
    column: { flags: "tx", values: "sco", long: "table separator= output-separator=" },
    stat: { flags: "ft", values: "c", long: "format= printf= file-system terse" },
    file: { flags: "bhi", long: "brief mime mime-type mime-encoding" },
    du: {
      flags: "0abchkmsSx",
      values: "dtB",
      long:
        "max-depth= human-readable summarize apparent-size all total bytes exclude= one-file-system",
    },
    df: {
      flags: "ahHikmPTl",
      values: "txB",
      long: "human-readable all inodes local print-type total",
    },
    tree: {
      flags: "adfipsugDFhCnNQ",
      values: "LPI",
      long: "noreport dirsfirst gitignore prune",
    },
    // It takes "-pl" for "-p": with values, a word would be taken for one that is a file.
    xxd: { flags: "abeiup", most: 1 },
    od: {
      flags: "abcdfilosxv",
      values: "AjNt",
      long: "address-radix= format= skip-bytes= read-bytes= output-duplicates",
    },
    sha256sum: CHECKSUM,
    sha512sum: CHECKSUM,
    sha1sum: CHECKSUM,
    md5sum: CHECKSUM,
    base64: { flags: "di", values: "w", long: "decode ignore-garbage wrap=", most: 1 },
    zcat: {},
    basename: {
      flags: "az",
      values: "s",
      long: "multiple suffix= zero",
      operands: "texts",
    },
    dirname: { flags: "z", long: "zero", operands: "texts" },
    realpath: {
      flags: "eEmLPqsz",
      long: "canonicalize-existing canonicalize-missing no-symlinks quiet",
    },
    echo: { isRaw: true, operands: "texts" },
    printf: { isRaw: true, operands: "texts" },
    pwd: { flags: "LP", most: 0 },
    true: { isRaw: true, operands: "texts" },
    false: { isRaw: true, operands: "texts" },
    test: { isRaw: true },
    date: {
      flags: "uRI",
      values: "d",
      long: "utc universal date= iso-8601 iso-8601= rfc-3339= rfc-email",
      operands: "texts",
      like: /^\+/,
      most: 1,
    },
    sleep: { operands: "texts", like: /^\d{1,9}(?:\.\d{1,9})?[smhd]?$/ },
    whoami: { most: 0 },
    uname: { flags: "asnrvmpio", long: "all kernel-name kernel-release machine", most: 0 },
    uptime: { flags: "ps", most: 0 },
    free: { flags: "bkmghtwl", most: 0 },
    hostname: { flags: "fsdiI", most: 0 },
    nproc: { long: "all ignore=", most: 0 },
    id: { flags: "GgnruzZ", operands: "texts", like: /^\w/, most: 1 },
    which: { flags: "a", operands: "texts", like: /^[\w.+-]+$/ },
    seq: {
      flags: "w",
      values: "sf",
      long: "equal-width separator= format=",
      operands: "texts",
      like: /^[\d.]+$/,
      most: 3,
    },
    mkdir: { flags: "pv", long: "parents verbose", operands: "made" },
    touch: { flags: "acm", long: "no-create", operands: "made" },
  }),
);
