/**
 * The product's version.
 * @module
 */
import manifest from "../deno.json" with { type: "json" };

/** The product's version. */
export const VERSION: string = manifest.version;
