/** A table of captures. */
import { digester } from '../../formats/digest.ts'
import { readRecords } from '../../formats/records/readRecords.ts'
import { readBytes } from '../limits.ts'
import { nothingChosen } from './choosing.ts'
import { captureRow, csvHeader, RowCounter } from './csvOut.ts'
import type { Exported, Exporting } from './exporting.ts'
import { isCapture } from './recordKinds.ts'
import { Refusal } from './refusal.ts'
import { eachSource } from './sources.ts'

export async function exportCsv(exporting: Exporting): Promise<Exported> {
  const { part, progress, input } = exporting
  const written = digester('sha256')
  const append = async (text: string) => {
    const bytes = Buffer.from(text)
    written.update(bytes)
    await part.append(bytes)
  }
  await append(csvHeader)
  const rows = await writeRows(exporting, append)
  if (rows === 0) throw nothingChosen(input.files, input.narrowing)
  await part.end()
  progress.verifying()
  await verify(exporting, { rows, sha256: written.hex() })
  progress.read(part.position)
  return { records: rows, lacking: [] }
}

async function writeRows(
  { context, input, chosen, part, progress, losses }: Exporting,
  append: (text: string) => Promise<void>,
): Promise<number> {
  const { choice, narrowed } = chosen
  let rows = 0
  await eachSource({ ...context, progress }, input.files, async (source) => {
    for await (const record of readRecords(source.watched, { onComplaint: losses.heard(source.name) })) {
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
  return rows
}

async function verify({ part, context }: Exporting, expected: { rows: number; sha256: string }): Promise<void> {
  const counter = new RowCounter()
  const read = digester('sha256')
  await part.reading(async (file) => {
    const buffer = Buffer.allocUnsafe(readBytes)
    for (let position = 0, bytes = 1; bytes > 0; position += bytes) {
      context.signal.throwIfAborted()
      bytes = await file.read(buffer, position)
      counter.add(buffer.subarray(0, bytes))
      read.update(buffer.subarray(0, bytes))
    }
  })
  // The header row counts too.
  if (counter.rows === expected.rows + 1 && read.hex() === expected.sha256) return
  throw new Refusal(
    'damaged',
    `Of ${expected.rows} rows ${counter.rows - 1} can be read again, or not as they were written, so the file was removed: see whether the disk is well.`,
  )
}
