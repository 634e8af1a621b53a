/** Export as a table of captures. */
import { message } from '../../contract/words/message.ts'
import { readRecords } from '../../formats/records/readRecords.ts'
import { readBytes } from '../disk/limits.ts'
import { nothingWritten } from './choosing.ts'
import { captureRow, csvHeader, duplicateRow, RowCounter } from './csvOut.ts'
import { chosenDuplicates } from './duplicates.ts'
import type { Exported, Exporting } from './exporting.ts'
import { isCapture } from './recordKinds.ts'
import { Refusal } from './refusal.ts'
import { eachSource } from './sources.ts'

export async function exportCsv(exporting: Exporting): Promise<Exported> {
  const { part, progress, input, losses } = exporting
  const append = (text: string) => part.append(Buffer.from(text))
  await append(csvHeader)
  const rows = await writeRows(exporting, append)
  if (rows === 0) throw nothingWritten(input, losses)
  await part.end()
  progress.verifying()
  await verify(exporting, rows)
  progress.read(part.position)
  return { records: rows, lacking: [] }
}

/** Writes a row for each chosen capture, then those of duplicates. Returns their number. */
async function writeRows(
  { context, input, chosen, part, progress, losses }: Exporting,
  append: (text: string) => Promise<void>,
): Promise<number> {
  const { choice, narrowed } = chosen
  let rows = 0
  await eachSource({ ...context, progress }, input.files, async (source) => {
    for await (const record of readRecords(source.watched, { onFinding: losses.gapReporter(source.name) })) {
      if (!isCapture(record) || (narrowed && !choice.has(source.name, record))) continue
      const row = await captureRow(record, source)
      if (row === undefined) losses.damaged.add(source.name, record.offset)
      else {
        await append(row)
        rows += 1
      }
      progress.wrote({ records: rows, bytes: part.position })
    }
    progress.fileDone()
  })
  for await (const duplicate of chosenDuplicates(context, input)) {
    await append(duplicateRow(duplicate))
    rows += 1
    progress.wrote({ records: rows, bytes: part.position })
  }
  return rows
}

/** Counts the rows of the written file. Throws `Refusal` damaged when they differ. */
async function verify({ part, context }: Exporting, rowsWritten: number): Promise<void> {
  const counter = new RowCounter()
  await part.reading(async (file) => {
    const buffer = Buffer.allocUnsafe(readBytes)
    for (let position = 0, bytes = 1; bytes > 0; position += bytes) {
      context.signal.throwIfAborted()
      bytes = await file.read(buffer, position)
      counter.add(buffer.subarray(0, bytes))
    }
  })
  // The header row counts too.
  if (counter.rows === rowsWritten + 1) return
  const rows = { written: rowsWritten, read: counter.rows - 1 }
  throw new Refusal('damaged', message('export.differs.rows', rows))
}
