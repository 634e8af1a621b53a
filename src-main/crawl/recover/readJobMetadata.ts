/** Reads from a job's metadata file, as Loupe writes it, what recovery needs. A file of another program, or one damaged
 *  before the record that names its job, yields nothing. */
import { z } from 'zod'
import { stopReasons } from '../../contract/services/jobSummary.ts'
import { jsonOf } from '../../formats/bytes/json.ts'
import { linesOf } from '../../formats/bytes/lines.ts'
import { gunzipped } from '../../formats/packing/gunzipped.ts'
import { readRecords } from '../../formats/records/readRecords.ts'
import { recordField, type ArchiveRecord } from '../../formats/records/record.ts'
import { parseTimestamp } from '../../formats/cdx/timestamp.ts'
import type { SetupRecord } from '../model/jobs.sql.ts'
import type { ReadableFile } from '../../world/world.ts'
import {
  documentLineShape,
  documentsName,
  importedLineShape,
  jobRecordName,
  jobRecordShape,
  removedLineShape,
  removedName,
  unknownId,
  type DocumentLine,
  type ImportedLine,
  type JobRecord,
  type RemovedLine,
} from '../finish/jobRecord.ts'

/** Content of a metadata file, except the documents of the job. */
export interface JobMetadata {
  record: JobRecord
  /** When the file was written: the end of the run. */
  writtenMs: number
  /** Definition of the run, JSON. */
  definition: string | undefined
  /** The definitions in effect since the previous metadata file, if there were several. */
  changes: DefinitionChange[]
  /** Further setup records, of a generated job. */
  setup: SetupRecord[]
  /** URLs that left the list of the job in this run. */
  removed: RemovedLine[]
  imported: ImportedLine[]
  log: LogEntry[]
  /** Lines of the import report and the log that are not above. */
  lost: LostLines[]
}

interface LogEntry {
  atMs: number
  level: 'info' | 'warning' | 'error'
  text: string
}

/** Lines of a report that cannot be restored. */
export interface LostLines {
  /** Name of the report. */
  list: string
  lines: number
  /** Number of the first of them, from 1. */
  first: number
}

/** Most bytes of a report held in memory. Of a longer one (the log of a job that ran for months) the lines after them are lost. */
const reportBytesMax = 32_000_000
/** Documents in one batch: some hundred bytes each, added to the database in one transaction of a few milliseconds. */
const documentsAtOnceMax = 500

/** Reads everything but the documents; undefined if the file is not a metadata file of Loupe or has no valid record of its
 *  job. */
export async function readJobMetadata(file: ReadableFile): Promise<JobMetadata | undefined> {
  const texts = new Map<string, string>()
  const imported = lineList(importReportName, (line) => importedLineShape.safeParse(jsonOf(line)).data)
  const log = lineList(jobLogName, logEntryOf)
  const removed = lineList(removedName, (line) => removedLineShape.safeParse(jsonOf(line)).data)
  const setup: SetupRecord[] = []
  const files: string[] = []
  let writtenMs: number | undefined
  for await (const record of readRecords(file)) {
    writtenMs ??= parseTimestamp(record.date)
    if (record.number === 1 && !isLoupes(await textOf(record))) return undefined
    const place = placeOf(record)
    if (place?.name === 'cdx') files.push(place.filename)
    else if (place?.name === importReportName) await imported.read(record)
    else if (place?.name === jobLogName) await log.read(record)
    else if (place?.name === removedName) await removed.read(record)
    else if (place && wanted.has(place.name)) texts.set(place.name, await textOf(record))
    else if (place?.isSetup === true)
      setup.push({
        name: place.name,
        contentType: recordField(record, 'content-type') ?? '',
        text: await textOf(record),
      })
  }
  const written = texts.get(jobRecordName)
  const record =
    written === undefined
      ? recordFromReports(texts.get(crawlReportName), { kind: imported.isPresent() ? 'import' : 'event', files })
      : jobRecordShape.safeParse(jsonOf(written)).data
  if (!record) return undefined
  return {
    record,
    writtenMs: writtenMs ?? record.createdMs,
    definition: texts.get(definitionName),
    changes: changesShape.safeParse(jsonOf(texts.get(changesName) ?? '')).data ?? [],
    setup,
    removed: removed.rows,
    imported: imported.rows,
    log: log.rows,
    lost: [...imported.lost(), ...log.lost(), ...removed.lost()],
  }
}

