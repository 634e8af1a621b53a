/** Notices that the engine has come to rest: after a start, and after a harvest. */
import type { World } from '../../world/world.ts'
import { restMs } from '../model/limits.ts'

/** Returns a function to be called in each round. It calls `onRest` once when no job has run for `restMs`, and again after a job has run. */
export function restWatch({ clock }: Pick<World, 'clock'>, onRest: () => void): (isBusy: boolean) => void {
  let busyAtMs = clock.elapsed()
  let isResting = false
  return (isBusy) => {
    if (isBusy) {
      busyAtMs = clock.elapsed()
      isResting = false
    } else if (!isResting && clock.elapsed() - busyAtMs >= restMs) {
      isResting = true
      onRest()
    }
  }
}
