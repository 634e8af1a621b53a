/** A replica of files in a store of the user (`userStore.ts`): an object store, a tape, another institution. Its files have no paths, so
 *  they are stored, checked and given back, but not read by programs that need a file of their own. Bytes pass through this thread, in
 *  pieces. */
import { createHash } from 'node:crypto'
import { message } from '../../contract/words/message.ts'
import { inTime } from '../../modules/inTime.ts'
import { loadModule, type OpenedModule } from '../../modules/userModule.ts'
import { DiskFault, type ReadableFile, type World } from '../../world/world.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import { hashChunks, hashing, type ChunkOptions } from '../files/hashChunks.ts'
import { recognitionCountMax } from '../files/limits.ts'
import { atticName, markName, nameProblem } from '../files/names.ts'
import { chunksOf } from '../files/readThrough.ts'
import { undefinedOnFault } from '../files/undefinedWhen.ts'
import { confirmer, refused } from './confirmWrong.ts'
import type { ReplicaParts } from './folderReplica.ts'
import { markProblemOf, sharedCheck } from './mark.ts'
import type { Added, AddOptions, Checksum, ChecksumOptions, FileToAdd, Held, Kept, Replica, Wrong } from './replica.ts'
import { room } from './space.ts'
import { ofStore, OutsideFault, storeFunctions, type UserStore } from './userStore.ts'

/** Files per page of a list. */
const pageCount = 1_000
/** Time in which a store must say that it is there: everything that opens the archive waits for this. */
const answerMsMax = 30_000
/** Most bytes of a mark. */
const markBytesMax = 1_000

/** Creates a replica over the module of its place. */
export function moduleReplica({ world, place, expected, rules }: ReplicaParts): Replica {
  const { name, folder } = place
  const store = storeOf(world, place)
  const objects = objectsIn(world, name, store)
  const space = room(name, rules)
  const silent = message('replica.module.silent', { replica: name, seconds: answerMsMax / 1_000 })
  const limit = { msMax: answerMsMax, late: new ArchiveFault('unreachable', silent) }
  const problem = sharedCheck(name, () =>
    inTime(world.clock, limit, async () => {
      const opened = await store()
      if ('problem' in opened) return message('replica.module.unusable', { replica: name, problem: opened.problem })
      return markProblemOf({ folder, name, expected, ...objects.mark })
    }),
  )
  const confirm = confirmer({ name, problem, checksum: objects.checksum })

  return {
    name,
    kind: 'files',
    folder,
    pathOf: () => undefined,
    problem,
    freeBytes: () => objects.freeBytes().catch(undefinedOnFault),
    list: objects.list,
    stat: objects.stat,
    checksum: objects.checksum,
    async add(file, options = {}): Promise<Added> {
      const wrong = nameProblem(file.name)
      if (wrong !== undefined)
        return refused('refused', message('fileName.refused', { name: file.name, problem: wrong }))
      const unusable = await problem()
      if (unusable !== undefined) return refused('unreachable', unusable)
      if (await objects.stat(file.name))
        return { kind: 'occupied', message: message('replica.occupied', { path: `${folder}/${file.name}` }) }
      const taken = space.take(file.bytes, await objects.freeBytes())
      if ('refusal' in taken) return refused('noSpace', taken.refusal)
      return objects.write(file, options).finally(taken.giveBack)
    },
    async secure(file) {
      // What is stored is durable.
      if (!(await objects.stat(file))) throw new DiskFault('absent', `${folder}/${file}`)
    },
    open: (file) => objects.open(file, `${folder}/${file}`),
    async setAside(file, wrong) {
      await confirm(file, wrong)
      return `${folder}/${await objects.setAside(file, wrong)}`
    },
    kept: async (file) => (await objects.kept(file)).map((kept) => ({ ...kept, where: `${folder}/${kept.where}` })),
    // A write that did not end has left nothing.
    leftovers: async () => [],
    removeLeftover: async () => undefined,
  }
}

/** Opens the module once it is needed, and again after it could not be opened. */
function storeOf(world: World, { module }: ReplicaParts['place']): () => Promise<OpenedModule<UserStore>> {
  let opening: Promise<OpenedModule<UserStore>> | undefined
  if (!module) throw new Error('the place of this replica has a module')
  return async () => {
    const opened = await (opening ??= loadModule<UserStore>(world.disk, module, storeFunctions))
    if ('problem' in opened) opening = undefined
    return opened
  }
}

