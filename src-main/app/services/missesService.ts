/** Service `misses` of the contract. */
import type { Loupe } from '../../contract/contract.ts'
import type { Jobs } from '../../crawl/crawl.ts'
import type { Quality } from '../../quality/quality.ts'
import type { Signals } from '../signals/signals.ts'

interface Parts {
  quality: Pick<Quality, 'misses' | 'patches'>
  jobs: Pick<Jobs, 'summary'>
  signals: Pick<Signals, 'report'>
  /** Until this resolves, the number of a new job might already be part of the name of a file. */
  settled: { promise: Promise<void> }
}

/** Makes the service. */
export function missesService({ quality: { misses, patches }, jobs, signals, settled }: Parts): Loupe['misses'] {
  /** Refuses a job that does not exist. */
  function checked<Asked extends { jobs: readonly number[] }>(asked: Asked): Asked {
    for (const job of asked.jobs) jobs.summary(job)
    return asked
  }
  return {
    list: async ({ sort = 'url', descending = false, offset = 0, limit = 200, ...filter }) =>
      misses.list({ ...checked(filter), sort, descending, offset, limit }),
    groups: async (asked) => misses.groups(checked(asked)),
    jobs: async () => misses.jobs(),
    add: async ({ page = '', ...added }) => ({ misses: misses.add({ ...added, page }) }),
    ignore: async ({ job, pattern }) => misses.ignore(job, pattern),
    unignore: async ({ rule }) => ({ misses: misses.unignore(rule) }),
    rules: async (asked) => misses.rules(checked(asked).jobs),
    note: async ({ misses: chosen, note }) => ({ misses: misses.note(chosen, note) }),
    async patch({ misses: chosen, ...options }) {
      await settled.promise
      const made = patches.create(chosen, options)
      for (const { job } of made) signals.report({ kind: 'changed', job })
      return made
    },
    async harvest({ jobs: asked, url, ignoreRobots }) {
      await settled.promise
      const made = patches.harvest({ jobs: asked, url }, { ignoreRobots })
      signals.report({ kind: 'changed', job: made.job })
      return made
    },
    patches: async (asked) => patches.list(checked(asked).jobs),
  }
}
