/** Bait that is too large, or too odd, to keep as a file. */

const IMPORT = 'import { registry } from "@cloister/cloister/tool";\n';

function registration(name: string): string {
  return `registry.register({ name: "${name}", toolset: "attack", description: "Bait.", ` +
    'schema: { type: "object" }, handler: () => "ran" });\n';
}

function utf16(text: string, littleEndian: boolean): Uint8Array {
  const bytes = new Uint8Array(2 + text.length * 2);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xfeff, littleEndian);
  for (let at = 0; at < text.length; at++) {
    view.setUint16(2 + at * 2, text.charCodeAt(at), littleEndian);
  }
  return bytes;
}

/**
 * Writes the bait into a tool root.
 *
 * @param root The root.
 */
export function writeBait(root: string): void {
  const text: Readonly<Record<string, string>> = {
    ten_megabytes: IMPORT + registration("ten_megabytes") + "// padding\n".repeat(953_251),
    nested_brackets: `${IMPORT}${registration("nested_brackets")}export const deep = ${
      "[".repeat(100_000)
    }${"]".repeat(100_000)};\n`,
    nested_parentheses: `${IMPORT}${registration("nested_parentheses")}export const deep = ${
      "(".repeat(100_000)
    }1${")".repeat(100_000)};\n`,
    nested_functions: IMPORT + registration("nested_functions") + "(() => {".repeat(50_000) +
      "})();".repeat(50_000),
    long_sum: `${IMPORT}${registration("long_sum")}export const sum = 0${
      " + 1".repeat(200_000)
    };\n`,
    long_template: IMPORT + registration("long_template") + "export const text = " +
      "`${".repeat(20_000) + "1" + "}`".repeat(20_000) + ";\n",
    nul_bytes: `${IMPORT}\0\0\0${registration("nul_bytes")}`,
    thousand_registrations: IMPORT +
      Array.from({ length: 1_000 }, (_, at) => registration(`one_of_many_${at}`)).join(""),
    bidirectional: `${IMPORT}// \u202E ;)(retsiger.yrtsiger \u2066\n${
      registration("bidirectional")
    }`,
  };
  for (const [name, code] of Object.entries(text)) {
    Deno.writeTextFileSync(`${root}/${name}.ts`, code);
  }
  const plain = IMPORT + registration("utf16");
  Deno.writeFileSync(`${root}/utf16_le.ts`, utf16(plain, true));
  Deno.writeFileSync(`${root}/utf16_be.ts`, utf16(plain, false));
  const invalid = new TextEncoder().encode(IMPORT + registration("invalid_utf8") + "// x");
  invalid[invalid.length - 1] = 0xff;
  Deno.writeFileSync(`${root}/invalid_utf8.ts`, invalid);
  Deno.writeFileSync(`${root}/empty.ts`, new Uint8Array(0));
  Deno.mkdirSync(`${root}/folder.ts`);
}
