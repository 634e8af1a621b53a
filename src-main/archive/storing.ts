/** Storing: registers a file in the catalogue and brings it into every replica, now or after a kill. One replica's part is
 *  in `upload.ts`; what a name may be is in `names.ts`. */
import type { Store } from '../storage/storage.ts'
import { DiskFault, type World } from '../world/world.ts'
import { ArchiveFault, faultCodeOf } from './archiveFault.ts'
import type { ArchiveStatements, FileKind, FileRow } from './archive.sql.ts'
import { hashFile } from './hashing.ts'
import type { ArchiveLimits } from './limits.ts'
import { nameProblem } from './names.ts'
import type { ReplicaFolder } from './replicaFolder.ts'
import { uploader, type StoreProgress, type UploadProblem } from './upload.ts'

export interface FileToStore {
  /** Where the bytes are now; they stay there. */
  path: string
  /** The name it is to have in the archive. */
  name: string
  kind: FileKind
  jobId: number | null
}

/** `stored`: every replica has it and its checksum agreed. A failed one may be stored again at any time. */
export type StoreOutcome = { state: 'stored' } | { state: 'failed'; problems: UploadProblem[] }

interface Watching {
  signal: AbortSignal
  onProgress: (progress: StoreProgress) => void
}

interface StoringParts {
  store: Store
  world: World
  statements: ArchiveStatements
  places: readonly ReplicaFolder[]
  limits: ArchiveLimits
  onChange: () => void
}

export function storing({ store, world, statements, places, limits, onChange }: StoringParts) {
  const upload = uploader({ store, world, statements, limits, onCompleted: markStored, onChange })
  const replicaNames = JSON.stringify(places.map(({ name }) => name))
  const inTurn = turns()

  function markStored(file: FileRow): void {
    const nowMs = world.clock.now()
    if (statements.markStored.run({ file: file.id, replicas: replicaNames, nowMs }) === 0) return
    const detail = JSON.stringify({ bytes: file.bytes, sha256: file.sha256, replicas: places.map(({ name }) => name) })
    const who = file.jobId === null ? 'upload' : `job ${file.jobId}`
    statements.audit.run({ nowMs, who, what: 'store', subject: file.name, detail })
  }

  async function register({ path, name, kind, jobId }: FileToStore, signal: AbortSignal): Promise<FileRow> {
    const wrong = nameProblem(name)
    if (wrong !== undefined)
      throw new ArchiveFault('refused', `'${name}' cannot be the name of a file in the archive: ${wrong}`)
    const { sha256, bytes } = await hashFile(world, { path, bytesPerSecondMax: 0 }, { signal }).catch(
      (error: unknown) => {
        if (!(error instanceof DiskFault)) throw error
        throw new ArchiveFault(faultCodeOf[error.code], `${path} cannot be stored: ${error.message}`, { cause: error })
      },
    )
    const known =
      statements.file.get({ name }) ??
      statements.register.get({ name, bytes, sha256, kind, job: jobId, nowMs: world.clock.now() })
    if (!known) throw new Error(`registering ${name} gave no row`)
    if (known.sha256 !== sha256)
      throw new ArchiveFault(
        'refused',
        `the archive holds another file named ${name} (SHA-256 ${known.sha256}): choose another name`,
      )
    return known
  }

  /** Every replica goes its own way at the same time; a stop waits for all of them. */
  async function bringTo(
    chosenPlaces: readonly ReplicaFolder[],
    file: FileRow,
    source: string | undefined,
    options: Watching,
  ) {
    store.transaction(() =>
      chosenPlaces.forEach(({ name }) => statements.addCopy.run({ file: file.id, replica: name })),
    )
    const copies = statements.copiesOf.all({ files: JSON.stringify([file.id]) })
    const ends = await Promise.allSettled(
      chosenPlaces.map(async (place) => {
        const copy = copies.find(({ replica }) => replica === place.name)
        if (!copy) throw new Error(`${file.name} has no row for replica ${place.name}`)
        return upload({ place, copy, file, source, ...options })
      }),
    )
    const problems = ends.flatMap((end) => {
      if (end.status === 'rejected') throw end.reason
      return end.value ?? []
    })
    // The last copy to complete marks the file; this is for a file that lacked only a replica which is no longer used.
    if (problems.length === 0) store.transaction(() => markStored(file))
    return problems
  }

  /** In turn, so that the temporary file of a copy being made is not taken for one. A name that the catalogue does not
   *  know is not ours. */
  async function removeLeftovers(place: ReplicaFolder): Promise<void> {
    for (const name of await place.leftovers()) {
      if (statements.file.get({ name })) await inTurn(name, () => place.removeLeftover(name))
    }
  }

  /** Goes on from another replica's completed copy where the bytes are not in the replica yet. */
  async function finish(name: string, signal: AbortSignal): Promise<void> {
    const file = statements.file.get({ name })
    if (!file) throw new Error(`${name} left the catalogue`)
    const unfinished = new Set(statements.unfinishedOf.all({ file: file.id }).map(({ replica }) => replica))
    const good = places.find((place) => statements.holds.get({ replica: place.name, name }))
    const chosenPlaces = places.filter((place) => unfinished.has(place.name))
    await bringTo(chosenPlaces, file, good?.pathOf(name), { signal, onProgress: () => undefined })
  }

  return {
    store: (file: FileToStore, watching: Watching): Promise<StoreOutcome> =>
      inTurn(file.name, async () => {
        const row = await register(file, watching.signal)
        const problems = await bringTo(places, row, file.path, watching)
        return problems.length === 0 ? { state: 'stored' } : { state: 'failed', problems }
      }),
    async resume(signal: AbortSignal): Promise<void> {
      for (const place of places) await removeLeftovers(place)
      for (const { name } of statements.unfinished.all({ replicas: replicaNames })) {
        await inTurn(name, () => finish(name, signal))
      }
    },
  }
}

/** Acts on the same name come one after the other: two stores of one file must not both look, and then both copy. */
function turns(): <T>(name: string, act: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return async (name, act) => {
    // How the one before ended is told to whoever asked for it.
    const mine = (last.get(name) ?? Promise.resolve()).then(act, act)
    last.set(name, mine)
    try {
      return await mine
    } finally {
      if (last.get(name) === mine) last.delete(name)
    }
  }
}
