/**
 * Finding the rules that speak of a program.
 * @module
 */
import type { DangerRule } from "./danger_rule.ts";
import type { ProgramCall } from "./program_call.ts";

/** Rules by the programs that they speak of. */
export class RuleIndex {
  /** Every rule, in order. */
  readonly rules: readonly DangerRule[];
  readonly #exact = new Map<string, DangerRule[]>();
  readonly #families: (readonly [prefix: string, rule: DangerRule])[] = [];

  /**
   * Sorts rules.
   *
   * @param rules The rules.
   */
  constructor(rules: readonly DangerRule[]) {
    this.rules = Object.freeze([...rules]);
    for (const rule of rules) {
      for (const name of rule.programs.split(" ")) {
        if (name.endsWith("*")) this.#families.push([name.slice(0, -1), rule]);
        else this.#exact.set(name, [...this.#exact.get(name) ?? [], rule]);
      }
    }
  }

  /**
   * The rules that find something in a call.
   *
   * @param call The call.
   * @returns The rules.
   */
  matching(call: ProgramCall): readonly DangerRule[] {
    const families = this.#families.filter(([prefix]) => call.program.startsWith(prefix))
      .map(([, rule]) => rule);
    return [...this.#exact.get(call.program) ?? [], ...families].filter(({ when }) => when(call));
  }
}
