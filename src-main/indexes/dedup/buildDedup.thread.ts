/** Builds a deduplication index from the index lines of archive files. */
import { isCdxjHeader } from '../../formats/cdx/canonicaliser.ts'
import type { Capture } from '../../formats/cdx/capture.ts'
import { parseCdxjLine } from '../../formats/cdx/cdxj.ts'
import { linesOf } from '../../files/disk/lineFile.ts'
import type { Task, TaskContext, World } from '../../world/world.ts'
import type { LineFile } from '../lines/captureLines.ts'
import type { DedupManifest } from './dedupFile.ts'
import { writeDedupFile } from './dedupWriter.ts'
import { hashOf, numberMax, type DedupEntry } from './entries.ts'
import { isAmong } from './excludedTypes.ts'

/** What an index is made of. */
export interface DedupInput {
  /** Path of the file, which is created. */
  path: string
  files: LineFile[]
  manifest: Omit<DedupManifest, 'files' | 'entryCounts'>
}

/** Files whose lines have been read. */
export interface DedupReport {
  filesDone: number
}

/** Shortest line of a response, in bytes: bounds the number of entries by the size of the files. */
const lineBytesMin = 120

export const task: Task<DedupInput, void, DedupReport> = async (context, { path, files, manifest }) =>
  writeDedupFile(context.world, {
    path,
    entriesMax: (await bytesOf(context.world, files)) / lineBytesMin,
    entries: entriesOf(context, { files, isExcluded: isAmong(manifest.excludedTypes) }),
    manifest: { ...manifest, files: files.map(({ name }) => name) },
    signal: context.signal,
  })

async function bytesOf(world: World, files: readonly LineFile[]): Promise<number> {
  let bytes = 0
  for (const { lines } of files) bytes += (await world.disk.stat(lines))?.bytes ?? 0
  return bytes
}

interface Reading {
  files: readonly LineFile[]
  isExcluded: (mediaType: string) => boolean
}

async function* entriesOf(
  { world, report, signal }: TaskContext<DedupReport>,
  { files, isExcluded }: Reading,
): AsyncGenerator<DedupEntry> {
  for (const [file, { lines }] of files.entries()) {
    const source = await world.disk.openRead(lines)
    try {
      for await (const some of linesOf(source)) {
        signal.throwIfAborted()
        for (const line of some) {
          const capture = isCdxjHeader(line) ? undefined : parseCdxjLine(line)
          if (capture && mayBeOriginal(capture) && !isExcluded(capture.mediaType)) yield entryOf(capture, file)
        }
      }
    } finally {
      await source.close()
    }
    report({ filesDone: file + 1 })
  }
}

/** Whether a revisit may refer to a capture: only to a complete answer with a body that is known by its digest, at a time and place that fit
 *  into an entry. */
function mayBeOriginal({ recordType, status, payloadDigest, method, timestampMs, offset }: Capture): boolean {
  const fits = timestampMs >= 0 && timestampMs < numberMax && offset < numberMax
  return recordType === 'response' && status === 200 && payloadDigest !== '' && method === undefined && fits
}

function entryOf({ key, payloadDigest, timestampMs, offset }: Capture, file: number): DedupEntry {
  return { urlHash: hashOf(key), payloadHash: hashOf(payloadDigest), timestampMs, file, offset }
}
