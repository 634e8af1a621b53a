/** Reads from a job's metadata file, as Loupe writes it, what recovery needs. A file of another program, or one damaged
 *  before the record that names its job, yields nothing. */
import { stopReasons } from '../../contract/services/jobSummary.ts'
import { jsonOf } from '../../formats/bytes/json.ts'
import { linesOf } from '../../formats/bytes/lines.ts'
import { gunzipped } from '../../formats/packing/gunzipped.ts'
import { readRecords } from '../../formats/records/readRecords.ts'
import { recordField, type ArchiveRecord } from '../../formats/records/record.ts'
import { parseTimestamp } from '../../formats/cdx/timestamp.ts'
import type { ReadableFile } from '../../world/world.ts'
import {
  documentLineShape,
  documentsName,
  importedLineShape,
  jobRecordName,
  jobRecordShape,
  unknownId,
  type DocumentLine,
  type ImportedLine,
  type JobRecord,
} from '../finish/jobRecord.ts'

/** Content of a metadata file, except the documents of the job. */
export interface JobMetadata {
  record: JobRecord
  /** When the file was written: the end of the run. */
  writtenMs: number
  /** Definition of the run, JSON. */
  definition: string | undefined
  imported: ImportedLine[]
  log: { atMs: number; level: 'info' | 'warning' | 'error'; text: string }[]
}

/** Most bytes of a report held in memory. Longer reports (the log of a job that ran for months) are truncated. */
const reportBytesMax = 32_000_000
/** Documents in one batch: some hundred bytes each, added to the database in one transaction of a few milliseconds. */
const documentsAtOnceMax = 500

/** Reads everything but the documents; undefined if the file is not a metadata file of Loupe or has no valid record of its
 *  job. */
export async function readJobMetadata(file: ReadableFile): Promise<JobMetadata | undefined> {
  const texts = new Map<string, string>()
  const files: string[] = []
  let writtenMs: number | undefined
  for await (const record of readRecords(file)) {
    writtenMs ??= parseTimestamp(record.date)
    if (record.number === 1 && !isLoupes(await textOf(record))) return undefined
    const place = placeOf(record)
    if (place?.name === 'cdx') files.push(place.filename)
    else if (place && wanted.has(place.name)) texts.set(place.name, await textOf(record))
  }
  const written = texts.get(jobRecordName)
  const record =
    written === undefined ? recordFromReports(texts, files) : jobRecordShape.safeParse(jsonOf(written)).data
  if (!record) return undefined
  return {
    record,
    writtenMs: writtenMs ?? record.createdMs,
    definition: texts.get('harvest.json'),
    imported: linesIn(texts.get('import-report.jsonl')).flatMap(
      (line) => importedLineShape.safeParse(jsonOf(line)).data ?? [],
    ),
    log: linesIn(texts.get('job.log')).flatMap(logLineOf),
  }
}

const wanted: ReadonlySet<string> = new Set([
  jobRecordName,
  'harvest.json',
  'import-report.jsonl',
  'job.log',
  'crawl-report.txt',
])

/** Yields the documents of the job in batches, in the order in which they were found. Damaged lines are left out, and so is
 *  everything after damage in the compressed data: `onDamage` is then called with the number of documents yielded, after the
 *  last of them. */
export async function* readDocuments(
  file: ReadableFile,
  onDamage: (documents: number) => void,
): AsyncGenerator<DocumentLine[]> {
  for await (const record of readRecords(file)) {
    if (placeOf(record)?.name !== documentsName) continue
    let batch: DocumentLine[] = []
    let documents = 0
    let isDamaged = false
    const content = gunzipped(record.block(), () => (isDamaged = true))
    for await (const { text } of linesOf(content)) {
      const { data } = documentLineShape.safeParse(jsonOf(text))
      if (!data) continue
      documents += 1
      batch.push(data)
      if (batch.length < documentsAtOnceMax) continue
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
    if (isDamaged) onDamage(documents)
    return
  }
}

/** Returns the name of the report that a record holds, or the file whose captures it lists. */
function placeOf(record: ArchiveRecord): { name: string; filename: string } | undefined {
  const url = /^metadata:\/\/loupe\/crawl\/(?:setup|reports|logs|index)\/([^?]+)\??(.*)$/.exec(
    recordField(record, 'warc-target-uri') ?? '',
  )
  if (url?.[1] === undefined) return undefined
  return { name: url[1], filename: new URLSearchParams(url[2]).get('filename') ?? '' }
}

function isLoupes(warcinfo: string): boolean {
  return /^software: Loupe\//m.test(warcinfo)
}

async function textOf(record: ArchiveRecord): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of record.block()) {
    parts.push(Uint8Array.from(part.subarray(0, reportBytesMax - bytes)))
    bytes += part.length
    if (bytes >= reportBytesMax) break
  }
  return Buffer.concat(parts).toString('utf8')
}

function linesIn(text: string | undefined): string[] {
  return (text ?? '').split('\n').filter((line) => line !== '')
}

function logLineOf(line: string): JobMetadata['log'] {
  const [, at, level, text] = /^(\S+) (info|warning|error) (.*)$/.exec(line) ?? []
  const atMs = Date.parse(at ?? '')
  if (level === undefined || text === undefined || Number.isNaN(atMs)) return []
  return [{ atMs, level: level as 'info' | 'warning' | 'error', text }]
}

/** Builds the record of a job from the reports of a file written before `job.json` existed. */
function recordFromReports(texts: ReadonlyMap<string, string>, files: readonly string[]): JobRecord | undefined {
  const report = new Map(
    linesIn(texts.get('crawl-report.txt')).map((line): [string, string] => {
      const space = line.indexOf(' ')
      return [line.slice(0, space), line.slice(space + 1)]
    }),
  )
  const number = (name: string) => Math.max(0, Math.trunc(Number(report.get(name))) || 0)
  const startedMs = Date.parse(report.get('started') ?? '') || null
  return jobRecordShape.safeParse({
    version: 1,
    archive: unknownId,
    job: number('job'),
    run: 1,
    runId: unknownId,
    kind: texts.has('import-report.jsonl') ? 'import' : 'event',
    name: report.get('harvest') ?? `Job ${report.get('job') ?? ''}`,
    harvest: Math.max(1, number('job')),
    createdMs: startedMs ?? 0,
    startedMs,
    runningMs: number('seconds') * 1_000,
    stopReason: stopReasons.find((reason) => reason === report.get('stopReason')) ?? null,
    priority: 5,
    schedule: null,
    documents: {
      total: number('documents'),
      fetched: number('fetched'),
      failed: number('failed'),
      excluded: number('excluded'),
      duplicate: number('duplicate'),
    },
    bytes: number('bytes'),
    files: files.map((name) => ({ name, bytes: 0, records: 0 })),
  }).data
}
