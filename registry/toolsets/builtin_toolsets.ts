/**
 * The toolsets that come with the package. They list tools; the toolset that a tool was registered in is
 * another thing.
 * @module
 */
import type { ToolsetComposition } from "./composition.ts";

/** The tools that all bundles share: disabling a bundle does not take them away. */
export const CORE_TOOLS: ReadonlySet<string> = new Set([
  "patch",
  "read_file",
  "search_files",
  "terminal",
  "web_extract",
  "write_file",
]);

// Front ends that agents of this kind have; the names are those that their configurations use.
const PLATFORMS: readonly string[] = [
  "api-server",
  "bluebubbles",
  "cli",
  "cron",
  "dingtalk",
  "discord",
  "email",
  "feishu",
  "homeassistant",
  "matrix",
  "mattermost",
  "qqbot",
  "signal",
  "slack",
  "sms",
  "telegram",
  "wecom",
  "wecom-callback",
  "weixin",
  "whatsapp",
  "yuanbao",
];

/** The built-in compositions by name. */
export const BUILTIN_TOOLSETS: ReadonlyMap<string, ToolsetComposition> = new Map([
  [
    "file",
    list("Read, write, change and find files of the workspace", [
      "patch",
      "read_file",
      "search_files",
      "write_file",
    ]),
  ],
  ["terminal", list("Run commands", ["terminal"])],
  ["web", list("Read pages of the web", ["web_extract"])],
  ["debugging", list("Find out what is wrong with a program", ["terminal"], ["web", "file"])],
  ["safe", list("Neither commands nor files", [], ["web"])],
  ["coding", bundle("Work on a program", [...CORE_TOOLS])],
  ["hermes-acp", bundle("For editors", [], ["coding"])],
  // What reaches a webhook was written by strangers.
  ["hermes-webhook", bundle("For webhooks: nothing that acts", [], ["safe"])],
  ...PLATFORMS.map((platform) => platformToolset(platform)),
  [
    "hermes-gateway",
    bundle("For every platform at once", [], PLATFORMS.map((platform) => `hermes-${platform}`)),
  ],
]);

function platformToolset(platform: string): readonly [string, ToolsetComposition] {
  return [`hermes-${platform}`, bundle(`For ${platform}`, [...CORE_TOOLS])];
}

function list(
  description: string,
  tools: readonly string[],
  includes: readonly string[] = [],
): ToolsetComposition {
  return Object.freeze({ description, tools, includes, isBundle: false });
}

function bundle(
  description: string,
  tools: readonly string[],
  includes: readonly string[] = [],
): ToolsetComposition {
  return Object.freeze({ description, tools, includes, isBundle: true });
}
