/** The archive: ground truth. Every file that Loupe keeps is registered here with its checksum and lies, under one name, in
 *  every replica. A file is never changed: `store` adds it or refuses. Deliberately not here: looking after the copies
 *  later (`preservation.ts`), what is inside a file (`formats`), and everything that can be derived from it (`indexes`). */
import { resolve } from 'node:path'
import type { ArchivedFile, ReplicaSummary } from '../contract/contract.ts'
import type { Store } from '../storage/storage.ts'
import type { ReadableFile, World } from '../world/world.ts'
import { ArchiveFault, faultCodeOf } from './archiveFault.ts'
import { archiveStatements, type FileKind, type FileRow } from './archive.sql.ts'
import { catalogue, type FilesQuery } from './catalogue.ts'
import { hashFile } from './hashing.ts'
import { defaultArchiveLimits, type ArchiveLimits } from './limits.ts'
import { nameProblem } from './names.ts'
import { openCopy, openFirst, type OpenedFile } from './reading.ts'
import { replicaFolder, type ReplicaFolder } from './replicaFolder.ts'
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

export interface StoreOptions {
  signal?: AbortSignal
  onProgress?: (progress: StoreProgress) => void
}

export interface ArchiveParts {
  store: Store
  world: World
  /** In the order in which they are read. */
  replicas: readonly { name: string; folder: string }[]
  limits?: Partial<ArchiveLimits>
}

export interface Archive {
  readonly places: readonly ReplicaFolder[]
  readonly limits: ArchiveLimits
  /** Registers the file and brings it into every replica. Throws `ArchiveFault` when nothing could be begun: the file is
   *  not there, the name cannot be used, or another file has it. */
  store(file: FileToStore, options?: StoreOptions): Promise<StoreOutcome>
  /** Takes up the copies that a kill interrupted. What it cannot finish, because nobody knows the source any more, becomes
   *  UPLOAD_FAILED and is finished by the next `store` of the file. */
  resumeUploads(options?: { signal?: AbortSignal }): Promise<void>
  /** From the first replica that gives a good copy; undefined when none does. The caller closes the file. */
  openFile(name: string): Promise<OpenedFile | undefined>
  /** From this replica; throws `ArchiveFault` with the reason when it cannot be. The caller closes the file. */
  readableFrom(replica: string, name: string): Promise<{ file: ReadableFile; bytes: number }>
  file(name: string): ArchivedFile | undefined
  files(query: FilesQuery): { rows: ArchivedFile[]; total: number }
  /** In the order in which they were registered. */
  filesOfJob(jobId: number): ArchivedFile[]
  replicas(): Promise<ReplicaSummary[]>
  /** Calls `listener` after the state of any copy changed; returns how to stop that. */
  onChange(listener: () => void): () => void
}

/** Makes the replicas' folders that are new and removes what interrupted copies left. A replica that cannot be reached is
 *  not fatal: `replicas` says so, and uploads to it fail until it is back. */
export async function openArchive({ store, world, replicas, limits: chosen }: ArchiveParts): Promise<Archive> {
  const wrong = placesProblem(replicas)
  if (wrong !== undefined) throw new ArchiveFault('refused', wrong)
  const limits = { ...defaultArchiveLimits, ...chosen }
  const statements = archiveStatements(store)
  const places = replicas.map((place) =>
    replicaFolder(world, place, {
      any: () => statements.holdsAny.get({ replica: place.name }) !== undefined,
      holds: (name) => statements.holds.get({ replica: place.name, name }) !== undefined,
    }),
  )
  for (const place of places) {
    if ((await place.problem()) === undefined)
      await place.removeLeftovers((name) => statements.file.get({ name }) !== undefined)
  }
  const listeners = new Set<() => void>()
  const replicaNames = JSON.stringify(places.map(({ name }) => name))
  const upload = uploader({
    store,
    world,
    statements,
    limits,
    onCompleted: markStored,
    onChange: () => listeners.forEach((listener) => listener()),
  })
  const inTurn = turns()
  const shown = catalogue(statements)

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
    const local = await hashFile(world, { path, bytesPerSecondMax: 0 }, { signal })
    if (local.kind === 'fault')
      throw new ArchiveFault(faultCodeOf[local.code], `${path} cannot be stored: ${local.text}`)
    const { sha256, bytes } = local
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
    options: Required<StoreOptions>,
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

  /** Goes on from another replica's completed copy where the bytes are not in the replica yet. */
  async function finish(name: string, signal: AbortSignal): Promise<void> {
    const file = statements.file.get({ name })
    if (!file) throw new Error(`${name} left the catalogue`)
    const unfinished = new Set(statements.unfinishedOf.all({ file: file.id }).map(({ replica }) => replica))
    const good = places.find((place) => statements.holds.get({ replica: place.name, name }))
    const chosenPlaces = places.filter((place) => unfinished.has(place.name))
    await bringTo(chosenPlaces, file, good?.pathOf(name), { signal, onProgress: ignore })
  }

  return {
    places,
    limits,
    store: (file, { signal = neverAborted(), onProgress = ignore } = {}) =>
      inTurn(file.name, async () => {
        const row = await register(file, signal)
        const problems = await bringTo(places, row, file.path, { signal, onProgress })
        return problems.length === 0 ? { state: 'stored' } : { state: 'failed', problems }
      }),
    async resumeUploads({ signal = neverAborted() } = {}) {
      for (const { name } of statements.unfinished.all({ replicas: replicaNames })) {
        await inTurn(name, () => finish(name, signal))
      }
    },
    openFile: (name) => openFirst(world, statements, places, name),
    async readableFrom(replica, name) {
      const place = places.find((known) => known.name === replica)
      if (!place) throw new ArchiveFault('notFound', `there is no replica ${replica}`)
      const opened = await openCopy(world, statements, place, name)
      if (opened instanceof ArchiveFault) throw opened
      return opened
    },
    file: shown.file,
    files: shown.files,
    filesOfJob: shown.filesOfJob,
    replicas: () => Promise.all(places.map(shown.replica)),
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function placesProblem(replicas: ArchiveParts['replicas']): string | undefined {
  if (replicas.length === 0) return 'an archive needs at least one replica: name one in the settings'
  if (new Set(replicas.map(({ name }) => name)).size < replicas.length)
    return 'two replicas have the same name: check the settings'
  if (new Set(replicas.map(({ folder }) => resolve(folder))).size < replicas.length)
    return 'two replicas have the same folder, so one disk would lose both: check the settings'
  return undefined
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

function neverAborted(): AbortSignal {
  return new AbortController().signal
}

function ignore(): void {
  // Nobody asked for progress.
}
