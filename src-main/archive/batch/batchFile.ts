/** A file of the archive as the module of a batch job sees it: what the catalogue says of it, and its bytes, its records and
 *  its captures. Each may be asked for as often as it is wanted; the file is closed when the module is done with it. */
import type { ReadableFile, World } from '../../world/world.ts'
import { recordParts } from '../../files/records/recordParts.ts'
import { watchedFile } from '../../files/disk/watchedFile.ts'
import type { Capture } from '../../formats/cdx/capture.ts'
import { capturesOf, type CaptureOptions } from '../../formats/cdx/captures.ts'
import type { Finding } from '../../formats/rules/finding.ts'
import { readRecords } from '../../formats/records/readRecords.ts'
import type { ArchiveRecord } from '../../formats/records/record.ts'
import { bufferBytes } from '../files/limits.ts'

export interface BatchFile {
  readonly name: string
  readonly bytes: number
  /** As the catalogue has it. */
  readonly sha256: string
  readonly job: number | null
  readonly kind: 'content' | 'metadata'
  /** The replica that it is read from. */
  readonly replica: string
  /** All its bytes, as they lie on the disk. */
  read(): AsyncIterable<Uint8Array>
  /** Every record in its order. The block of one can be taken until the next is asked for. Damage between them is a remark
   *  about the file where no `onFinding` takes it. */
  records(options?: { onFinding?: (finding: Finding) => void }): AsyncIterable<ArchiveRecord>
  /** What an index knows of its records. */
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

export function openBatchFile({ path, ...given }: FileGiven, { world, remark, ...watching }: FileWatch) {
  let opening: Promise<ReadableFile> | undefined
  const opened = () => (opening ??= world.disk.openRead(path))

  /** The right length, or nothing: half a file is not to be taken for a whole one. */
  async function source(): Promise<ReadableFile> {
    const whole = await opened()
    const found = await whole.bytes()
    if (found !== given.bytes)
      throw new Error(`it has ${found} bytes in replica ${given.replica} instead of ${given.bytes}: run a check`)
    return watchedFile(whole, watching)
  }

  const report = ({ text, offset }: Finding) => remark(offset === undefined ? text : `At ${offset}: ${text}`)

  const file: BatchFile = {
    ...given,
    async *read() {
      const from = await source()
      for (let position = 0; ;) {
        // A module may keep the pieces, so each has bytes of its own.
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
