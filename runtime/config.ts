/**
 * The configuration: loading it, and asking it.
 * @module
 */
export { ceilingsFor, type CeilingSubject } from "./config/ceilings_for.ts";
export type { CeilingConfig, Config, PluginConfig, ToolsetConfig } from "./config/config_types.ts";
export { loadConfig, type LoadConfigOptions, type LoadedConfig } from "./config/load_config.ts";
