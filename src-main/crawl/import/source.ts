/** Opens the source of an imported file for reading: a file on the disk, or an entry of a package, at any depth. Nothing is
 *  written. */
import type { ByteSource } from '../../formats/bytes/fileWindow.ts'
import type { Finding } from '../../formats/rules/finding.ts'
import { openNested } from '../../formats/wacz/wacz.ts'
import { entryChunks, entrySource, openZip, zipEntry } from '../../formats/wacz/zip.ts'
import type { World } from '../../world/world.ts'
import { copyChunkBytes } from './limits.ts'

/** A source that is open. */
export interface OpenSource extends ByteSource {
  /** Length; undefined if it is known only after unpacking. */
  bytes: number | undefined
  /** All bytes in order. Problems of the compression are reported as findings meanwhile. */
  chunks(): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

/** Opens a source; undefined if the entry is missing or cannot be unpacked. `entry` is '' for the file itself, otherwise the
 *  place in the package, with `!` before each nested one. */
export async function openSource(
  world: World,
  { path, entry }: { path: string; entry: string },
  onFinding: (finding: Finding) => void,
): Promise<OpenSource | undefined> {
  const file = await world.disk.openRead(path)
  const close = () => file.close()
  try {
    let source: OpenSource = { ...reading(file), bytes: await file.bytes(), close }
    let depth = 0
    for (let rest = entry; rest !== '';) {
      const inside = await entryOf(source, rest, depth++, onFinding)
      if (!inside) {
        await close()
        return undefined
      }
      source = { ...inside.source, close }
      rest = inside.rest
    }
    return source
  } catch (error) {
    await close()
    throw error
  }
}

function reading(source: ByteSource): Pick<OpenSource, 'read' | 'chunks'> {
  return { read: (into, position) => source.read(into, position), chunks: () => chunksOf(source) }
}

/** Yields the bytes in chunks. Each is valid only until the next one is requested. */
async function* chunksOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(copyChunkBytes)
  for (let position = 0; ;) {
    const read = await source.read(buffer, position)
    if (read > 0) yield buffer.subarray(0, read)
    position += read
    if (read < buffer.length) return
  }
}

/** Opens the first step of a path into a package; returns it with the rest of the path. */
async function entryOf(
  source: OpenSource,
  entryPath: string,
  depth: number,
  onFinding: (finding: Finding) => void,
): Promise<{ source: Omit<OpenSource, 'close'>; rest: string } | undefined> {
  if (source.bytes === undefined) return undefined
  // Findings on the package itself are ignored here, since they are reported once when its contents are listed.
  const zip = await openZip(source, source.bytes, () => undefined)
  const steps = entryPath.split('!')
  for (let count = steps.length; count > 0; count -= 1) {
    const entry = zipEntry(zip, steps.slice(0, count).join('!'))
    if (!entry) continue
    const rest = steps.slice(count).join('!')
    const chunks = () => entryChunks(zip, entry, onFinding)
    // If the path goes on, this entry is a package.
    const nested = rest === '' ? undefined : await openNested(zip, entry, depth, onFinding)
    const unpacked = rest === '' ? await entrySource(zip, entry, onFinding) : nested?.source
    if (!unpacked) continue
    const bytes = nested?.bytes ?? entry.bytes
    return { source: { read: (into, position) => unpacked.read(into, position), bytes, chunks }, rest }
  }
  return undefined
}
