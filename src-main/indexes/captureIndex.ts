/** What a set of jobs captured: the lookups over one built index. It does not build (see `indexes.ts`) and reads no archive. */
import type { Capture } from '../formats/cdx/capture.ts'
import { surt } from '../formats/cdx/surt.ts'
import type { Store } from '../storage/storage.ts'
import { around, placeOf, type Asked } from './asked.ts'
import { captureStatements, type CaptureRow } from './captureIndex.sql.ts'
import { capturesOfUrlMax, neighboursMax, pagesMax } from './limits.ts'
import { originalsOf, type Named, type Revisited } from './originals.ts'
import { searchablePages, type Page } from './pages.ts'
import { byPreference } from './preference.ts'

export type { Asked, Moment } from './asked.ts'

export interface IndexedCapture extends Capture {
  readonly job: number
}

/** What the index was asked to cover and could not. Said wherever the index is used: it never passes for a whole one. */
export interface Completeness {
  jobsAsked: number[]
  /** Those of which the archive has files. */
  jobsFound: number[]
  jobsMissing: number[]
  files: string[]
  /** Files of these jobs that could not be had when the index was built. */
  filesMissing: MissingFile[]
  /** Of the files that are there: records and index lines that could not be read as they should. What still names an address
   *  is in the index all the same. */
  quarantined: { count: number; first: QuarantinedPlace[] }
}

export interface MissingFile {
  name: string
  reason: string
}

export interface QuarantinedPlace {
  file: string
  /** Of the record; undefined where it is not known. */
  offset: number | undefined
  reason: string
}

export interface CaptureIndex {
  readonly completeness: Completeness
  count(): number
  /** The first of the candidates. */
  nearest(asked: Asked): IndexedCapture | undefined
  /** In order of preference, so that a reader can go on to the next when a record is broken. */
  candidates(asked: Asked, limit: number): IndexedCapture[]
  /** Every capture of a URL that was asked for with GET, oldest first. */
  captures(url: string): IndexedCapture[]
  /** Addresses that were captured under the path of this one, whatever their query. */
  underPath(url: string, limit: number): { url: string; mediaType: string }[]
  /** What a revisit may stand for, best first: the one that it names, then those with the same payload, at this address and
   *  elsewhere. With what is at the place that it names, so that one may say why a target is lost. */
  originals(wanted: Revisited, limit: number): { found: IndexedCapture[]; named: Named }
  /** HTML pages whose address contains what was typed, at most `pagesMax` of them known. */
  pages(text: string, limit: number): Promise<Page[]>
  close(): void
}

export function captureIndexOver(store: Store, completeness: Completeness): CaptureIndex {
  const statements = captureStatements(store)
  let searching: ReturnType<typeof searchablePages> | undefined

  const candidates = (asked: Asked, limit: number) => {
    const { url } = asked
    const { atMs, ...stretch } = around(asked)
    const wanted = { ...placeOf(asked), ...stretch, atMs, limit: neighboursMax }
    const near = [...statements.until.all(wanted), ...statements.since.all(wanted)]
    // Many captures of other variants of the address may stand nearer than all of the very one.
    const crowded = near.length >= neighboursMax && !near.some((row) => row.url === url)
    const rows = crowded ? [...statements.ofUrl.all({ ...wanted, url }), ...near] : near
    return byPreference(rows.map(captureOf), { url, atMs }).slice(0, limit)
  }
  return {
    completeness,
    count: () => statements.count.get({})?.captures ?? 0,
    nearest: (asked) => candidates(asked, 1)[0],
    candidates,
    captures: (url) => statements.ofKey.all({ ...placeOf({ url }), limit: capturesOfUrlMax }).map(captureOf),
    underPath: (url, limit) => statements.underPath.all({ key: surt(url).split('?', 1)[0] ?? '', limit }),
    originals(wanted, limit) {
      const { found, named } = originalsOf(statements, wanted, limit)
      return { found: found.map(captureOf), named }
    },
    async pages(text, limit) {
      searching ??= searchablePages(statements.pages.all({ limit: pagesMax }))
      return (await searching)(text, limit)
    },
    close: () => store.close(),
  }
}

function captureOf({ method, status, ...row }: CaptureRow): IndexedCapture {
  return { ...row, status: status ?? undefined, ...(method !== '' && { method }) }
}
