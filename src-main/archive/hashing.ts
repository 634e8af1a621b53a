/** Hashing and copying as seen from the engine's thread: starts the thread, gives its outcome, rejects with the signal's
 *  reason when it was stopped. */
import type { World } from '../world/world.ts'
import type { CopyInput, CopyOutcome } from './copyFile.thread.ts'
import type { HashInput, HashOutcome } from './hashFile.thread.ts'

export type Hashed = Exclude<HashOutcome, { kind: 'stopped' }>
export type Copied = Exclude<CopyOutcome, { kind: 'stopped' }>

export interface Watching {
  signal: AbortSignal
  onBytes?: (bytes: number) => void
}

export async function hashFile(world: World, input: HashInput, watching: Watching): Promise<Hashed> {
  const module = new URL('./hashFile.thread.ts', import.meta.url)
  return whole(
    await world.threads.run<HashInput, HashOutcome, number>(module, input, options(watching)),
    watching.signal,
  )
}

export async function copyFile(world: World, input: CopyInput, watching: Watching): Promise<Copied> {
  const module = new URL('./copyFile.thread.ts', import.meta.url)
  return whole(
    await world.threads.run<CopyInput, CopyOutcome, number>(module, input, options(watching)),
    watching.signal,
  )
}

function options({ signal, onBytes }: Watching) {
  return { signal, ...(onBytes && { onReport: onBytes }) }
}

function whole<Outcome extends { kind: string }>(outcome: Outcome, signal: AbortSignal) {
  if (outcome.kind === 'stopped') throw signal.reason
  return outcome as Exclude<Outcome, { kind: 'stopped' }>
}
