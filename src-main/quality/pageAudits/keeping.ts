/** Moves the parts of visited pages from the working folder into WARC files of the job. After a kill, parts that were not moved are moved again:
 *  at worst a record is there twice. */
import type { Archive } from '../../archive/store/archive.ts'
import type { Store } from '../../storage/storage.ts'
import { unkeptPagesMax } from '../model/limits.ts'
import { blockAt } from '../records/recordContent.ts'
import type { QualityFiles } from '../records/qualityFiles.ts'
import type { QualityRecord } from '../records/writeQualityFile.ts'
import type { KeptParts } from './auditPage.ts'
import type { PageRow, pageAuditStatements } from './pageAudits.sql.ts'
import { parts, type Part, type WorkingFiles } from './workingFiles.ts'

interface Parts {
  store: Store
  archive: Pick<Archive, 'openFile'>
  sql: ReturnType<typeof pageAuditStatements>
  working: WorkingFiles
  files: Pick<QualityFiles, 'write' | 'records'>
}

/** Parts of pages, wherever they are. */
export interface Keeping {
  /** Resolves when the parts of all visited pages of an audit are in WARC files. */
  keep(audit: number): Promise<void>
  /** Reads a part of a page. Undefined: it has none, or no replica gives the file. */
  read(page: PageRow, part: Part): Promise<Uint8Array | undefined>
}

/** Opens the parts of pages. */
export function openKeeping({ store, archive, sql, working, files }: Parts): Keeping {
  async function* recordsOf(rows: readonly PageRow[]): AsyncGenerator<QualityRecord> {
    for (const row of rows) {
      for (const part of partsOf(row)) {
        const body = await working.read(row, part)
        if (body === undefined) continue
        const { uri, mediaType } = parts[part]
        yield { uri: uri(row.url), type: 'resource', contentType: mediaType, body, atMs: row.visitedMs ?? 0 }
      }
    }
  }

  async function keepSome(job: number, rows: readonly PageRow[]): Promise<void> {
    const offsets = new Map<string, number>()
    const file = await files.write(job, recordsOf(rows), ({ uri }, offset) => offsets.set(uri, offset))
    store.transaction(() => {
      for (const row of rows) {
        const kept = partsOf(row).map((part) => [part, offsets.get(parts[part].uri(row.url)) ?? null])
        sql.kept.run({ id: row.id, file, kept: JSON.stringify(Object.fromEntries(kept)) })
      }
    })
    for (const row of rows) await working.remove(row, partsOf(row))
  }

  return {
    async keep(audit) {
      for (;;) {
        const rows = sql.unkept.all({ audit, limit: unkeptPagesMax })
        const [first] = rows
        if (first === undefined) return
        await keepSome(first.job, rows)
      }
    },
    async read(page, part) {
      const offset = keptIn(page)[part]
      if (offset === undefined) return undefined
      if (page.file === null) return working.read(page, part)
      const wanted = parts[part].uri(page.url)
      // Another record is at the offset where the file had to be written again.
      const found = offset === null ? undefined : await blockAt(archive, { file: page.file, offset, uri: wanted })
      if (found !== undefined) return found
      let last: Uint8Array | undefined
      for await (const { body } of files.records(page.job, { wanted: (uri) => uri === wanted })) last = body
      return last
    },
  }
}

function keptIn({ kept }: PageRow): KeptParts {
  return JSON.parse(kept) as KeptParts
}

function partsOf(row: PageRow): Part[] {
  return Object.keys(keptIn(row)) as Part[]
}
