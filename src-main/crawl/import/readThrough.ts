/** A file of an import read through in worker threads: one makes its index lines, one finds what is wrong with it. Side by
 *  side, so that a single large file keeps two cores busy, and what the disk gave to one is there for the other. */
import { indexFile } from '../../files/index/indexFile.ts'
import type { World } from '../../world/world.ts'
import type { CheckedFile, CheckInput } from './checkUnpacked.thread.ts'
import { firstPages } from './seeds.ts'

export interface FileRead extends CheckedFile {
  captures: number
  /** The first of it, where a viewing may begin. */
  pages: string[]
}

export interface Place {
  path: string
  /** In the archive. */
  name: string
  /** Where the index lines go. */
  target: string
}

/** Reads an archive file from beginning to end for everything that is wrong in it. Rejects with `DiskFault`, or with the signal's reason. */
export function checkThrough(
  world: World,
  input: CheckInput,
  { signal, onShare = () => undefined }: { signal: AbortSignal; onShare?: (share: number) => void },
): Promise<CheckedFile> {
  const module = new URL('./checkUnpacked.thread.ts', import.meta.url)
  return world.threads.run<CheckInput, CheckedFile, number>(module, input, { signal, onReport: onShare })
}

/** Rejects with `DiskFault`, or with the signal's reason. */
export async function readThrough(
  world: World,
  { path, name, target }: Place,
  { signal, onShare }: { signal: AbortSignal; onShare: (share: number) => void },
): Promise<FileRead> {
  const stop = new AbortController()
  const options = { signal: AbortSignal.any([signal, stop.signal]) }
  const checking = checkThrough(world, { path, name }, { ...options, onShare })
  // The checking compares every digest.
  const indexing = indexFile(world, { path, filename: name, target, digests: 'trust' }, options)
  try {
    const [checked, indexed] = await Promise.all([checking, indexing])
    if (indexed.kind === 'unreadable') throw new Error(indexed.text)
    return { ...checked, captures: indexed.captures, pages: await firstPages(world, target) }
  } finally {
    // Where one of them failed, the other is of no use.
    stop.abort()
    await Promise.allSettled([checking, indexing])
  }
}
