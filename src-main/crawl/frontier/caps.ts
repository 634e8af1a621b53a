/** How many documents one stuffing may take: of a bin by its rate, of a job by what its workers get through. Pure but for
 *  chance, which it is given. */
import type { Chance } from '../../world/world.ts'

/** Finer than any rate can be told from another. */
const chanceParts = 1_000_000_000

/** Whole documents that a rate comes to in this time. What is left of one is taken by lot, so that over many stuffings the mean
 *  is the rate, however short the times between them are. */
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

/** Beside its share every job gets this many: one that seems slow must be able to show otherwise. */
const jobCapLeast = 5

/** What each job may take of a stuffing of `amount`: by pace and connections, so that a slow one cannot fill the hands. */
export function jobCaps(jobs: readonly { job: number; perMinute: number; workers: number }[], amount: number) {
  const total = jobs.reduce((sum, { perMinute, workers }) => sum + perMinute * workers, 0)
  return new Map(
    jobs.map(({ job, perMinute, workers }) => {
      const share = total === 0 ? 0 : Math.floor((perMinute * workers * amount) / total)
      return [job, share + jobCapLeast] as const
    }),
  )
}
