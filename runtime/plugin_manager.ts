/**
 * Plugins: folders of somebody else's tools, each an owner of its own.
 * @module
 */
import type { Owner } from "../core/entry.ts";
import type { ToolRoot } from "../registry/discovery_types.ts";
import type { RegistryDraft } from "../registry/registry_draft.ts";
import type { ToolRegistry } from "../registry/tool_registry.ts";
import type { PluginConfig } from "./config.ts";
import { resolve } from "./paths.ts";
import type { DiscoveryReport, PluginInfo } from "./runtime_types.ts";

/** What the manager works with. */
export interface PluginManagerOptions {
  /** The operator's plugins, in the order that counts. */
  readonly plugins: readonly PluginConfig[];
  /** The table. */
  readonly registry: ToolRegistry;
  /** Looks through one owner's folders; other owners' tools stay as they are. */
  readonly discover: (owner: Owner, roots: readonly ToolRoot[]) => Promise<DiscoveryReport>;
}

interface Plugin {
  readonly config: PluginConfig;
  readonly owner: Owner;
  readonly root: ToolRoot;
  enabled: boolean;
}

/** Who says something about the plugins of a table; several runtimes may share one. */
const managers = new WeakMap<ToolRegistry, Set<PluginManager>>();

/** Enables, disables and reloads plugins. */
export class PluginManager implements Disposable {
  readonly #options: PluginManagerOptions;
  readonly #plugins: Map<string, Plugin>;

  /**
   * Takes the operator's plugins over and tells the table their order and which of them may override.
   *
   * @param options Plugins, table, discovery.
   */
  constructor(options: PluginManagerOptions) {
    this.#options = options;
    this.#plugins = new Map(options.plugins.map((config) => [config.id, toPlugin(config)]));
    if (this.#plugins.size === 0) return;
    const { registry } = options;
    managers.set(registry, (managers.get(registry) ?? new Set()).add(this));
    registry.update((draft) => this.#tell(draft));
  }

  /** Takes back what it told the table; what another runtime over the same table says holds again. */
  [Symbol.dispose](): void {
    const { registry } = this.#options;
    const others = managers.get(registry);
    if (!others?.delete(this)) return;
    registry.update((draft) => {
      draft.setPluginOrder([]);
      for (const { owner } of this.#plugins.values()) {
        draft.registerPluginOverridePolicy(owner, { allowToolOverride: false });
      }
      for (const manager of others) manager.#tell(draft);
    });
  }

  /** The folders of the plugins that are enabled. */
  get roots(): readonly ToolRoot[] {
    return [...this.#plugins.values()].filter(({ enabled }) => enabled).map(({ root }) => root);
  }

  /**
   * The plugins and what they are.
   *
   * @returns In the order of the configuration.
   */
  list(): readonly PluginInfo[] {
    const entries = this.#options.registry.snapshot().entries();
    return [...this.#plugins.values()].map(({ config, owner, root, enabled }) => ({
      id: config.id,
      path: root.dir,
      enabled,
      allowToolOverride: config.allowToolOverride ?? false,
      tools: entries.filter((entry) => entry.owner === owner).map(({ name }) => name).toSorted(),
    }));
  }

  /**
   * Offers a plugin's tools.
   *
   * @param id The plugin.
   * @returns What was found in its folder.
   * @throws {RangeError} If there is no such plugin.
   */
  enable(id: string): Promise<DiscoveryReport> {
    const plugin = this.#find(id);
    plugin.enabled = true;
    return this.#options.discover(plugin.owner, [plugin.root]);
  }

  /**
   * Withdraws a plugin's tools. Whoever was shadowed by one of them shows again.
   *
   * @param id The plugin.
   * @returns The report of what is left of the plugin: nothing.
   * @throws {RangeError} If there is no such plugin.
   */
  disable(id: string): Promise<DiscoveryReport> {
    const plugin = this.#find(id);
    plugin.enabled = false;
    return this.#options.discover(plugin.owner, []);
  }

  /**
   * Looks through a plugin's folder again; no other owner's tool is touched.
   *
   * @param id The plugin.
   * @returns What was found in its folder.
   * @throws {RangeError} If there is no such plugin, or it is disabled.
   */
  reload(id: string): Promise<DiscoveryReport> {
    const plugin = this.#find(id);
    if (!plugin.enabled) throw new RangeError(`Cannot reload plugin "${id}": it is disabled`);
    return this.#options.discover(plugin.owner, [plugin.root]);
  }

  #tell(draft: RegistryDraft): void {
    const plugins = [...this.#plugins.values()];
    draft.setPluginOrder(plugins.map(({ owner }) => owner));
    for (const { owner, config } of plugins) {
      const allowToolOverride = config.allowToolOverride ?? false;
      draft.registerPluginOverridePolicy(owner, { allowToolOverride });
    }
  }

  #find(id: string): Plugin {
    const plugin = this.#plugins.get(id);
    if (plugin) return plugin;
    const known = [...this.#plugins.keys()].map((name) => `"${name}"`).join(", ") || "none";
    throw new RangeError(
      `Cannot find plugin "${id}": the configuration names ${known}. Add it to "plugins"`,
    );
  }
}

function toPlugin(config: PluginConfig): Plugin {
  const owner: Owner = `plugin:${config.id}`;
  const root: ToolRoot = { dir: resolve(config.path), owner };
  return { config, owner, root, enabled: config.enabled ?? true };
}
