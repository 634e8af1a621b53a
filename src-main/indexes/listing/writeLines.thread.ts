/** Writes the captures of a database as index lines, in the order of their keys. */
import { cdxHeaders, cdxLine } from '../../formats/cdx/cdxColumns.ts'
import { canonicaliserVersion, cdxjHeader } from '../../formats/cdx/canonicaliser.ts'
import { cdxjLine } from '../../formats/cdx/cdxj.ts'
import { BatchedWrites } from '../../files/disk/batchedWrites.ts'
import { selector, type Narrowing } from '../../files/export/selection.ts'
import type { Task } from '../../world/world.ts'
import {
  captureStatements,
  duplicateStatements,
  type CaptureRow,
  type RowsBetween,
} from '../captures/captureIndex.sql.ts'
import { openComplete } from '../captures/manifest.ts'
import { captureReader } from '../captures/captureReader.ts'
import { withStore } from '../databases/withStore.ts'
import type { IndexedCapture } from '../model/indexedCapture.ts'
import { queryChunkRows } from '../model/limits.ts'

/** Forms of the lines: CDXJ, or CDX with 11 columns. */
export type LineForm = 'cdxj' | 'cdx'

/** What is written where. */
export interface LinesInput {
  /** Path of a complete database of captures. */
  database: string
  /** Path of the new file. */
  path: string
  form: LineForm
  narrowing: Narrowing
}

/** Lines written so far, without the header. */
export interface LinesReport {
  lines: number
  bytes: number
}

const every: Omit<RowsBetween, 'fromKey' | 'fromMs' | 'fromFile' | 'fromOffset'> = {
  ...{ toKey: '\u{10FFFF}', toMs: 0, toFile: 0, toOffset: 0 },
}

export const task: Task<LinesInput, LinesReport, LinesReport> = (
  { world, report, signal },
  { database, path, form, narrowing },
) =>
  withStore(openComplete(database), async (store) => {
    const statements = captureStatements(store)
    const ofDuplicates = duplicateStatements(store)
    const read = captureReader({ statements, ofDuplicates, status: { isGrowing: false } })
    const selects = selector(narrowing)
    const file = await world.disk.openWrite(path, 'create')
    const writes = new BatchedWrites(file)
    try {
      await writes.append(Buffer.from(`${form === 'cdxj' ? cdxjHeader(canonicaliserVersion) : cdxHeaders.cdx11}\n`))
      let lines = 0
      let after: Pick<CaptureRow, 'key' | 'timestampMs' | 'file' | 'offset'> = {
        key: '',
        timestampMs: -1,
        file: -1,
        offset: -1,
      }
      for (;;) {
        signal.throwIfAborted()
        const { key: fromKey, timestampMs: fromMs, file: fromFile, offset: fromOffset } = after
        const rows = statements.forward.all({ ...every, fromKey, fromMs, fromFile, fromOffset, limit: queryChunkRows })
        for (const row of rows) {
          const capture = read.capture(row)
          if (!selects({ url: capture.url, date: new Date(capture.timestampMs).toISOString() })) continue
          await writes.append(Buffer.from(`${lineOf(capture, form)}\n`))
          lines += 1
        }
        report({ lines, bytes: writes.position })
        const last = rows.at(-1)
        if (last === undefined || rows.length < queryChunkRows) break
        after = last
      }
      await writes.flush()
      await file.sync()
      return { lines, bytes: file.position }
    } finally {
      await file.close()
    }
  })

function lineOf(capture: IndexedCapture, form: LineForm): string {
  return form === 'cdxj' ? cdxjLine(capture) : cdxLine(capture, 'cdx11')
}
