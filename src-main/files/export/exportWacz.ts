/**
 * Export as a WACZ package (1.1.1 or 1.2.0): one WARC file with all records, its index, its pages, the manifest with its digest and, on
 * request, a signature. The index and the pages are made from the records as they are in the package.
 */
import type { Message } from '../../contract/words/message.ts'
import type { ByteSource } from '../../formats/bytes/fileWindow.ts'
import { capturesOf } from '../../formats/cdx/captures.ts'
import { cdxjLine } from '../../formats/cdx/cdxj.ts'
import { WaczWriter, type WaczDescription } from '../../formats/wacz/waczWriter.ts'
import type { RunPlace } from '../disk/sortedLines.ts'
import { watchedFile } from '../disk/watchedFile.ts'
import type { ExportInput, WaczForm } from './export.ts'
import type { Exported, Exporting } from './exporting.ts'
import { PageFinder } from './pageFinder.ts'
import { SortedRuns } from './sortedRuns.ts'
import { verifyPackage } from './verifyPackage.ts'
import { verifyRecords, writeRecords, type Written } from './writing.ts'

const archiveName = 'data.warc.gz'

/** Writes the package. Rejects with `DiskFault`, with `Refusal`, or with the reason of the signal. */
export async function exportWacz(exporting: Exporting, form: WaczForm): Promise<Exported> {
  const { part, progress, context, input } = exporting
  const { world, signal } = context
  const description = descriptionOf(input, form, world.clock.now())
  const writer = new WaczWriter((bytes) => part.append(bytes), description)
  const entry = await writer.archive(archiveName)
  const from = part.position
  const written = await writeRecords(exporting, (bytes) => entry.append(bytes))
  const to = part.position
  await entry.end()

  progress.verifying()
  // The reading of the whole package is counted from the start (`choosing.ts`). Its records are read twice before: to compare them, and for
  // their index.
  progress.bytesTotal += 2 * (to - from)
  const lacking = await part.reading(async (file) => {
    const watched = watchedFile(file, { signal, onBytes: (bytes) => progress.reading(bytes) })
    const records = rangeOf(watched, from, to)
    return describe({ exporting, form, writer, description, written, records, bytes: to - from })
  })
  await writer.end()
  await part.end()
  await part.reading((file) => verifyPackage(watchedFile(file, { signal, onBytes: () => undefined }), part.position))
  progress.read(part.position)
  return { records: written.tally.records, lacking }
}

/** The records in the package, and what is written about them. */
interface Describing {
  exporting: Exporting
  form: WaczForm
  writer: WaczWriter
  description: WaczDescription
  written: Written
  /** The records as they are in the package. */
  records: ByteSource
  bytes: number
}

/** Compares the records, and writes their index and their pages. Returns sentences about what is missing. */
async function describe(describing: Describing): Promise<Message[]> {
  const { exporting, form, writer, description, written, records, bytes } = describing
  const { progress, context, input } = exporting
  const place = { world: context.world, folder: input.workFolder }
  const pages = new PageFinder(place, form.beginAt)
  try {
    const lacking = await verifyRecords(written, records, (record, block) => pages.passing(record, block))
    progress.read(bytes)
    await writer.index(indexLines(records, place))
    progress.read(bytes)
    await writer.pages(pages.pages())
    // Known only now; it goes into the manifest, which comes last.
    if (pages.first) description.home = pages.first
    return lacking
  } finally {
    await pages.close()
  }
}

function descriptionOf(
  { software }: ExportInput,
  { version, title, key }: WaczForm,
  createdAtMs: number,
): WaczDescription {
  const description: WaczDescription = { version, createdAtMs, software, title }
  if (key) description.key = key
  return description
}

/** Yields the sorted lines of a CDXJ index. */
async function* indexLines(records: ByteSource, place: RunPlace): AsyncGenerator<string> {
  const runs = new SortedRuns(place)
  try {
    // Problems of a record were reported when it was chosen.
    for await (const found of capturesOf(records, archiveName, { digests: 'trust', post: true }))
      if ('capture' in found) await runs.add(cdxjLine(found.capture))
    yield* runs.lines()
  } finally {
    await runs.close()
  }
}

/** Makes a source of a range of a file. */
function rangeOf(source: ByteSource, from: number, to: number): ByteSource {
  return {
    read: (into, position) => source.read(into.subarray(0, Math.max(0, to - from - position)), from + position),
  }
}
