/**
 * A map that nobody can change, for results that several callers share.
 * @module
 */

/** A map whose changing methods throw. */
export class FrozenMap<K, V> extends Map<K, V> {
  /**
   * Copies entries and freezes.
   *
   * @param entries The entries.
   */
  constructor(entries: Iterable<readonly [K, V]>) {
    super();
    for (const [key, value] of entries) super.set(key, value);
    Object.freeze(this);
  }

  /**
   * Throws: the map is shared.
   *
   * @throws {TypeError} Always.
   */
  override set(): this {
    throw refusal();
  }

  /**
   * Throws: the map is shared.
   *
   * @throws {TypeError} Always.
   */
  override delete(): boolean {
    throw refusal();
  }

  /**
   * Throws: the map is shared.
   *
   * @throws {TypeError} Always.
   */
  override clear(): void {
    throw refusal();
  }
}

function refusal(): TypeError {
  return new TypeError("Cannot change this map: it is shared. Copy it with new Map(map)");
}
