/** Reads a file of an import in two worker threads: one writes its index lines, the other collects the findings. They run in
 *  parallel, so that a single large file uses two cores and each benefits from what the other has read from disk. */
import { indexFile } from '../../files/index/indexFile.ts'
import { DiskFault, type World } from '../../world/world.ts'
import type { CheckedFile, CheckInput } from './checkUnpacked.thread.ts'
import { firstPages } from './seeds.ts'

/** Result of reading a file. */
export interface FileRead extends CheckedFile {
  captures: number
  /** The first pages of the file, where viewing can begin. */
  pages: string[]
}

/** The file to read. */
export interface Place {
  path: string
  /** Name in the archive. */
  name: string
  /** Path of the index lines. */
  target: string
}

/** Checks an archive file from beginning to end. Rejects with `DiskFault`, or with the signal's reason. */
export function checkThrough(
  world: World,
  input: CheckInput,
  { signal, onShare = () => undefined }: { signal: AbortSignal; onShare?: (share: number) => void },
): Promise<CheckedFile> {
  const module = new URL('./checkUnpacked.thread.ts', import.meta.url)
  return world.threads.run<CheckInput, CheckedFile, number>(module, input, { signal, onReport: onShare })
}

/** Checks and indexes an archive file. Rejects with `DiskFault`, or with the signal's reason. */
export async function readThrough(
  world: World,
  { path, name, target }: Place,
  { signal, onShare }: { signal: AbortSignal; onShare: (share: number) => void },
): Promise<FileRead> {
  const stop = new AbortController()
  const options = { signal: AbortSignal.any([signal, stop.signal]) }
  const checking = checkThrough(world, { path, name }, { ...options, onShare })
  // The index need not verify digests, since the check compares every one.
  const indexing = indexFile(world, { path, filename: name, target, digests: 'trust' }, options)
  try {
    const [checked, indexed] = await Promise.all([checking, indexing])
    if (indexed.kind === 'unreadable') throw new DiskFault(indexed.fault.code, indexed.fault.path)
    return { ...checked, captures: indexed.captures, pages: await firstPages(world, target) }
  } finally {
    // If one of them failed, the other is stopped.
    stop.abort()
    await Promise.allSettled([checking, indexing])
  }
}
