/** Writes the originals of chosen revisits that are in files outside of the export, each once. */
import { readRecordAt } from '../../formats/records/readRecords.ts'
import { watchedFile } from '../disk/watchedFile.ts'
import type { SourceFile } from './export.ts'
import type { Exporting } from './exporting.ts'
import { heldRecord } from './heldChosen.ts'
import { selector } from './selection.ts'
import type { WarcOut } from './warcOut.ts'

/** Offsets of the originals that were written, by file. */
export type WrittenElsewhere = ReadonlyMap<string, ReadonlySet<number>>

/** Writes them after the records of the export. */
export async function writeElsewhere({ context, input }: Exporting, out: WarcOut): Promise<WrittenElsewhere> {
  const { elsewhere, withOriginals, narrowing } = input
  const offsets = new Map(elsewhere?.files.map(({ name }) => [name, new Set<number>()]))
  if (elsewhere === undefined || !withOriginals) return offsets
  const selects = selector(narrowing)
  for (const { url, timestampMs, filename, offset } of elsewhere.revisits)
    if (selects({ url, date: new Date(timestampMs).toISOString() })) offsets.get(filename)?.add(offset)
  for (const file of elsewhere.files) {
    context.signal.throwIfAborted()
    const wanted = [...(offsets.get(file.name) ?? [])]
    if (wanted.length > 0) await writeOriginals({ context, file, out }, wanted)
  }
  return offsets
}

async function writeOriginals(
  { context, file, out }: Pick<Exporting, 'context'> & { file: SourceFile; out: WarcOut },
  offsets: readonly number[],
): Promise<void> {
  const plain = await context.world.disk.openRead(file.path)
  try {
    const watched = watchedFile(plain, { signal: context.signal, onBytes: () => undefined })
    const { spool, losses } = out
    const records = async function* () {
      for (const offset of offsets) {
        const record = await readRecordAt(watched, offset)
        if (record) yield await heldRecord(record, { spool, onGap: losses.gapReporter(file.name) })
      }
    }
    await out.take({ ...file, plain, watched }, records())
  } finally {
    await plain.close()
  }
}
