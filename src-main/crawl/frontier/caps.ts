/** Computes how many documents one refill may take: per bin by its rate, per job by the pace of its workers. Pure, apart from
 *  the given source of chance. */
import type { Chance } from '../../world/world.ts'

/** Resolution of the random draw; finer than any configured rate. */
const chanceParts = 1_000_000_000

/** Returns the whole documents that a rate allows in this time. The remaining fraction is drawn at random, so that the mean
 *  over many refills is the rate, however short the intervals are. */
export function binCap(fetchesPerMs: number, intervalMs: number, chance: Pick<Chance, 'below'>): number {
  const exact = fetchesPerMs * intervalMs
  if (!Number.isFinite(exact)) return fetchesPerMs === 0 ? 0 : Infinity
  const whole = Math.floor(exact)
  return whole + (chance.below(chanceParts) < (exact - whole) * chanceParts ? 1 : 0)
}

/** Assumed pace of a job that has just begun, until it has been measured. */
const initialPerMinute = 60_000 / 66
/** Weights of the last five intervals, the newest first; older ones do not count. */
const weights = [0.5, 0.25, 0.125, 0.0625, 0.0625]

/** Documents per minute of one job, over its last intervals. */
export interface Pace {
  readonly perMinute: number
  /** Records that `documents` were completed in `elapsedMs`. */
  record(documents: number, elapsedMs: number): void
}

/** Returns the pace of a job that has just begun. */
export function newPace(): Pace {
  let rates = weights.map(() => initialPerMinute)
  return {
    get perMinute() {
      return rates.reduce((sum, rate, at) => sum + rate * (weights[at] ?? 0), 0)
    },
    record(documents, elapsedMs) {
      rates = [(60_000 * documents) / Math.max(1, elapsedMs), ...rates.slice(0, -1)]
    },
  }
}

/** Every job gets this many in addition to its share, so that the pace of a job that seems slow can be measured again. */
const jobCapLeast = 5

/** Returns how many documents each job may get in a refill of `amount`: by pace and workers, so that a slow job cannot fill
 *  the ready buffer. */
export function jobCaps(jobs: readonly { job: number; perMinute: number; workers: number }[], amount: number) {
  const total = jobs.reduce((sum, { perMinute, workers }) => sum + perMinute * workers, 0)
  return new Map(
    jobs.map(({ job, perMinute, workers }) => {
      const share = total === 0 ? 0 : Math.floor((perMinute * workers * amount) / total)
      return [job, share + jobCapLeast] as const
    }),
  )
}
