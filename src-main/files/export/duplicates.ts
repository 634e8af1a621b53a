/**
 * Duplicates in an export: captures that have only a line in a crawl log (`formats/logs/duplicates.ts`). They come as a list, made from the
 * index of their jobs.
 */
import { linesOf } from '../disk/lineFile.ts'
import type { World } from '../../world/world.ts'
import type { ExportInput } from './export.ts'
import { selector } from './selection.ts'

/** A duplicate, as its crawl log describes it. */
export interface ExportedDuplicate {
  /** Fields of the capture, as its crawl log has them. */
  url: string
  timestampMs: number
  status: number | null
  mediaType: string
  /** '' when not known. */
  payloadDigest: string
  /** Null: its file belongs to no job. */
  job: number | null
  original: ExportedOriginal
}

/** The record that has its content, as far as the crawl log names it. */
export interface ExportedOriginal {
  filename: string
  offset: number
  url: string
  /** When it was captured, by the crawl log; null where the log has no time. */
  timestampMs: number | null
}

/** Formats one line of the list. */
export function duplicateLine(duplicate: ExportedDuplicate): string {
  return `${JSON.stringify(duplicate)}\n`
}

/** Yields the duplicates that belong to the selection, in the order of their originals. */
export async function* chosenDuplicates(
  { world, signal }: { world: Pick<World, 'disk'>; signal: AbortSignal },
  { duplicates, narrowing }: Pick<ExportInput, 'duplicates' | 'narrowing'>,
): AsyncGenerator<ExportedDuplicate> {
  if (duplicates === undefined) return
  const selects = selector(narrowing)
  const file = await world.disk.openRead(duplicates.list)
  try {
    for await (const lines of linesOf(file)) {
      signal.throwIfAborted()
      for (const line of lines) {
        const duplicate = JSON.parse(line) as ExportedDuplicate
        if (selects({ url: duplicate.url, date: new Date(duplicate.timestampMs).toISOString() })) yield duplicate
      }
    }
  } finally {
    await file.close()
  }
}

/** Groups duplicates that come in the order of their originals: a batch has at most `countMax`, all with originals in one file. The
 *  duplicates of one original may be in several batches. */
export async function* batchesByFile(
  duplicates: AsyncIterable<ExportedDuplicate>,
  countMax: number,
): AsyncGenerator<ExportedDuplicate[]> {
  let batch: ExportedDuplicate[] = []
  for await (const duplicate of duplicates) {
    const [first] = batch
    if (first && (batch.length >= countMax || first.original.filename !== duplicate.original.filename)) {
      yield batch
      batch = []
    }
    batch.push(duplicate)
  }
  if (batch.length > 0) yield batch
}