/** The objects of a store, read. */
function readerOf(world: World, name: string, opened: () => Promise<OpenedModule<UserStore>>) {
  const never = new AbortController().signal

  async function store(): Promise<UserStore> {
    const found = await opened()
    if ('part' in found) return found.part
    throw new ArchiveFault('unreachable', message('replica.module.unusable', { replica: name, problem: found.problem }))
  }

  async function stat(file: string): Promise<Held | undefined> {
    const of = await store()
    const bytes = await ofStore(name, () => of.stat(file))
    if (bytes === undefined || bytes === null) return undefined
    if (typeof bytes === 'number' && Number.isSafeInteger(bytes) && bytes >= 0) return { name: file, bytes }
    throw new ArchiveFault('unreachable', message('replica.module.length', { replica: name, name: file }))
  }

  /** All objects, also those that are no files of the archive. */
  async function* all(): AsyncIterable<{ name: string; bytes: number }> {
    const of = await store()
    const listed = await ofStore(name, () => of.list())
    yield* piecesOf(name, listed, never)
  }

  async function* read(file: string, from: number, signal: AbortSignal = never): AsyncIterable<Uint8Array> {
    const of = await store()
    const pieces = await ofStore(name, () => of.read(file, { from, signal }), signal)
    yield* piecesOf(name, pieces, signal)
  }

  async function checksum(file: string, options: ChecksumOptions = {}): Promise<Checksum | undefined> {
    const { salt, signal = never, bytesPerSecondMax = 0, onProgress = () => undefined } = options
    signal.throwIfAborted()
    if (!(await stat(file))) return undefined
    return hashChunks(world.clock, read(file, 0, signal), { salt, signal, bytesPerSecondMax, onReport: onProgress })
  }

  return { never, store, stat, all, read, checksum }
}

type Reader = ReturnType<typeof readerOf>

/** The objects of a store, read and written. */
function objectsIn(world: World, name: string, opened: () => Promise<OpenedModule<UserStore>>) {
  const reader = readerOf(world, name, opened)
  const { never, store, stat, all, read, checksum } = reader
  return {
    stat,
    checksum,
    async freeBytes(): Promise<number | undefined> {
      const of = await store()
      const free = await ofStore(name, () => of.freeBytes?.())
      return typeof free === 'number' ? free : undefined
    },
    async *list(): AsyncIterable<Held[]> {
      let page: Held[] = []
      for await (const { name: file, bytes } of all()) {
        if (nameProblem(file) !== undefined) continue
        page.push({ name: file, bytes })
        if (page.length < pageCount) continue
        yield page
        page = []
      }
      if (page.length > 0) yield page
    },
    async write(file: FileToAdd, options: AddOptions): Promise<Added> {
      const { signal = never, onProgress = () => undefined, onWritten = () => undefined } = options
      const { bytesPerSecondMax = 0 } = options
      const of = await store()
      const onReport = (bytes: number) => onProgress('copying', bytes)
      const source = sourceOf(world, file, { signal, bytesPerSecondMax, onReport })
      try {
        await ofStore(name, () => of.write(file.name, source.bytes(), { length: file.bytes, signal }), signal)
      } catch (error) {
        if (source.isChanged()) return refused('refused', message('replica.changedMeanwhile', { name: file.name }))
        throw error
      }
      onWritten()
      const reading = { signal, bytesPerSecondMax, onProgress: (bytes: number) => onProgress('verifying', bytes) }
      const found = await checksum(file.name, reading)
      return found?.sha256 === file.sha256 ? { kind: 'added' } : { kind: 'differs', found }
    },
    async open(file: string, path: string): Promise<ReadableFile> {
      const held = await stat(file)
      if (!held) throw new DiskFault('absent', path)
      return sequentially((from) => read(file, from), held.bytes ?? 0)
    },
    ...atticIn(world, name, reader),
    mark: markIn(name, reader),
  }
}

/** What was set aside in a store. */
function atticIn(world: World, name: string, { store, all, checksum }: Reader) {
  return {
    /** Moves the object out of the way. Returns its new name. */
    async setAside(file: string, wrong: Wrong): Promise<string> {
      const of = await store()
      const ending = wrong === 'unreadable' ? wrong : wrong.sha256.slice(0, 8)
      const to = `${atticName}/${file}.${ending}.${world.chance.uuid()}`
      await ofStore(name, () => of.move(file, to))
      return to
    },
    async kept(file: string): Promise<Kept[]> {
      const found: Kept[] = []
      for await (const { name: where } of all()) {
        if (setAsideName(where) !== file) continue
        const sum = await checksum(where).catch(undefinedOnFault)
        found.push({ where, ...(sum ?? { sha256: null, bytes: null }) })
      }
      return found
    },
  }
}

