/** One file of a folder, copied into the job as it lies there: all of it from one and the same moment, or none. */
import { basename, dirname, join } from 'node:path'
import type { Reason } from '../../../contract/states/outcomes.ts'
import { stopwatch } from '../../../world/stopwatch.ts'
import { DiskFault, type DiskFaultCode, type Entry, type ReadableFile, type World } from '../../../world/world.ts'
import type { Failed, Fetching, LocalResource } from '../fetch/fetch.ts'
import { mediaTypeBytes, mediaTypeOf } from './mediaType.ts'

/** Read at a time. */
const chunkBytes = 1_048_576

/** What names the state that a file is in, without reading it. */
export function fileVersion({ modifiedAtMs, bytes }: Pick<Entry, 'modifiedAtMs' | 'bytes'>): string {
  return `${modifiedAtMs}-${bytes}`
}

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
    return { ...failure(reasonOf[error.code], error.message), ...spent() }
  }
  return {
    kind: 'local',
    mediaType: mediaTypeOf(basename(path), beginning),
    ...{ response, modifiedMs: before.modifiedAtMs, version: fileVersion(before), detail: null, outlinks: [] },
    ...spent(),
  }
}

export function failure(reason: Reason, detail: string): Pick<Failed, 'kind' | 'reason' | 'detail'> {
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

/** Whether the last name of the path is a link. What stands above it was looked at when its folder was. */
export async function isLink({ disk }: Pick<World, 'disk'>, path: string): Promise<boolean> {
  const real = await disk.realPath(dirname(path))
  return (await disk.realPath(path)) !== join(real, basename(path))
}

/** The job's own disk: its fault is not one of the file. */
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

/** At most a byte more than it should have: a file that grows must not be read for ever, nor one that a device makes up. */
async function* chunksOf(source: ReadableFile, bytes: number): AsyncIterable<Uint8Array> {
  for (let position = 0; position <= bytes;) {
    const chunk = new Uint8Array(Math.min(chunkBytes, bytes + 1 - position))
    const filled = await source.read(chunk, position)
    if (filled === 0) return
    yield chunk.subarray(0, filled)
    position += filled
  }
}
