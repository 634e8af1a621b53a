/** Service `indexes` of the contract. */
import type { Loupe } from '../../contract/contract.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { IndexRow } from '../../contract/services/indexes.ts'
import { isEmpty, selectionMessage } from '../../contract/shapes/selection.ts'
import { usualDeduplication } from '../../contract/shapes/deduplication.ts'
import { message } from '../../contract/words/message.ts'
import type { Indexes, KeptIndex } from '../../indexes/indexes.ts'

interface Parts {
  indexes: Pick<Indexes, 'list' | 'drop' | 'captureIndexFor' | 'dedupIndexFor'>
}

/** Makes the service. */
export function indexesService({ indexes }: Parts): Loupe['indexes'] {
  return {
    list: async ({ kind }) =>
      (await indexes.list()).filter((each) => kind === undefined || each.kind === kind).map(rowOf),
    async build({ kind = 'captures', ...selection }) {
      if (kind === 'captures') {
        const index = await indexes.captureIndexFor(selection)
        const { jobsMissing, files, filesMissing } = index.completeness
        index.close()
        return { jobsMissing: [...jobsMissing], files: files.length, filesMissing: [...filesMissing] }
      }
      const { jobs = [], files, all } = selection
      if (all === true || (files ?? []).length > 0) throw new Fault('badInput', message('index.dedup.jobsOnly'))
      const { manifest, leave } = await indexes.dedupIndexFor({ jobs, excludedTypes: usualDeduplication.excludedTypes })
      leave()
      return { jobsMissing: manifest.jobsMissing, files: manifest.files.length, filesMissing: manifest.filesMissing }
    },
    async drop({ kind, jobs }) {
      const chosen = (await indexes.list()).filter(
        (each) => (kind === undefined || each.kind === kind) && (jobs === undefined || covers(each, jobs)),
      )
      const free = chosen.filter(({ isInUse }) => !isInUse)
      let [dropped, bytes] = [0, 0]
      for (const each of free) {
        if (!(await indexes.drop(each))) continue
        dropped += 1
        bytes += each.bytes
      }
      return { dropped, bytes, inUse: chosen.length - dropped }
    },
  }
}

function covers({ selection }: KeptIndex, jobs: readonly number[]): boolean {
  return selection?.all === true || (selection?.jobs.some((job) => jobs.includes(job)) ?? false)
}

function rowOf({ selection, modifiedAtMs, isInUse, ...index }: KeptIndex): IndexRow {
  const covered =
    selection === null ? null : isEmpty(selection) ? message('viewer.sources.noJob') : selectionMessage(selection)
  return {
    ...index,
    covers: covered,
    jobs: [...(selection?.jobs ?? [])],
    modified: new Date(modifiedAtMs).toISOString(),
    inUse: isInUse,
  }
}
