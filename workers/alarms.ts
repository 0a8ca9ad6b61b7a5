/**
 * Alarms that hardly ever ring: one timer for all of them, because setting and clearing a timer costs more than the
 * rest of a deadline (measured on Deno 2.9.6).
 * @module
 */

/** An alarm that was set. */
export interface Alarm {
  /** When it rings, by `performance.now()`. */
  readonly at: number;
  /** Called once, when it is time. */
  readonly ring: () => void;
}

/** Timers hold at most 31 bits of milliseconds. */
const MAX_MS = 0x7fffffff;
const alarms = new Set<Alarm>();
let timer: ReturnType<typeof setTimeout> | undefined;
let firesAt = Infinity;

/**
 * Sets an alarm. It keeps the process, as a timer does, until it has rung or is cleared.
 *
 * @param ms Milliseconds from now.
 * @param ring Called once, when it is time. Must not throw.
 * @returns The alarm.
 */
export function setAlarm(ms: number, ring: () => void): Alarm {
  const alarm = { at: performance.now() + Math.min(ms, MAX_MS), ring };
  alarms.add(alarm);
  if (alarm.at < firesAt) wakeAt(alarm.at);
  else if (alarms.size === 1) timer?.ref();
  return alarm;
}

/**
 * Clears an alarm.
 *
 * @param alarm The alarm; one that has rung is nothing to do.
 */
export function clearAlarm(alarm: Alarm | undefined): void {
  if (alarm === undefined || !alarms.delete(alarm)) return;
  // The timer stays for the alarms that come, and holds nobody up.
  if (alarms.size === 0) timer?.unref();
}

function wakeAt(at: number): void {
  clearTimeout(timer);
  firesAt = at;
  timer = setTimeout(ringDue, Math.max(0, Math.ceil(at - performance.now())));
}

function ringDue(): void {
  timer = undefined;
  firesAt = Infinity;
  const now = performance.now();
  const due = [...alarms].filter(({ at }) => at <= now);
  for (const alarm of due) alarms.delete(alarm);
  const next = Math.min(Infinity, ...[...alarms].map(({ at }) => at));
  if (next < Infinity) wakeAt(next);
  for (const { ring } of due) ring();
}
