/**
 * Permissions in a few words.
 * @module
 */
import { PERMISSION_KEYS, type Permissions } from "../core/permissions.ts";

/**
 * What a tool declares, such as `read=$WORKSPACE net=$ARG.url`.
 *
 * @param permissions The declaration.
 * @returns One line; `none` for nothing at all.
 */
export function permissionsText(permissions: Permissions): string {
  const parts = PERMISSION_KEYS.flatMap((key) => {
    const list = permissions[key];
    return list && list.length > 0 ? [`${key}=${list.join(",")}`] : [];
  });
  return parts.length === 0 ? "none" : parts.join(" ");
}
