/** Logic of three values: yes, no, and that depends. */

/** Whether a value fits; `undefined` where that depends on something that is reported as lost. */
export type Verdict = boolean | undefined;

export function all(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes(false)) return false;
  return verdicts.includes(undefined) ? undefined : true;
}

export function some(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes(true)) return true;
  return verdicts.includes(undefined) ? undefined : false;
}

export function not(verdict: Verdict): Verdict {
  return verdict === undefined ? undefined : !verdict;
}

export function exactly(verdicts: readonly Verdict[]): Verdict {
  const held = verdicts.filter((one) => one === true).length;
  if (held > 1) return false;
  const open = verdicts.includes(undefined);
  return open ? undefined : held === 1;
}
