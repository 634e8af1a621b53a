/** First phase of an export, before anything is written: which records are chosen, their amount, and whether there is room for them. */
import { dirname } from 'node:path'
import { joined, listed } from '../../contract/words/joined.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { chosenDuplicates } from './duplicates.ts'
import type { ExportInput } from './export.ts'
import { freeBytesMin } from './limits.ts'
import type { Losses } from './losses.ts'
import { Refusal } from './refusal.ts'
import { isNarrowed } from './selection.ts'
import { eachRecord, type Reading } from './sources.ts'
import { Choice } from './survey.ts'

/** What the first phase of an export has found. */
export interface Chosen {
  choice: Choice
  /** Whether records are chosen one by one; otherwise whole files are written. */
  narrowed: boolean
  /** Number of chosen captures without records of their own. */
  duplicates: number
  /** Estimated bytes of records to write. */
  bytes: number
  /** Facts for the user about what is written. */
  remarks: Message[]
  /** Sentences about what may be missing. */
  lacking: Message[]
}

/** Chooses the records. Throws `Refusal` when nothing is chosen, or there is no room. */
export async function choose(reading: Reading, input: ExportInput): Promise<Chosen> {
  const { files, narrowing, withOriginals } = input
  const narrowed = isNarrowed(narrowing)
  const filesBytes = files.reduce((sum, { bytes }) => sum + bytes, 0)
  // One reading of the files to write, and one of the result.
  reading.progress.bytesTotal = filesBytes * 2
  const choice = new Choice(narrowing)
  const duplicates = await chooseDuplicates(reading, input, choice)
  const chosen: Chosen = {
    choice,
    narrowed,
    duplicates,
    bytes: filesBytes,
    remarks: [],
    lacking: [...(input.duplicates?.lacking ?? []), ...(input.elsewhere?.lacking ?? [])],
  }
  if (duplicates > 0 && input.form.format !== 'csv')
    chosen.remarks.push(message('export.duplicates', { count: duplicates }))
  if (narrowed) {
    chosen.bytes = await surveyed(reading, input, chosen)
    reading.progress.bytesTotal = filesBytes * 2 + chosen.bytes
    if (withOriginals && !choice.references.empty) await findOriginals(reading, input, chosen)
    if (choice.companions.overflow || choice.references.overflow) chosen.lacking.push(message('export.tooLarge'))
  }
  if (input.form.format !== 'csv') await refuseWithoutRoom(reading, input, chosen.bytes)
  return chosen
}

/** Chooses duplicates, and their originals in the files of the export. Returns how many there are. */
async function chooseDuplicates(reading: Reading, input: ExportInput, choice: Choice): Promise<number> {
  const files = new Set(input.files.map(({ name }) => name))
  let count = 0
  for await (const { original } of chosenDuplicates(reading, input)) {
    count += 1
    if (input.withOriginals && files.has(original.filename)) choice.addPlace(original)
  }
  return count
}

/** Returns the bytes of the chosen records, compressed as they are in the archive. */
async function surveyed(reading: Reading, input: ExportInput, { choice, duplicates }: Chosen): Promise<number> {
  let bytes = 0
  let records = 0
  await eachRecord(reading, input.files, async (record, { name }) => {
    if (!choice.survey(name, record)) return
    records += 1
    const { length } = await record.finish()
    // A record that shares its gzip member with others has no length of its own.
    bytes += length || record.blockBytes
  })
  if (records + duplicates === 0) throw nothingChosen(input)
  return bytes
}

/** The refusal when nothing was written, also because every chosen record is damaged. */
export function nothingWritten(input: ExportInput, losses: Losses): Refusal {
  return losses.count > 0 ? new Refusal('damaged', joined(losses.remarks())) : nothingChosen(input)
}

function nothingChosen({ selected, narrowing: { url, fromMs, toMs } }: ExportInput): Refusal {
  const narrowed: Message[] = []
  if (url !== undefined) narrowed.push(message('export.narrowing.url', { url }))
  if (fromMs !== undefined) narrowed.push(message('export.narrowing.from', { from: new Date(fromMs).toISOString() }))
  if (toMs !== undefined) narrowed.push(message('export.narrowing.to', { to: new Date(toMs).toISOString() }))
  if (narrowed.length === 0) return new Refusal('notFound', message('export.nothing', { selected }))
  return new Refusal('notFound', message('export.nothing.narrowed', { selected, narrowing: listed(narrowed) }))
}

/** Reads the files a second time for the originals of chosen revisits, and adds those outside of the narrowing. */
async function findOriginals(reading: Reading, { files }: ExportInput, chosen: Chosen): Promise<void> {
  const { choice, remarks } = chosen
  reading.progress.bytesTotal += files.reduce((sum, { bytes }) => sum + bytes, 0)
  await eachRecord(reading, files, (record, { name }) => choice.meet(name, record))
  const added = choice.addOriginals()
  chosen.bytes += added.bytes
  if (added.records === 0) return
  remarks.push(message('export.originals', { count: added.records }))
}

/** Throws `Refusal` noSpace when the records would leave less than `freeBytesMin` free. */
async function refuseWithoutRoom({ world }: Reading, { target }: ExportInput, bytes: number): Promise<void> {
  const folder = dirname(target)
  const free = await world.disk.freeBytes(folder)
  if (free - freeBytesMin >= bytes) return
  throw new Refusal('noSpace', message('export.noSpace', { bytes, folder, free }))
}
