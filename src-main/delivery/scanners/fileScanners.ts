/** Scans the captures in WARC and ARC files: of a folder, or of a selection of the archive. A record never changes, so a document is a place
 *  in a file. */
import { join } from 'node:path'
import { z } from 'zod'
import { isQualityName } from '../../archive/files/qualityNames.ts'
import { selectionOf, selecting, selectionShape } from '../../contract/shapes/selection.ts'
import { message } from '../../contract/words/message.ts'
import { mediaTypeOf } from '../../formats/cdx/capture.ts'
import { parseTimestamp } from '../../formats/cdx/timestamp.ts'
import { fieldOf, parseResponseHead } from '../../formats/http/http.ts'
import { recordField, type ArchiveRecord } from '../../formats/records/record.ts'
import { readRecordAt, readRecords } from '../../formats/records/readRecords.ts'
import type { ReadableFile } from '../../world/world.ts'
import { scannedDocument, type Document } from '../model/document.ts'
import { scannerKind, StepFault, type Scanner } from '../model/steps.ts'
import { recordContent, scannedContent } from './recordContent.ts'

/** Files of archives, by their names. */
const archiveName = /\.w?arc(\.gz|\.zst)?$/i

/** The archive files of a folder, without the folders in it. */
export const folderScanner = scannerKind({
  settings: z.strictObject({ folder: z.string().min(1) }),
  open: ({ folder }, { world: { disk } }) =>
    scannerOf({
      async names() {
        const entries = await disk.list(folder)
        return entries.filter(({ kind, name }) => kind === 'file' && archiveName.test(name)).map(({ name }) => name)
      },
      open: (name) => disk.openRead(join(folder, name)),
    }),
})

/** Archived files of jobs, files by name, or all of them. */
export const selectionScanner = scannerKind({
  settings: selecting(z.strictObject(selectionShape)),
  open: (selection, { filesOf, openFile }) =>
    scannerOf({ names: () => filesOf(selectionOf(selection)), open: (name) => openFile(name, null) }),
})

interface Files {
  names(): Promise<string[]>
  open(name: string): Promise<ReadableFile | undefined>
}

function scannerOf({ names, open }: Files): Scanner {
  async function* documentsOf(name: string): AsyncGenerator<Document> {
    const file = await open(name)
    if (!file) throw new StepFault(message('delivery.record.noFile', { file: name }))
    try {
      for await (const record of readRecords(file)) {
        const document = await documentOf(name, record)
        if (document) yield document
      }
    } finally {
      await file.close()
    }
  }

  async function documentOf(file: string, record: ArchiveRecord): Promise<Document | undefined> {
    const { type, url, offset, addressable, blockBytes } = record
    if ((type !== 'response' && type !== 'resource') || url === undefined || !addressable) return undefined
    const date = parseTimestamp(record.date)
    const digest = recordField(record, 'warc-payload-digest') ?? recordField(record, 'warc-block-digest')
    const fields = { url, file, offset: String(offset), payloadDigest: digest, ...(await headFields(record)) }
    return scannedDocument({
      id: `${file} ${offset}`,
      hash: digest ?? `${record.date} ${blockBytes}`,
      fields: {
        ...Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value ? [[name, [value]]] : []))),
        ...(date === undefined ? {} : { time: [new Date(date).toISOString()] }),
      },
      content: scannedContent(
        record,
        recordContent(() => open(file), { file, offset }),
      ),
    })
  }

  /** Names as of the last scan: looking a folder or a selection through for each document would take as long as a scan. */
  let listed: Promise<ReadonlySet<string>> | undefined
  const list = async () => new Set(await names())

  return {
    async *scan(signal) {
      listed = list()
      for (const name of await listed) {
        if (signal.aborted) return
        // Records about a job are no documents of it.
        if (isQualityName(name)) continue
        yield* documentsOf(name)
      }
    },
    async find(id) {
      const [, name = '', offset = ''] = /^(.*) (\d+)$/s.exec(id) ?? []
      listed ??= list()
      const file = (await listed).has(name) ? await open(name) : undefined
      if (!file) return undefined
      try {
        const record = await readRecordAt(file, Number(offset))
        return record && (await documentOf(name, record))
      } finally {
        await file.close()
      }
    },
  }
}

/** Returns what the archived head says; the rest of the block is not read. */
async function headFields(record: ArchiveRecord): Promise<{ status?: string; mediaType?: string }> {
  if (!/^application\/http\b/i.test(record.contentType ?? '')) return { mediaType: mediaTypeOf(record.contentType) }
  const head = parseResponseHead(record.heldBlock ?? (await firstChunk(record)))?.head
  return head ? { status: String(head.status), mediaType: mediaTypeOf(fieldOf(head, 'content-type')) } : {}
}

async function firstChunk(record: ArchiveRecord): Promise<Uint8Array> {
  for await (const chunk of record.block()) return chunk
  return new Uint8Array(0)
}
