/** Service `missing` of the contract, and the errors of a view: what the viewer recorded, and what the jobs know about it. */
import type { Archive } from '../../archive/store/archive.ts'
import type { Loupe } from '../../contract/contract.ts'
import type { ViewError } from '../../contract/services/viewer.ts'
import { message, messageFrom } from '../../contract/words/message.ts'
import type { Jobs } from '../../crawl/crawl.ts'
import type { Indexes } from '../../indexes/indexes.ts'
import type { FindingRow, Viewer } from '../../viewer/viewer.ts'
import { sourcesOf } from './selecting.ts'
import { shownIn } from './viewSummaries.ts'
import { whyMissing } from '../../quality/quality.ts'

interface Parts {
  viewer: Viewer
  jobs: Jobs
  archive: Archive
  indexes: Indexes
}

/** Makes the service. Without `view`, the view that the viewing shows now is meant. */
export function missingService({ viewer, jobs, archive, indexes }: Parts): Loupe['missing'] {
  function viewOf({ view, viewing }: { view?: number | undefined; viewing?: string | undefined }) {
    const shown = shownIn(viewer, viewing)
    return view ?? shown?.view
  }
  return {
    async list(asked) {
      const view = viewOf(asked)
      if (view === undefined) return []
      const rows = viewer.misses(view, asked.viewing)
      const selection = rows.length > 0 ? viewer.selectionOf(view) : undefined
      const viewed = selection ? sourcesOf({ archive }, selection) : []
      const reasons = await whyMissing({ jobs, indexes }, viewed, rows)
      return rows.flatMap((row, at) => {
        const why = reasons[at]
        return why ? [{ ...findingOf(row), why }] : []
      })
    },
    async clear(asked) {
      const view = viewOf(asked)
      return { cleared: view === undefined ? 0 : viewer.clearFindings(view, asked.viewing) }
    },
  }
}

/** An archived error, or a capture that could not be read. */
export function viewErrorOf(row: FindingRow): ViewError {
  const { kind, status, file, offset, detail } = row
  return {
    ...findingOf(row),
    kind: kind === 'unreadable' ? 'unreadable' : 'archivedError',
    status,
    file: file ?? '',
    offset: offset ?? 0,
    why: detail === null ? message('view.archivedError', { status: status ?? '' }) : messageFrom(detail),
  }
}

function findingOf({ firstMs, lastMs, ...row }: FindingRow) {
  const { id, view, viewing, url, referrer, initiator, resourceType, method, times } = row
  const [first, last] = [new Date(firstMs).toISOString(), new Date(lastMs).toISOString()]
  return { id, view, viewing, url, referrer, initiator, resourceType, method, times, first, last }
}
