/** Keeps the text index up to date: the documents of deleted jobs leave, what an earlier version of Loupe has read is read again, and a build
 *  that a kill has ended goes on. */
import type { Indexes } from '../../indexes/indexes.ts'

interface Keeping {
  indexes: { text: Pick<Indexes['text'], 'exists' | 'status' | 'drop' | 'build'> }
  jobs: { exists(job: number): boolean }
  signals: { onRemoved(listener: (gone: { job: number }) => void): () => void }
  /** Whether jobs run in this process. Others only let documents leave before they search. */
  isEngine: boolean
  /** Resolves when archived files can be read. */
  ready: Promise<void>
  onBug(error: unknown): void
}

/** What keeps the index. */
export interface TextKeeper {
  /** Awaited before a search. A process without the engine lets the documents of deleted jobs leave before its first one, because nothing else
   *  would. The engine does that on its own, and its searches do not wait. Rejects as the calls of the text index. */
  beforeSearch(): Promise<unknown>
  close(): void
}

export function openTextKeeper({
  indexes: { text },
  jobs: known,
  signals,
  isEngine,
  ready,
  onBug,
}: Keeping): TextKeeper {
  let isOver = false
  let leaving: Promise<unknown> | undefined

  /** Lets deleted jobs leave. Returns the others. */
  async function leave() {
    if (!(await text.exists())) return []
    const { jobs } = await text.status()
    const isGone = ({ job }: { job: number }) => job !== 0 && !known.exists(job)
    // Also without new ones: a kill may have interrupted the leaving of others.
    await text.drop(jobs.filter(isGone).map(({ job }) => job))
    return jobs.filter((each) => each.job !== 0 && !isGone(each))
  }

  async function catchUp(): Promise<void> {
    await ready
    if (isOver) return
    const jobs = await leave()
    const outdated = jobs.filter(({ filesOutdated, filesBegun }) => filesOutdated + filesBegun > 0)
    if (outdated.length > 0) await text.build(outdated.map(({ job }) => job))
  }

  async function dropRemoved(job: number): Promise<void> {
    if (await text.exists()) await text.drop([job])
  }

  const failed = (error: unknown) => {
    if (!isOver) onBug(error)
  }
  if (isEngine) catchUp().catch(failed)
  const unsubscribe = signals.onRemoved(({ job }) => void dropRemoved(job).catch(failed))
  return {
    async beforeSearch() {
      if (!isEngine) await (leaving ??= leave())
    },
    close() {
      isOver = true
      unsubscribe()
    },
  }
}
