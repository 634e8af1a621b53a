/** Patch jobs: jobs that capture what is missing from another job. */
import { Fault } from '../../contract/calls/faults.ts'
import type { PatchJob } from '../../contract/services/misses.ts'
import { message } from '../../contract/words/message.ts'
import type { Jobs } from '../../crawl/crawl.ts'
import { keyOf } from '../../crawl/model/urlKeys.ts'
import { canonicalUrl } from '../../formats/cdx/surt.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { missAdding } from '../misses/addMisses.ts'
import { missStatements } from '../misses/misses.sql.ts'
import { patchDefinition, type PatchOptions } from './patchDefinition.ts'
import { patchStatements, type PatchRow } from './patches.sql.ts'

interface Parts {
  store: Store
  world: Pick<World, 'clock'>
  jobs: Pick<Jobs, 'create' | 'show' | 'known' | 'summary' | 'fateOf'>
}

/** The patch jobs of an archive. */
export interface Patches {
  /** Makes one job for each job from which the misses are missing, in one transaction with the states of the misses. Misses that are not
   *  open, or that no harvest can capture, are left out. Throws `Fault` refused if no other is left. */
  create(misses: readonly number[], options: PatchOptions): PatchJob[]
  /** Makes a job for one URL, as a patch of the newest harvest among the jobs. Throws `Fault` as `missAdding` and `create`, and refused if none
   *  of the jobs is a harvest. */
  harvest(asked: { jobs: readonly number[]; url: string }, options: PatchOptions): PatchJob
  /** The patch jobs of jobs, oldest first. */
  list(jobs: readonly number[]): PatchJob[]
}

/** Opens the patch jobs. */
export function openPatches({ store, world, jobs }: Parts): Patches {
  const sql = patchStatements(store)
  const add = missAdding({ store, world, jobs })
  const misses = missStatements(store)

  function createFor(patched: number, misses: readonly { id: number; url: string }[], options: PatchOptions): PatchRow {
    const { definition } = jobs.show(patched)
    const urls = misses.map(({ url }) => url)
    const job = jobs.create(patchDefinition({ job: patched, definition }, urls, options))
    const row = { job, patches: patched, misses: misses.length, createdMs: world.clock.now() }
    sql.add.run(row)
    sql.moveTo.run({ ids: JSON.stringify(misses.map(({ id }) => id)), patchJob: job })
    return row
  }

  function create(misses: readonly number[], options: PatchOptions): PatchJob[] {
    return store.transaction(() => {
      const open = sql.patchable.all({ ids: JSON.stringify(misses) })
      if (open.length === 0) throw new Fault('refused', message('miss.patch.none'))
      return [...Map.groupBy(open, ({ job }) => job)].map(([job, ofJob]) => patchOf(createFor(job, ofJob, options)))
    })
  }

  return {
    create,
    harvest: ({ jobs: asked, url }, options) =>
      store.transaction(() => {
        const job = asked.toSorted((a, b) => b - a).find((each) => jobs.known(each)?.kind === 'event')
        if (job === undefined) throw new Fault('refused', message('miss.harvest.noJob'))
        add({ job, urls: [url], page: '' })
        const added = misses.known.get({ job, key: keyOf(canonicalUrl(url) ?? url) })
        const [patch] = added ? create([added.id], options) : []
        if (!patch) throw new Error('a patch job was not made')
        return patch
      }),
    list: (asked) => sql.list.all({ jobs: JSON.stringify(asked) }).map(patchOf),
  }
}

function patchOf({ createdMs, ...patch }: PatchRow): PatchJob {
  return { ...patch, created: new Date(createdMs).toISOString() }
}
