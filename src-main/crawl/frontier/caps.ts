/** How many documents one refill may take: per bin by its rate, per job by what its workers get through. Pure, apart from the
 *  chance that it is given. */
import type { Chance } from '../../world/world.ts'

/** Resolution of the random draw; finer than any configured rate. */
const chanceParts = 1_000_000_000

/** Whole documents that a rate allows in this time. The remaining fraction is drawn at random, so that the mean over many
 *  refills is the rate, however short the intervals are. */
export function binCap(fetchesPerMs: number, intervalMs: number, chance: Pick<Chance, 'below'>): number {
  const exact = fetchesPerMs * intervalMs
  if (!Number.isFinite(exact)) return fetchesPerMs === 0 ? 0 : Infinity
  const whole = Math.floor(exact)
  return whole + (chance.below(chanceParts) < (exact - whole) * chanceParts ? 1 : 0)
}

/** A job that has just begun is taken to be as quick as this, until it has shown what it is. */
const initialPerMinute = 60_000 / 66
/** The newest counts most; what is five stretches old is forgotten. */
const weights = [0.5, 0.25, 0.125, 0.0625, 0.0625]

/** Documents a minute of one job, over its last stretches. */
export interface Pace {
  readonly perMinute: number
  /** `documents` were done in `elapsedMs`. */
  record(documents: number, elapsedMs: number): void
}

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

/** Every job gets this many in addition to its share, so that a job that seems slow can show that it is not. */
const jobCapLeast = 5

/** How many documents each job may get in a refill of `amount`: by pace and workers, so that a slow job cannot fill the ready
 *  buffer. */
export function jobCaps(jobs: readonly { job: number; perMinute: number; workers: number }[], amount: number) {
  const total = jobs.reduce((sum, { perMinute, workers }) => sum + perMinute * workers, 0)
  return new Map(
    jobs.map(({ job, perMinute, workers }) => {
      const share = total === 0 ? 0 : Math.floor((perMinute * workers * amount) / total)
      return [job, share + jobCapLeast] as const
    }),
  )
}
