/** Archive files to export on a seeded world, and exports of them. */
import { sourceOf } from '../../../formats/bytes/testing/sourceOf.ts'
import { gzipSync } from 'node:zlib'
import { readRecords } from '../../../formats/records/readRecords.ts'
import { recordField } from '../../../formats/records/record.ts'
import { newRecord, recordBytes, type RecordType } from '../../../formats/records/warcWriter.ts'
import { seededWorld, type SeededWorld } from '../../../world/testing/seeded.ts'
import { runExport, type ExportInput, type ExportOutcome, type ExportReport } from '../export.ts'
import { message } from '../../../contract/words/message.ts'
import { textOf } from '../../../contract/words/render.ts'

interface Sketch {
  type: RecordType
  id: string
  url?: string
  /** Seconds after noon. */
  at?: number
  block?: string | Uint8Array
  fields?: [string, string][]
}

export const noonMs = Date.UTC(2026, 10, 20, 12)

export const idOf = (id: string) => `<urn:uuid:${id}>`

export const dateOf = (at: number) => new Date(noonMs + at * 1000).toISOString()

export function record({ type, id, url, at = 0, block = '', fields = [] }: Sketch): Buffer {
  const made = newRecord({
    type,
    id,
    dateMs: noonMs + at * 1000,
    fields: url === undefined ? fields : [['WARC-Target-URI', url], ...fields],
    contentType: 'text/plain',
    block: [Buffer.from(block)],
  })
  return Buffer.concat(recordBytes(made))
}

export const html = (title: string) =>
  `HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<title>${title}</title>`

export function answer(id: string, url: string, at = 0, block = html(id)): Buffer {
  return pageRecord(id, url, at, Buffer.from(block))
}

/** A response with what writers put around it. */
export function pageRecord(id: string, url: string, at: number, block: Buffer): Buffer {
  const made = newRecord({
    type: 'response',
    id,
    dateMs: noonMs + at * 1000,
    fields: [['WARC-Target-URI', url]],
    contentType: 'application/http; msgtype=response',
    block: [block],
    payload: { offset: block.indexOf('\r\n\r\n') + 4 },
  })
  return Buffer.concat(recordBytes(made))
}

export const packed = (...records: Uint8Array[]) => Buffer.concat(records.map((bytes) => gzipSync(bytes)))

export type Given = Partial<Pick<ExportInput, 'narrowing' | 'withOriginals' | 'form' | 'duplicates' | 'elsewhere'>>

export const remarksOf = (outcome: ExportOutcome) => (outcome.kind === 'written' ? outcome.remarks.map(textOf) : [])

interface Surroundings {
  world?: SeededWorld
  onReport?: (report: ExportReport) => void
  signal?: AbortSignal
}

export async function exported(
  files: Record<string, Uint8Array>,
  given: Given = {},
  { world = seededWorld({ seed: 1 }), ...more }: Surroundings = {},
): Promise<{ outcome: ExportOutcome; bytes: Buffer; left: string[] }> {
  return world.run(exporting(world, files, given, more))
}

export async function exporting(
  world: SeededWorld,
  files: Record<string, Uint8Array>,
  given: Given,
  { onReport = () => undefined, signal = new AbortController().signal }: Surroundings,
) {
  const { disk } = world
  for (const folder of ['/in', '/out', '/work']) await disk.makeFolder(folder)
  const named = Object.entries(files)
  for (const [name, bytes] of named) await disk.write(`/in/${name}`, bytes)
  const sha256 = '0'.repeat(64)
  const input: ExportInput = {
    files: named.map(([name, { length }]) => ({ name, path: `/in/${name}`, job: 7, bytes: length, sha256 })),
    selected: message('selection.jobs', { count: 1, names: '7', more: 0 }),
    narrowing: {},
    withOriginals: true,
    form: { format: 'warc' },
    software: 'Loupe/0',
    target: '/out/new',
    workFolder: '/work',
    ...given,
  }
  const outcome = await runExport(world, input, { signal, onReport })
  const left = [...(await disk.list('/out')), ...(await disk.list('/work'))].map(({ name }) => name)
  const bytes = outcome.kind === 'written' ? Buffer.from(await disk.read('/out/new', 1e9)) : Buffer.alloc(0)
  return { outcome, bytes, left }
}

export async function idsIn(bytes: Uint8Array): Promise<string[]> {
  const ids: string[] = []
  for await (const found of readRecords(sourceOf(bytes)))
    ids.push((recordField(found, 'warc-record-id') ?? '').replace(/^<urn:uuid:|>$/g, ''))
  return ids
}

export const info = (id: string) => record({ type: 'warcinfo', id, block: 'software: made\r\n' })
