/** Service `exports` of the contract. A job can be exported when it has ended, or was deleted. */
import type { Archive } from '../../archive/store/archive.ts'
import type { Exports } from '../../archive/export/exports.ts'
import type { ListedDuplicates, ListedElsewhere, ListedMatches } from '../../archive/export/exportWork.ts'
import type { IndexToWrite, WrittenIndex } from '../../archive/export/writeIndex.ts'
import { exportRequest, type ExportRequest } from '../../contract/services/exports.ts'
import type { Loupe } from '../../contract/contract.ts'
import type { Jobs } from '../../crawl/crawl.ts'
import type { ExportedDuplicate } from '../../files/export/duplicates.ts'
import type { CaptureIndex, IndexedCapture, Indexes, Matches } from '../../indexes/indexes.ts'
import type { Selection } from '../../contract/shapes/selection.ts'
import { checkSelection, sourcesOf } from './selecting.ts'
import type { TextKeeper } from './textKeeper.ts'
import { message } from '../../contract/words/message.ts'

interface Parts {
  exports: Exports
  jobs: Jobs
  archive: Archive
  indexes: Pick<Indexes, 'captureIndexFor' | 'revisitsElsewhere' | 'writeLines' | 'matches'>
  textKeeper: Pick<TextKeeper, 'beforeSearch'>
}

type Matching = NonNullable<ExportRequest['matching']>

/** Makes the service. */
export function exportsService({ exports, jobs, archive, indexes, textKeeper }: Parts): Loupe['exports'] {
  /**
   * Whether crawl logs must be searched for duplicates. Harvests of this Loupe write a record for each duplicate; in crawl logs of other
   * harvesters a line may be the only record of a capture, and an index shows which.
   */
  function mayHaveDuplicates(selection: Selection): boolean {
    return sourcesOf({ archive }, selection).some((job) => job === null || jobs.known(job)?.kind !== 'event')
  }

  /** Opens the duplicates that the crawl logs of the selection list. The caller closes them. */
  async function duplicatesOf(selection: Selection, signal: AbortSignal): Promise<ListedDuplicates> {
    const index = await indexes.captureIndexFor(selection, { signal })
    const { filesMissing } = index.completeness
    return {
      captures: exportedIn(index),
      lacking: filesMissing.map(({ name, reason: problem }) => message('file.duplicates', { name, problem })),
      close: () => index.close(),
    }
  }

  /** Lists the revisits of the selection that refer to other jobs. */
  async function elsewhereOf(selection: Selection, signal: AbortSignal): Promise<ListedElsewhere> {
    const { revisits, isAll } = await indexes.revisitsElsewhere(selection, signal)
    return { revisits, lacking: isAll ? [] : [message('export.revisits.unchecked')] }
  }

  /** Writes the index lines of the selection. */
  async function written(selection: Selection, index: IndexToWrite): Promise<WrittenIndex> {
    const { filesMissing, ...figures } = await indexes.writeLines({ selection, ...index })
    return {
      ...figures,
      lacking: filesMissing.map(({ name, reason }) => message('export.index.lacks', { name, reason })),
    }
  }

  /** Finds the captures of a search, with what their pages need. */
  async function matchesOf(selection: Selection, search: Matching, signal: AbortSignal): Promise<ListedMatches> {
    await textKeeper.beforeSearch()
    const { jobs: among = [] } = selection
    return listedMatches(await indexes.matches({ ...search, ...(among.length > 0 && { jobs: among }), signal }))
  }

  return {
    async start(given) {
      const request = exportRequest.parse(given)
      checkSelection({ jobs, archive }, request, 'exported')
      const seeds = [...new Set(request.jobs.flatMap((job) => jobs.known(job)?.seeds ?? []))]
      const { matching } = request
      return exports.start(request, {
        seeds,
        ...(matching && { matches: (signal) => matchesOf(request, matching, signal) }),
        writeIndex: (index) => written(request, index),
        elsewhere: (signal) => elsewhereOf(request, signal),
        ...(mayHaveDuplicates(request) && { duplicates: (signal) => duplicatesOf(request, signal) }),
      })
    },
    list: async () => exports.list(),
  }
}

/** Says in sentences what was found. */
function listedMatches({ places, duplicates, urls, ...figures }: Matches): ListedMatches {
  const { matched, needed, absent, unavailable, isCut } = figures
  return {
    ...{ places, urls, duplicates: duplicates.map(exportedOf) },
    remarks: [
      message('export.matches.added', { matched, needed }),
      ...(absent > 0 ? [message('export.matches.absent', { count: absent })] : []),
    ],
    lacking: [
      ...(unavailable > 0 ? [message('export.matches.unavailable', { count: unavailable })] : []),
      ...(isCut ? [message('export.matches.cut')] : []),
    ],
  }
}

/** Yields the duplicates of an index in batches, in the form in which exports write them. */
async function* exportedIn(index: Pick<CaptureIndex, 'duplicates'>): AsyncGenerator<ExportedDuplicate[]> {
  for await (const captures of index.duplicates()) yield captures.map(exportedOf)
}

function exportedOf(capture: IndexedCapture): ExportedDuplicate {
  const { url, timestampMs, status, mediaType, payloadDigest, job, filename, offset, duplicate } = capture
  const original = { filename, offset, url: duplicate?.url ?? url, timestampMs: duplicate?.timestampMs ?? null }
  return { url, timestampMs, status: status ?? null, mediaType, payloadDigest, job, original }
}
