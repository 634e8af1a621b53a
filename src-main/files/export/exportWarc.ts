/** Export as a WARC file, each record a separate gzip member. */
import { watchedFile } from '../disk/watchedFile.ts'
import type { Exported, Exporting } from './exporting.ts'
import { verifyRecords, writeRecords } from './writing.ts'

/** Writes the file and compares its records with the sources. Rejects with `DiskFault`, with `Refusal`, or with the reason of the signal. */
export async function exportWarc(exporting: Exporting): Promise<Exported> {
  const { part, progress, context } = exporting
  const written = await writeRecords(exporting, (bytes) => part.append(bytes))
  await part.end()
  progress.verifying()
  const lacking = await part.reading((file) =>
    verifyRecords(written, watchedFile(file, { signal: context.signal, onBytes: (bytes) => progress.reading(bytes) })),
  )
  progress.read(part.position)
  return { records: written.tally.records, lacking }
}
