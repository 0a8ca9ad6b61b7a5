/**
 * Takes samples of two things in turns, so that both meet the same noise of the machine.
 * @module
 */

/** Samples of us and of the peer, in milliseconds. */
export interface Samples {
  /** Ours. */
  readonly ours: number[];
  /** The peer's. */
  readonly peer: number[];
}

/** How many samples. */
export interface SampleOptions {
  /** How many turns each side gets. @default {10} */
  readonly turns?: number;
  /** Samples in a turn. */
  readonly perTurn: number;
  /** Samples of each side that are thrown away first. */
  readonly warmUp: number;
}

/** Something to be timed. */
export type Subject = () => unknown;

async function take(subject: Subject, count: number, into: number[]): Promise<void> {
  for (let index = 0; index < count; index++) {
    const start = performance.now();
    await subject();
    into.push(performance.now() - start);
  }
}

/**
 * Times single calls of both sides in turns.
 *
 * @param ours Our side.
 * @param peer The peer.
 * @param options How many samples.
 * @returns The samples.
 */
export async function compare(
  ours: Subject,
  peer: Subject,
  { turns = 10, perTurn, warmUp }: SampleOptions,
): Promise<Samples> {
  const samples: Samples = { ours: [], peer: [] };
  await take(ours, warmUp, []);
  await take(peer, warmUp, []);
  for (let turn = 0; turn < turns; turn++) {
    await take(ours, perTurn, samples.ours);
    await take(peer, perTurn, samples.peer);
  }
  return samples;
}

/** Does a thing so many times and returns something that depends on it, so that it cannot be left out. */
export type Loop = (times: number) => unknown;

function timeLoop(loop: Loop, times: number, sink: unknown[]): number {
  const start = performance.now();
  sink[0] = loop(times);
  return (performance.now() - start) / times;
}

/**
 * Times loops of things that are too short for a clock, in turns.
 *
 * @param ours Our side.
 * @param peer The peer.
 * @param options How many loops, and how often each goes round (`times`).
 * @returns Samples of the time of one round.
 */
export function compareLoops(
  ours: Loop,
  peer: Loop,
  { times, loops = 60, warmUp = 20 }: { times: number; loops?: number; warmUp?: number },
): Samples {
  const samples: Samples = { ours: [], peer: [] };
  const sink: unknown[] = [];
  for (let index = -warmUp; index < loops; index++) {
    const mine = timeLoop(ours, times, sink);
    const theirs = timeLoop(peer, times, sink);
    if (index >= 0) {
      samples.ours.push(mine);
      samples.peer.push(theirs);
    }
  }
  return samples;
}

/**
 * Keeps so many calls in flight and counts calls per second.
 *
 * @param call Makes one call.
 * @param options How many calls in all, and at once.
 * @returns Calls per second.
 */
export async function throughput(
  call: Subject,
  { calls, inFlight }: { calls: number; inFlight: number },
): Promise<number> {
  let left = calls;
  const lane = async () => {
    while (left-- > 0) await call();
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: inFlight }, lane));
  return calls / ((performance.now() - start) / 1000);
}