export const definitionName = 'harvest.json'
const importReportName = 'import-report.jsonl'
const jobLogName = 'job.log'
const crawlReportName = 'crawl-report.txt'
const changesName = 'harvest-changes.json'
const wanted: ReadonlySet<string> = new Set([jobRecordName, definitionName, changesName, crawlReportName])

const changesShape = z.array(
  z.object({ run: z.int().min(1), from: z.iso.datetime().nullable(), definition: z.record(z.string(), z.unknown()) }),
)
type DefinitionChange = z.output<typeof changesShape>[number]

/** What `readDocuments` could not read. */
export interface LostDocuments {
  /** Called with the lines that hold no document, after the last document. */
  onLost: (lines: LostLines) => void
  /** Called with the number of documents yielded, after the last of them, if everything after damage in the compressed data is lost. */
  onDamage: (documents: number) => void
}

/** Yields the documents of the job in batches, in the order in which they were found. */
export async function* readDocuments(
  file: ReadableFile,
  { onLost, onDamage }: LostDocuments,
): AsyncGenerator<DocumentLine[]> {
  for await (const record of readRecords(file)) {
    if (placeOf(record)?.name !== documentsName) continue
    let batch: DocumentLine[] = []
    let documents = 0
    let isDamaged = false
    const lost = lostLines(documentsName)
    const content = gunzipped(record.block(), () => (isDamaged = true))
    for await (const { number, text } of linesOf(content)) {
      const data = documentOf(text)
      if (!data) {
        // The line in which damage begins is a part of the damage.
        if (text !== '' && !isDamaged) lost.add(number)
        continue
      }
      documents += 1
      batch.push(data)
      if (batch.length < documentsAtOnceMax) continue
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
    lost.all().forEach(onLost)
    if (isDamaged) onDamage(documents)
    return
  }
}

/** Returns the name of the report that a record holds, or the file whose captures it lists. */
function placeOf(record: ArchiveRecord): { name: string; filename: string; isSetup: boolean } | undefined {
  const url = /^metadata:\/\/loupe\/crawl\/(setup|reports|logs|index)\/([^?]+)\??(.*)$/.exec(
    recordField(record, 'warc-target-uri') ?? '',
  )
  const [, part, name, query] = url ?? []
  if (name === undefined) return undefined
  return { name, filename: new URLSearchParams(query).get('filename') ?? '', isSetup: part === 'setup' }
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

/** Collects the rows of a report with one row per line; `rowOf` returns undefined for a line that has none. */
function lineList<Row>(list: string, rowOf: (line: string) => Row | undefined) {
  const rows: Row[] = []
  const lost = lostLines(list)
  let isPresent = false
  return {
    rows,
    lost: lost.all,
    isPresent: () => isPresent,
    async read(record: ArchiveRecord): Promise<void> {
      isPresent = true
      let bytes = 0
      for await (const { number, text } of linesOf(record.block())) {
        bytes += text.length
        const row = bytes > reportBytesMax ? undefined : rowOf(text)
        if (row !== undefined) rows.push(row)
        else if (text !== '') lost.add(number)
      }
    },
  }
}

/** Counts the lines of a report that cannot be restored. */
function lostLines(list: string) {
  let lines = 0
  let first = 0
  return {
    add(number: number): void {
      if (lines === 0) first = number
      lines += 1
    },
    all: (): LostLines[] => (lines === 0 ? [] : [{ list, lines, first }]),
  }
}

/** Returns the document of a line; undefined if there is none, or if its URL is not valid. */
function documentOf(line: string): DocumentLine | undefined {
  const { data } = documentLineShape.safeParse(jsonOf(line))
  return data && URL.canParse(data.url) ? data : undefined
}

function logEntryOf(line: string): LogEntry | undefined {
  const [, at, level, text] = /^(\S+) (info|warning|error) (.*)$/.exec(line) ?? []
  const atMs = Date.parse(at ?? '')
  if (level === undefined || text === undefined || Number.isNaN(atMs)) return undefined
  return { atMs, level: level as LogEntry['level'], text }
}

/** Builds the record of a job from the reports of a file written before `job.json` existed. */
function recordFromReports(
  crawlReport: string | undefined,
  { kind, files }: { kind: JobRecord['kind']; files: readonly string[] },
): JobRecord | undefined {
  const report = new Map(
    (crawlReport ?? '').split('\n').map((line): [string, string] => {
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
    kind,
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
