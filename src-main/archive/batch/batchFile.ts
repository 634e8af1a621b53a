/** A file of the archive as a batch module sees it: its catalogue data, bytes, records and captures. Each can be read several times;
 *  the file is closed when the module is done with it. */
import { message } from '../../contract/words/message.ts'
import type { ReadableFile, World } from '../../world/world.ts'
import { recordParts } from '../../files/records/recordParts.ts'
import { watchedFile } from '../../files/disk/watchedFile.ts'
import type { Capture } from '../../formats/cdx/capture.ts'
import { capturesOf, type CaptureOptions } from '../../formats/cdx/captures.ts'
import type { Finding } from '../../formats/rules/finding.ts'
import { readRecords } from '../../formats/records/readRecords.ts'
import type { ArchiveRecord } from '../../formats/records/record.ts'
import { bufferBytes } from '../files/limits.ts'
import { textOf } from '../../contract/words/render.ts'

export interface BatchFile {
  readonly name: string
  readonly bytes: number
  /** Registered checksum in hex. */
  readonly sha256: string
  readonly job: number | null
  readonly kind: 'content' | 'metadata'
  /** Name of the replica that the file is read from. */
  readonly replica: string
  /** Reads all bytes of the file as stored. */
  read(): AsyncIterable<Uint8Array>
  /** Reads all records in order. The block of a record is valid until the next record is requested. Damage between records is added as
   *  a remark unless `onFinding` handles it. */
  records(options?: { onFinding?: (finding: Finding) => void }): AsyncIterable<ArchiveRecord>
  /** Reads the captures, as they appear in an index. */
  captures(options?: Partial<CaptureOptions>): AsyncIterable<Capture>
}

export interface FileGiven extends Pick<BatchFile, 'name' | 'bytes' | 'sha256' | 'job' | 'kind' | 'replica'> {
  path: string
}

export interface FileWatch {
  world: World
  signal: AbortSignal
  onBytes: (bytes: number) => void
  remark: (text: string) => void
}

/** Opens a file for a module. The bytes are opened at the first read; `close` closes them. */
export function openBatchFile({ path, ...given }: FileGiven, { world, remark, ...watching }: FileWatch) {
  let opening: Promise<ReadableFile> | undefined
  const opened = () => (opening ??= world.disk.openRead(path))

  /** Opens the bytes; throws when the length is wrong, so that a truncated file is not taken for a complete one. */
  async function source(): Promise<ReadableFile> {
    const whole = await opened()
    const found = await whole.bytes()
    if (found !== given.bytes)
      throw new Error(`it has ${found} bytes in replica ${given.replica} instead of ${given.bytes}: run a check`)
    return watchedFile(whole, watching)
  }

  const report = ({ message: finding, offset }: Finding) =>
    remark(textOf(offset === undefined ? finding : message('batch.file.finding', { offset, finding })))

  const file: BatchFile = {
    ...given,
    async *read() {
      const from = await source()
      for (let position = 0; ;) {
        // A module may keep the chunks, so each has its own buffer.
        const bytes = Buffer.allocUnsafe(Math.min(bufferBytes, given.bytes - position))
        const read = bytes.length === 0 ? 0 : await from.read(bytes, position)
        if (read === 0) return
        yield bytes.subarray(0, read)
        position += read
      }
    },
    async *records({ onFinding = report } = {}) {
      for await (const part of recordParts(await source(), given.name, onFinding)) {
        yield* readRecords(part.source, { onFinding })
      }
    },
    async *captures(options = {}) {
      const wanted: CaptureOptions = { digests: 'trust', post: false, ...options }
      for await (const part of recordParts(await source(), given.name, report)) {
        for await (const found of capturesOf(part.source, part.path.split('!').at(-1) ?? given.name, wanted)) {
          if ('finding' in found) report(found.finding)
          else yield found.capture
        }
      }
    },
  }
  return {
    file,
    async close() {
      const whole = await opening?.catch(() => undefined)
      await whole?.close()
    },
  }
}
