/** Moves the parts of visited pages from the working folder into WARC files of the job. After a kill, parts that were not moved are moved again:
 *  at worst a record is there twice. */
import type { Archive } from '../../archive/store/archive.ts'
import { readRecordAt } from '../../formats/records/readRecords.ts'
import type { Store } from '../../storage/storage.ts'
import { recordBytesMax, unkeptPagesMax } from '../model/limits.ts'
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

  /** Reads the record at the noted offset. Undefined: another one is there, because the file had to be written again. */
  async function noted(file: string, offset: number, wanted: string): Promise<Uint8Array | undefined> {
    const opened = await archive.openFile(file)
    if (opened === undefined) return undefined
    try {
      const record = await readRecordAt(opened.file, offset)
      if (record?.url !== wanted || record.blockBytes > recordBytesMax) return undefined
      const blocks: Uint8Array[] = []
      for await (const bytes of record.block()) blocks.push(Uint8Array.from(bytes))
      return (await record.finish()).whole ? Buffer.concat(blocks) : undefined
    } finally {
      await opened.file.close()
    }
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
      const found = offset === null ? undefined : await noted(page.file, offset, wanted)
      if (found !== undefined) return found
      let last: Uint8Array | undefined
      for await (const { body } of files.records(page.job, (uri) => uri === wanted)) last = body
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
