/** Which other jobs have captures of an address, looked up in the databases that there are. A job that is in none of them gets one,
 *  a job at a time and while nobody waits for long: whoever asks again hears of it. No archive file and no list of lines is read
 *  through for a question. */
import { join } from 'node:path'
import { Fault } from '../contract/faults.ts'
import { openDerived, StorageFault } from '../storage/storage.ts'
import type { World } from '../world/world.ts'
import { wholeIndexOver, type IndexedCapture } from './captureIndex.ts'
import { captureSchema } from './captureIndex.sql.ts'
import { elsewhereCapturesMax, elsewhereDatabasesMax, elsewhereMsMax } from './limits.ts'
import { keptAt, type Kept } from './manifest.ts'

export interface ElsewhereAsked {
  url: string
  /** Whose captures are wanted, the most wanted first. */
  jobs: readonly number[]
}

export interface FoundElsewhere {
  /** The newest first. */
  captures: IndexedCapture[]
  /** Of those that were asked for: into which nobody could look yet. */
  jobsUnknown: number[]
}

interface Parts {
  folder: string
  world: World
  /** Makes the database of one job, when there is none. Rejects when that cannot be, and at the end of it all. */
  make: (job: number) => Promise<void>
}

export function openElsewhere({ folder, world, make }: Parts): (asked: ElsewhereAsked) => Promise<FoundElsewhere> {
  /** Of each database; it never changes as long as it has its name. */
  const known = new Map<string, Kept | undefined>()
  let making: Promise<void> | undefined
  /** Jobs of which the archive has nothing. */
  const unmakeable = new Set<number>()

  async function databases(): Promise<{ path: string; kept: Kept }[]> {
    const names = (await world.disk.list(folder)).map(({ name }) => name).filter((name) => name.endsWith('.db'))
    for (const name of known.keys()) if (!names.includes(name)) known.delete(name)
    const found: { path: string; kept: Kept }[] = []
    for (const name of names) {
      const path = join(folder, name)
      if (!known.has(name)) known.set(name, await keptAt(path, world.disk))
      const kept = known.get(name)
      if (kept) found.push({ path, kept })
    }
    return found.toSorted((a, b) => b.kept.manifest.jobsFound.length - a.kept.manifest.jobsFound.length)
  }

  async function lookedUp({ url, jobs }: ElsewhereAsked): Promise<FoundElsewhere> {
    const left = new Set(jobs.filter((job) => !unmakeable.has(job)))
    const captures: IndexedCapture[] = []
    let looked = 0
    for (const { path, kept } of await databases()) {
      const wanted = new Set(kept.manifest.jobsFound.filter((job) => left.has(job)))
      if (wanted.size === 0 || looked++ >= elsewhereDatabasesMax) continue
      const found = capturesIn({ path, kept, world }, { url, jobs: [...wanted] })
      if (found === undefined) continue
      captures.push(...found)
      for (const job of wanted) left.delete(job)
    }
    captures.sort((a, b) => b.timestampMs - a.timestampMs)
    return { captures: captures.slice(0, elsewhereCapturesMax), jobsUnknown: [...left] }
  }

  /** One at a time, whoever asks. */
  function made(job: number): Promise<void> {
    making ??= make(job)
      .catch((error: unknown) => {
        if (!(error instanceof Fault)) throw error
        // Or the indexes are closed, and nobody asks again.
        if (error.code === 'notFound') unmakeable.add(job)
      })
      .finally(() => (making = undefined))
    return making
  }

  return async (asked) => {
    const found = await lookedUp(asked)
    const [first] = found.jobsUnknown
    if (first === undefined) return found
    const enough = new AbortController()
    const waited = world.clock.sleep(elsewhereMsMax, enough.signal).catch((error: unknown) => {
      if (!enough.signal.aborted) throw error
    })
    await Promise.race([made(first), waited])
    enough.abort()
    return lookedUp(asked)
  }
}

/** Undefined: it is damaged, or went away meanwhile. */
function capturesIn(
  { path, kept, world }: { path: string; kept: Kept; world: World },
  { url, jobs }: ElsewhereAsked,
): IndexedCapture[] | undefined {
  try {
    const index = wholeIndexOver(openDerived(path, captureSchema), { kept, world })
    try {
      return index.newestOf(url, { jobs, limit: elsewhereCapturesMax })
    } finally {
      index.close()
    }
  } catch (error) {
    if (error instanceof StorageFault) return undefined
    throw error
  }
}
