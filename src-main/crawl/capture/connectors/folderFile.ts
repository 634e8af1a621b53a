/** Reads one file of a folder into the job. A file that changes while it is read is rejected, so that a capture is consistent. */
import type { Detail } from '../../model/detail.ts'
import { diskMessage } from '../../../files/disk/diskFaults.ts'
import { basename, dirname, join } from 'node:path'
import type { Reason } from '../../../contract/states/outcomes.ts'
import { stopwatch } from '../../../world/stopwatch.ts'
import { DiskFault, type DiskFaultCode, type Entry, type ReadableFile, type World } from '../../../world/world.ts'
import type { Failed, LocalResource } from '../fetch/outcome.ts'
import type { Fetching } from '../fetch/fetching.ts'
import { mediaTypeBytes, mediaTypeOf } from './mediaType.ts'

/** Bytes read at a time. */
const chunkBytes = 1_048_576

/** Identifies the state of a file without reading it, by its time of modification and its size. */
export function fileVersion({ modifiedAtMs, bytes }: Pick<Entry, 'modifiedAtMs' | 'bytes'>): string {
  return `${modifiedAtMs}-${bytes}`
}

/** Reads a file. Faults of the file are returned as `Failed`; rejects with `DiskFault` if the job's own disk fails. */
export async function readLocalFile(
  path: string,
  { world, newSpool, signal }: Fetching,
): Promise<LocalResource | Failed> {
  const startedMs = world.clock.now()
  const durationMs = stopwatch(world.clock)
  const spent = () => ({ startedMs, durationMs: durationMs() })
  const response = newSpool()
  let before: Entry | undefined
  let beginning = new Uint8Array(0)
  try {
    if (await isLink(world, path)) return { ...failure('linkedElsewhere', path), ...spent() }
    before = await world.disk.stat(path)
    const source = before?.kind === 'file' ? await world.disk.openRead(path) : undefined
    if (!before || !source) return { ...failure('fileGone', path), ...spent() }
    try {
      for await (const chunk of chunksOf(source, before.bytes)) {
        if (signal.aborted) return await givenUp(response, { ...failure('jobStopped', path), ...spent() })
        if (response.bytes === 0) beginning = chunk.slice(0, mediaTypeBytes)
        await keep(response, chunk)
      }
    } finally {
      await source.close()
    }
    const after = await world.disk.stat(path)
    if (!after || fileVersion(after) !== fileVersion(before) || response.bytes !== before.bytes)
      return await givenUp(response, { ...failure('fileChanged', path), ...spent() })
  } catch (error) {
    await response.discard()
    if (!(error instanceof DiskFault)) throw error instanceof OwnDiskFault ? error.cause : error
    return { ...failure(reasonOf[error.code], diskMessage(error)), ...spent() }
  }
  return {
    kind: 'local',
    mediaType: mediaTypeOf(basename(path), beginning),
    ...{ response, modifiedMs: before.modifiedAtMs, version: fileVersion(before), detail: null, outlinks: [] },
    ...spent(),
  }
}

/** The fields of a `Failed` without its times. */
export function failure(reason: Reason, detail: Detail): Pick<Failed, 'kind' | 'reason' | 'detail'> {
  return { kind: 'failed', reason, detail }
}

const reasonOf: Record<DiskFaultCode, Reason> = {
  absent: 'fileGone',
  exists: 'fileUnreadable',
  denied: 'fileUnreadable',
  full: 'fileUnreadable',
  tooLarge: 'fileUnreadable',
  failed: 'fileUnreadable',
}

/** Whether the last component of the path is a symbolic link. Those above it were checked when their folder was listed. */
export async function isLink({ disk }: Pick<World, 'disk'>, path: string): Promise<boolean> {
  const real = await disk.realPath(dirname(path))
  return (await disk.realPath(path)) !== join(real, basename(path))
}

/** A fault of the job's own disk, as opposed to one of the file that is read. */
class OwnDiskFault extends Error {}

async function keep(response: LocalResource['response'], chunk: Uint8Array): Promise<void> {
  try {
    await response.append(chunk)
  } catch (cause) {
    throw new OwnDiskFault('keeping what was read of a file', { cause })
  }
}

async function givenUp(response: LocalResource['response'], failed: Failed): Promise<Failed> {
  await response.discard()
  return failed
}

/** Reads at most one byte more than `bytes`, so that a growing file or an endless device is not read forever. */
async function* chunksOf(source: ReadableFile, bytes: number): AsyncIterable<Uint8Array> {
  for (let position = 0; position <= bytes;) {
    const chunk = new Uint8Array(Math.min(chunkBytes, bytes + 1 - position))
    const filled = await source.read(chunk, position)
    if (filled === 0) return
    yield chunk.subarray(0, filled)
    position += filled
  }
}