/** The mark of a store, and how it is written. */
function markIn(name: string, { never, store, stat, all, read }: Reader) {
  return {
    async markOf(): Promise<string | undefined> {
      if (!(await stat(markName))) return undefined
      const into = new Uint8Array(markBytesMax)
      const length = await fill(into, read(markName, 0))
      return Buffer.from(into.subarray(0, length)).toString('utf8').trim()
    },
    async writeMark(text: string): Promise<void> {
      const of = await store()
      const bytes = Buffer.from(text)
      await ofStore(name, () => of.write(markName, only(bytes), { length: bytes.length, signal: never }))
    },
    async someNames(): Promise<string[]> {
      const names: string[] = []
      for await (const { name: each } of all()) if (names.push(each) >= recognitionCountMax) break
      return names
    },
  }
}

/** The bytes of a file that is written to a store, hashed on the way: if they are not those that were announced, reading fails at their
 *  end, so that the store keeps nothing. Faults of the disk pass through the store. */
function sourceOf(world: World, { source, sha256 }: FileToAdd, options: ChunkOptions) {
  let isChanged = false
  async function* bytes(): AsyncGenerator<Uint8Array> {
    const running = createHash('sha256')
    try {
      const file = await world.disk.openRead(source)
      try {
        // The store may keep a chunk, whose buffer is used again.
        for await (const chunk of hashing(world.clock, chunksOf(file), running, options)) yield Uint8Array.from(chunk)
      } finally {
        await file.close()
      }
    } catch (error) {
      throw new OutsideFault(undefined, { cause: error })
    }
    isChanged = running.digest('hex') !== sha256
    if (isChanged) throw new Error('the source has changed')
  }
  return { bytes, isChanged: () => isChanged }
}

/** Passes on what the store yields, and tells it when no more is read. */
async function* piecesOf<T>(
  replica: string,
  pieces: AsyncIterable<T> | Iterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const from = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]()
  let isOver = false
  try {
    for (;;) {
      const next = await ofStore(replica, () => from.next(), signal)
      isOver = next.done === true
      if (next.done === true) return
      yield next.value
    }
  } finally {
    if (!isOver) await ofStore(replica, async () => void (await from.return?.())).catch(undefinedOnFault)
  }
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** A file over a source of pieces. Reading on from where the last read ended takes the next pieces, and asks for nothing again. */
function sequentially(piecesFrom: (from: number) => AsyncIterable<Uint8Array>, length: number): ReadableFile {
  let pieces: AsyncIterator<Uint8Array> | undefined
  let at = 0
  /** What the last read did not need. */
  let rest: Uint8Array = new Uint8Array(0)
  const end = async () => void (await pieces?.return?.())
  return {
    async read(into, position) {
      if (position >= length) return 0
      if (pieces === undefined || position !== at) {
        await end()
        ;[pieces, at, rest] = [piecesFrom(position)[Symbol.asyncIterator](), position, new Uint8Array(0)]
      }
      let filled = 0
      while (filled < into.length) {
        if (rest.length === 0) {
          const next = await pieces.next()
          if (next.done === true) break
          rest = next.value
        }
        const part = rest.subarray(0, into.length - filled)
        into.set(part, filled)
        rest = rest.subarray(part.length)
        filled += part.length
      }
      at += filled
      return filled
    },
    bytes: async () => length,
    close: end,
  }
}

/** Fills the array from the pieces. Returns how much was filled. */
async function fill(into: Uint8Array, pieces: AsyncIterable<Uint8Array>): Promise<number> {
  let filled = 0
  for await (const piece of pieces) {
    const part = piece.subarray(0, into.length - filled)
    into.set(part, filled)
    filled += part.length
    if (filled === into.length) break
  }
  return filled
}

/** The name that an object had before it was set aside; undefined for others. */
function setAsideName(object: string): string | undefined {
  return /^attic\/(.+)\.(?:[0-9a-f]{8}|unreadable)\.[0-9a-f-]{36}$/.exec(object)?.[1]
}
