/** Adds one unknown file to the catalogue and stores it where it is missing. */
import type { Archive } from '../../archive/store/archive.ts'
import { reasonIn } from '../../archive/files/archiveFault.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { message } from '../../contract/words/message.ts'
import { DiskFault, type World } from '../../world/world.ts'
import { agreedCopy } from './copies.ts'
import type { RecoveryProgress } from './recoveryProgress.ts'
import type { UnknownFiles } from './unknownFiles.ts'

interface Parts {
  world: World
  archive: Archive
  files: UnknownFiles
  progress: RecoveryProgress
  signal: AbortSignal
}

/** A file to register. The job comes from a metadata file, because files of several archives may share a name. */
export interface FileToRegister {
  name: string
  kind: 'content' | 'metadata'
  jobId: number | null
}

/** Returns the function that registers a file. Each name is tried once; a fault of the disk is a problem of that file only. */
export function fileRegistrar(parts: Parts): (file: FileToRegister) => Promise<void> {
  const { files, progress, signal } = parts
  const tried = new Set<string>()
  return async (file) => {
    const { name } = file
    if (tried.has(name)) return
    tried.add(name)
    signal.throwIfAborted()
    const bytes = files.bytesOf(name)
    try {
      await (files.isInReplica(name) ? fromReplicas(parts, file) : fromQuarantine(parts, file))
    } catch (error) {
      if (!(error instanceof Fault || error instanceof DiskFault)) throw error
      progress.problem(name, reasonIn(error))
    }
    progress.done(bytes)
  }
}

/** Registers the content on which the copies agree, then stores it in the replicas that lack it. */
async function fromReplicas(parts: Parts, { name, kind, jobId }: FileToRegister): Promise<void> {
  const { archive, world, files, progress, signal } = parts
  const aside = files.asideNamed(name)
  const agreement = await agreedCopy({ archive, world, signal, aside }, name)
  for (const problem of agreement.problems) progress.problem(name, problem)
  if (agreement.kind === 'undecided') return
  const { sha256, bytes, path, replicas } = agreement.file
  archive.adopt({ name, kind, jobId, sha256, bytes }, replicas)
  progress.registered()
  if (replicas.length === archive.places.length) return
  const outcome = await archive.store({ path, name, kind, jobId }, { signal })
  noteUnstored(progress, name, outcome)
  if (aside?.path === path && outcome.state === 'stored') await files.clear(aside)
}

async function fromQuarantine(parts: Parts, { name, kind, jobId }: FileToRegister): Promise<void> {
  const { archive, files, progress, signal } = parts
  const aside = files.asideNamed(name)
  if (!aside || archive.file(name)) return
  const outcome = await archive.store({ path: aside.path, name, kind, jobId }, { signal })
  progress.registered()
  noteUnstored(progress, name, outcome)
  if (outcome.state === 'stored') await files.clear(aside)
}

function noteUnstored(progress: RecoveryProgress, name: string, outcome: Awaited<ReturnType<Archive['store']>>): void {
  if (outcome.state === 'stored') return
  for (const { replica, problem: reason } of outcome.problems) {
    progress.problem(name, message('recover.notStored', { replica, reason }))
  }
}
