/** Files that the catalogue does not know: those in the replicas, and those that were set aside in the quarantine. */
import type { Archive } from '../../archive/store/archive.ts'
import { hashFile } from '../../archive/files/hashing.ts'
import type { World } from '../../world/world.ts'
import { listQuarantine, type QuarantinedFile } from '../ownership/quarantine.ts'
import type { RecoveryProgress } from './recoveryProgress.ts'

interface Parts {
  world: World
  archive: Pick<Archive, 'unregistered' | 'storedWithChecksum'>
  /** Path of `<archive>/quarantine`. */
  quarantineFolder: string
  progress: RecoveryProgress
  signal: AbortSignal
}

/** Names per query. Between two queries other work of the thread has its turn. */
const namesAtOnceMax = 1_000

/** Name of a metadata file, of Loupe or another program. */
export const metadataName = /(^|-)metadata-\d+\.w?arc(\.gz)?$/i

/** The unknown files of one recovery. The list of the quarantine is read once and after it was cleared. */
export class UnknownFiles {
  readonly #parts: Parts
  #aside: QuarantinedFile[] = []

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Compares the replicas with the catalogue and counts the files. A replica that cannot be read is a problem. */
  async count(): Promise<void> {
    const { progress } = this.#parts
    await this.compareReplicas()
    this.#aside = await listQuarantine(this.#quarantine)
    for await (const name of this.inReplicas()) progress.found(this.bytesOf(name))
    for (const { bytes } of this.#aside) progress.found(bytes)
    progress.report()
  }

  async compareReplicas(): Promise<void> {
    const { archive, signal, progress } = this.#parts
    for (const { replica, problem } of await archive.unregistered.compare(signal)) {
      progress.problem(replica, problem)
    }
  }

  get inQuarantine(): readonly QuarantinedFile[] {
    return this.#aside
  }

  /** Names of the files in the replicas, in alphabetical order. Rejects with the signal's reason when stopped. */
  async *inReplicas(): AsyncGenerator<string> {
    const { world, archive, signal } = this.#parts
    for (let after = ''; ;) {
      const names = archive.unregistered.names(after, namesAtOnceMax)
      const last = names.at(-1)
      if (last === undefined) return
      yield* names
      await world.clock.sleep(0)
      signal.throwIfAborted()
      after = last
    }
  }

  isInReplica(name: string): boolean {
    return this.#parts.archive.unregistered.placesOf(name).length > 0
  }

  /** Size of the largest copy in the replicas; 0 if none is known. */
  bytesOf(name: string): number {
    return Math.max(0, ...this.#parts.archive.unregistered.placesOf(name).map(({ bytes }) => bytes ?? 0))
  }

  /** The file of the quarantine that has this name in the archive. */
  asideNamed(name: string): QuarantinedFile | undefined {
    return this.#aside.find((file) => archiveNameOf(file) === name)
  }

  /** Removes from the quarantine every file that all replicas already have, by checksum. */
  async clearStored(): Promise<void> {
    const { world, archive, progress, signal } = this.#parts
    for (const file of this.#aside) {
      const { path, bytes } = file
      signal.throwIfAborted()
      const { sha256 } = await hashFile(world, { path, bytesPerSecondMax: 0 }, { signal })
      if (!archive.storedWithChecksum(sha256)) continue
      await this.clear(file)
      progress.done(bytes)
    }
    this.#aside = await listQuarantine(this.#quarantine)
  }

  /** Removes a file whose bytes are in every replica. */
  async clear({ path }: QuarantinedFile): Promise<void> {
    await this.#parts.world.disk.remove(path)
    this.#parts.progress.cleared()
  }

  /** The files that are in the quarantine now. */
  async leftInQuarantine(): Promise<QuarantinedFile[]> {
    return listQuarantine(this.#quarantine)
  }

  get #quarantine() {
    return { world: this.#parts.world, folder: this.#parts.quarantineFolder }
  }
}

/** Returns the name that a quarantined file has in the archive. A metadata file was set aside under its local name, which
 *  begins with the id of its run (`ownedFiles.ts`). */
export function archiveNameOf({ name }: Pick<QuarantinedFile, 'name'>): string {
  return /^[0-9a-f-]{32,36}\.(\d+-metadata-\d+\.warc(?:\.gz)?)$/.exec(name)?.[1] ?? name
}
