/** Programs of others that tests start: downloaded once, and then there. */
import { type Peer, preparePeer } from "../../scripts/conformance/peers.ts";

/**
 * Prepares a program, and says aloud when its tests have to be left out. Where the tests are the gate of a change
 * (`CI` is set) nothing is left out.
 *
 * @param peer The program.
 * @returns Whether its tests must be left out.
 * @throws {Error} If it is missing and `CI` is set.
 */
export async function requirePeer(peer: Peer): Promise<boolean> {
  const readiness = await preparePeer(peer);
  if (readiness.ready) return false;
  if (Deno.env.has("CI")) throw new Error(`Cannot test with the ${peer}: ${readiness.reason}`);
  console.warn(`The tests with the ${peer} are left out: ${readiness.reason}`);
  return true;
}
