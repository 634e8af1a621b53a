/** Runs one fault at every position of one action of the archive, on a seeded world: the action is repeated with the fault one step
 *  later each time, and the invariants are checked afterwards. Where a crash leaves the same database and disks as at an earlier
 *  position, they are checked once. The database is reset for each position. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { rewindable } from '../../storage/testing/rewindableStore.ts'
import { openStore, type Store } from '../../storage/storage.ts'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import type { DiskFailure } from '../../world/testing/seededDisk.ts'
import type { Disk, World } from '../../world/world.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import { invariants, sha256Of, type Asked } from './invariants.ts'
import { openArchiveFixture, recover, type ArchiveFixture } from './archiveFixture.ts'
import { replicaRetryRules } from '../files/limits.ts'
import { temporaryName } from '../files/names.ts'
import { checksumFileName } from '../replica/checksumFile.ts'
import { checksumReplica } from '../replica/checksumReplica.ts'
import { faultyReplica, type Damage, type FaultyReplica, type ReplicaFault } from './faultyReplica.ts'
import { folderReplica } from '../replica/folderReplica.ts'
import type { ReplicaPlace } from '../replica/replica.ts'

const name = 'a.warc.gz'
const good = 'what is to be kept, for ever '.repeat(50)
/** A second file that is already in the archive and must not be affected. */
const neighbour = { name: 'b.warc.gz', text: 'the neighbour, to whom nothing may happen '.repeat(20) }
const restored = 'a.attic1.warc.gz'
const never = new AbortController().signal

/** Expected content of the files, by name. */
export const truth: ReadonlyMap<string, string> = new Map([
  [name, good],
  [neighbour.name, neighbour.text],
])

const folders = (folder: string, count: number): ReplicaPlace[] =>
  ['one', 'two', 'three'].slice(0, count).map((each) => ({ name: each, folder: join(folder, each) }))

/** Configurations of replicas, by name. */
export const settings = {
  'two replicas': (folder: string) => folders(folder, 2),
  'three replicas': (folder: string) => folders(folder, 3),
  'two replicas and checksums': (folder: string): ReplicaPlace[] => [
    ...folders(folder, 2),
    { name: 'sums', folder: join(folder, 'sums'), kind: 'checksums' },
  ],
} as const
export type Setting = keyof typeof settings
export const everySetting = Object.keys(settings) as Setting[]

/** Damages one copy without the archive's knowledge. */
export type Harm = (disk: Disk, place: ReplicaPlace) => Promise<void>

const changed =
  (change: (text: string) => string): Harm =>
  async (disk, { folder, kind }) => {
    const path = join(folder, kind === 'checksums' ? checksumFileName : name)
    const text = Buffer.from(await disk.read(path, 1e6)).toString()
    await disk.write(path, Buffer.from(kind === 'checksums' ? lineChanged(text, change(good)) : change(text)))
  }

/** Replaces the entry of the file in a checksum list by that of other content. */
function lineChanged(text: string, becomes: string): string {
  const others = text.split('\n').filter((line) => !line.endsWith(`  ${name}`))
  return [`${sha256Of(becomes)}  ${name}`, ...others].join('\n')
}

const withoutLine: Harm = async (disk, { folder }) => {
  const path = join(folder, checksumFileName)
  const lines = Buffer.from(await disk.read(path, 1e6))
    .toString()
    .split('\n')
  await disk.write(path, Buffer.from(lines.filter((line) => !line.endsWith(`  ${name}`)).join('\n')))
}

/** Kinds of damage to one copy, by name. */
export const harms = {
  'a flipped byte': changed((text) => `${text.slice(0, 700)}?${text.slice(701)}`),
  'a truncated file': changed((text) => text.slice(0, 100)),
  'an emptied file': changed(() => ''),
  'a missing file': async (disk, place) =>
    place.kind === 'checksums' ? withoutLine(disk, place) : disk.remove(join(place.folder, name)),
  'an extra file': async (disk, { folder, kind }) => {
    if (kind !== 'checksums') return disk.write(join(folder, 'stranger.warc'), Buffer.from('an unknown file'))
    const path = join(folder, checksumFileName)
    const text = Buffer.from(await disk.read(path, 1e6)).toString()
    await disk.write(path, Buffer.from(`${text}${sha256Of('who')}  stranger.warc\n`))
  },
  'a file of the same name with other content': changed(() => 'x'.repeat(good.length)),
  'a rename that the disk lost although it had reported success': async (disk, place) =>
    place.kind === 'checksums'
      ? withoutLine(disk, place)
      : disk.rename(join(place.folder, name), join(place.folder, temporaryName(name))),
} satisfies Record<string, Harm>

/** Path of the source of a file. */
export const sourceOf = (folder: string, file: string) => join(folder, `source-${file}`)

/** Stores a file from its source. */
export async function put({ archive }: ArchiveFixture, folder: string, file: string) {
  return archive.store({ path: sourceOf(folder, file), name: file, kind: 'content', jobId: null })
}

/** Opens an archive that holds the second file, and the test file where `isStored`. */
export async function filled(
  world: World,
  store: Store,
  places: readonly ReplicaPlace[],
  folder: string,
  isStored = true,
) {
  await world.disk.makeFolder(folder)
  const kept = await openArchiveFixture({ world, store, places, folder })
  for (const [file, text] of truth) await world.disk.write(sourceOf(folder, file), Buffer.from(text))
  for (const file of isStored ? truth.keys() : [neighbour.name]) {
    const outcome = await put(kept, folder, file)
    if (outcome.state !== 'stored') throw new Error(`${file} could not be stored: ${JSON.stringify(outcome)}`)
  }
  return kept
}

/** A lasting fault of one replica's drive. `begin` returns the function that ends it. */
export interface LastingFault {
  isAway: boolean
  begin(world: SeededWorld, place: ReplicaPlace): Promise<() => Promise<void>>
}

const failing = (failure: Omit<DiskFailure, 'path'>): LastingFault => ({
  isAway: false,
  async begin({ disk }, { folder }) {
    const heal = disk.fail({ ...failure, path: new RegExp(`^${folder}(/|$)`) })
    return async () => void heal()
  },
})

const writingCalls = ['openWrite', 'append', 'truncate', 'sync', 'rename', 'remove', 'write', 'makeFolder'] as const

/** Lasting faults of a drive, by name. */
export const lastingFaults = {
  'is offline': {
    isAway: true,
    async begin({ disk }, { folder }) {
      await disk.rename(folder, `${folder}-unplugged`)
      return () => disk.rename(`${folder}-unplugged`, folder)
    },
  },
  'is offline, and its empty mount point is there': {
    isAway: true,
    async begin({ disk }, { folder }) {
      await disk.rename(folder, `${folder}-unplugged`)
      await disk.makeFolder(folder)
      // A rename replaces only an empty folder, so this shows that nothing was written to the mount point.
      return () => disk.rename(`${folder}-unplugged`, folder)
    },
  },
  'is full': failing({ code: 'full', calls: ['append'] }),
  'is read-only': failing({ code: 'denied', calls: writingCalls }),
} satisfies Record<string, LastingFault>
export type LastingFaultName = keyof typeof lastingFaults

/** Runs the action during a lasting fault of one replica. Checks the invariants during the fault and after its end. */
export async function withLastingFault(
  drive: Drive,
  victim: string,
  lastingFault: LastingFaultName,
): Promise<string[]> {
  const store = openStore(':memory:')
  const { world, places, kept, target, action } = await sceneOf(drive, store)
  const place = places.find((each) => each.name === victim)
  if (!place) throw new Error(`there is no replica ${victim}`)
  const { isAway, begin } = lastingFaults[lastingFault]
  const asking = begin(world, place).then(async (heal) => {
    await settled(action.act(kept, target))
    const away = isAway ? [victim] : []
    return invariants({ ...(await askedOf(kept)), isKnown: action.isKnown && !isAway, away, heal })
  })
  const sentences = await world.run(asking)
  store.close()
  return sentences
}

interface AuditAction {
  /** Whether the file is stored before the action. */
  isStored: boolean
  /** Damages or repairs copies before the action. `isKnown`: whether the archive knows of the damage. */
  prepare(kept: ArchiveFixture, target: ReplicaPlace): Promise<void>
  isKnown: boolean
  act(kept: ArchiveFixture, target: ReplicaPlace): Promise<unknown>
}

async function checked({ preservation }: ArchiveFixture, kind: 'missing' | 'checksums'): Promise<void> {
  const { task: check } = await preservation.check({ kind })
  await preservation.ended(check)
}

async function repaired({ repairs }: ArchiveFixture, replica: string): Promise<void> {
  const { found } = await repairs.plan({ name, replica }, never)
  await repairs.repair({ name, replica, expected: sha256Of(good), found }, never)
}

/** Damages the target's copy, so that the check has something to find. */
const harmedBefore = (harm: Harm) => (kept: ArchiveFixture, target: ReplicaPlace) => harm(kept.world.disk, target)
const harmedAndChecked = (harm: Harm) => async (kept: ArchiveFixture, target: ReplicaPlace) => {
  await harm(kept.world.disk, target)
  await checked(kept, 'checksums')
}

/** Actions of the archive under test, by name. */
export const actions = {
  store: {
    isStored: false,
    isKnown: true,
    prepare: async () => undefined,
    act: (kept) => put(kept, archiveFolder, name),
  },
  'check for missing files': {
    isStored: true,
    isKnown: false,
    prepare: harmedBefore(harms['a missing file']),
    act: (kept) => checked(kept, 'missing'),
  },
  'check of checksums': {
    isStored: true,
    isKnown: false,
    prepare: harmedBefore(harms['a flipped byte']),
    act: (kept) => checked(kept, 'checksums'),
  },
  'spot check': {
    isStored: true,
    isKnown: false,
    prepare: harmedBefore(harms['a flipped byte']),
    act: (kept) => kept.spotChecks.run({ files: 9, by: 'user' }),
  },
  'replacing a bad copy': {
    isStored: true,
    isKnown: true,
    prepare: harmedAndChecked(harms['a flipped byte']),
    act: (kept, target) => repaired(kept, target.name),
  },
  'restoring a missing copy': {
    isStored: true,
    isKnown: true,
    prepare: harmedAndChecked(harms['a missing file']),
    act: (kept, target) => repaired(kept, target.name),
  },
  'restoring from the attic': {
    isStored: true,
    isKnown: true,
    async prepare(kept, target) {
      await harmedAndChecked(harms['a flipped byte'])(kept, target)
      await repaired(kept, target.name)
    },
    act: ({ repairs }) => repairs.attic.restore({ id: 1, who: 'user' }, never),
  },
} satisfies Record<string, AuditAction>
export type ActionName = keyof typeof actions
export const everyAction = Object.keys(actions) as ActionName[]

/** One test run: configuration, action, target replica and seed. */
export interface Drive {
  setting: Setting
  action: ActionName
  /** Replica whose copy is damaged or repaired. */
  target: string
  seed: number
}

const archiveFolder = '/archive'

/** The state before the action. */
export interface Scene {
  world: SeededWorld
  store: Store
  kept: ArchiveFixture
  places: ReplicaPlace[]
  target: ReplicaPlace
  action: AuditAction
}

/** Sets up the state before the action, in an empty database. */
export async function sceneOf({ setting, action: which, target: wanted, seed }: Drive, store: Store): Promise<Scene> {
  const world = seededWorld({ seed })
  const places = settings[setting]('/')
  const target = places.find((place) => place.name === wanted)
  if (!target) throw new Error(`there is no replica ${wanted}`)
  const action: AuditAction = actions[which]
  const preparing = filled(world, store, places, archiveFolder, action.isStored).then(async (kept) => {
    await action.prepare(kept, target)
    return kept
  })
  return { world, store, places, target, action, kept: await world.run(preparing) }
}

/** The expected content of the files, and where their sources are. */
export async function askedOf(kept: ArchiveFixture): Promise<Pick<Asked, 'kept' | 'truth' | 'sources'>> {
  const sources = new Map([...truth.keys()].map((file) => [file, sourceOf(archiveFolder, file)]))
  const [entry] = kept.repairs.attic.entries()
  if (!kept.archive.file(restored) || !entry?.where) return { kept, truth, sources }
  const text = Buffer.from(await kept.world.disk.read(entry.where, 1e6)).toString()
  return { kept, truth: new Map([...truth, [restored, text]]), sources: new Map([...sources, [restored, entry.where]]) }
}

export interface Driven {
  positions: number
  /** Number of positions whose final state was checked. */
  ends: number
  sentences: string[]
}

type AtPosition = (scene: Scene, at: number) => Promise<{ isOver: boolean; sentences: string[] } | undefined>

async function driven(drive: Drive, atPosition: AtPosition): Promise<Driven> {
  const sum: Driven = { positions: 0, ends: 0, sentences: [] }
  const store = rewindable(openStore(':memory:'))
  for (let at = 1, isOver = false; !isOver; at += 1) {
    const end = await atPosition(await sceneOf(drive, store), at)
    store.rewind()
    sum.positions += 1
    if (!end) continue
    sum.ends += 1
    sum.sentences.push(...end.sentences.map((each) => `At ${at}: ${each}`))
    isOver = end.isOver
  }
  store.close()
  return sum
}

async function questions(kept: ArchiveFixture, isKnown: boolean): Promise<string[]> {
  return invariants({ ...(await askedOf(kept)), isKnown })
}

/** Waits for an action and ignores faults of the archive; any other error is a bug and is rethrown. */
export async function settled(act: Promise<unknown>): Promise<void> {
  await act.catch((error: unknown) => {
    if (!(error instanceof ArchiveFault)) throw error
  })
}

/** Cuts the power at each call of the world in turn. */
export function powerCuts(drive: Drive): Promise<Driven> {
  const seen = new Set<string>()
  return driven(drive, async ({ world, store, places, kept, target, action }, at) => {
    const whole = await world.runUntilCut(settled(action.act(kept, target)), at)
    const next = world.crash()
    return afterKill(next, store, places, action, seen, whole !== undefined)
  })
}

/** Checks the state after a crash, unless an earlier position left the same state. */
async function afterKill(
  next: SeededWorld,
  store: Store,
  places: ReplicaPlace[],
  { isKnown }: AuditAction,
  seen: Set<string>,
  isOver: boolean,
) {
  const left = await next.run(stateOf(next.disk, store, places))
  if (seen.has(left) && !isOver) return undefined
  seen.add(left)
  const asking = openArchiveFixture({ world: next, store, places, folder: archiveFolder }).then(async (kept) => {
    await recover(kept)
    return questions(kept, isKnown)
  })
  return { isOver, sentences: await next.run(asking) }
}

/** Hash of the database and of everything in the replicas, including temporary files. */
async function stateOf(disk: Disk, store: Store, places: readonly ReplicaPlace[]): Promise<string> {
  const hash = createHash('sha256')
  const tables = store
    .statement<object, { name: string }>(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
    .all({})
  for (const table of tables)
    hash.update(JSON.stringify([table.name, store.statement(`SELECT * FROM "${table.name}"`).all({})]))
  for (const { folder } of places) await hashFolder(disk, folder, hash)
  return hash.digest('hex')
}

async function hashFolder(disk: Disk, folder: string, hash: ReturnType<typeof createHash>): Promise<void> {
  if (!(await disk.stat(folder))) return
  for (const entry of await disk.list(folder)) {
    const path = join(folder, entry.name)
    hash.update(`${path}\n`)
    if (entry.kind === 'folder') await hashFolder(disk, path, hash)
    else hash.update(await disk.read(path, 1e6))
  }
}

/** Makes one replica fail at each of its steps in turn; `stops` is a crash between two steps. */
export function replicaFaults(drive: Drive, victim: string, fault: ReplicaFault): Promise<Driven> {
  const seen = new Set<string>()
  return driven(drive, async ({ world, store, places, kept, target, action }, at) => {
    await world.run(kept.close())
    if (fault.kind === 'damages') await world.run(world.disk.write('/archive/torn', Buffer.from(good.slice(0, 10))))
    let faulty: FaultyReplica | undefined
    const stopped = Promise.withResolvers<void>()
    const acting = openArchiveFixture({
      world,
      store,
      places,
      folder: archiveFolder,
      replicaAt(parts) {
        const inner = parts.place.kind === 'checksums' ? checksumReplica(parts) : folderReplica(parts)
        if (parts.place.name !== victim) return inner
        const { folder, kind } = parts.place
        const damage = (file: string, how: Damage) =>
          damageNow(world, join(folder, kind === 'checksums' ? checksumFileName : file), how)
        faulty = faultyReplica({ inner, clock: world.clock, at, fault, damage })
        void faulty.stopped.then(() => stopped.resolve())
        return faulty
      },
    }).then(async (broken) => {
      await settled(action.act(broken, target))
      await broken.close()
      return broken.bugs
    })
    const bugs = (await world.run(Promise.race([acting, stopped.promise]))) ?? []
    const isOver = (faulty?.steps ?? 0) < at
    if (fault.kind === 'stops') return afterKill(world.crash(), store, places, action, seen, isOver)
    const isKnown = action.isKnown && fault.kind !== 'damages'
    const asking = openArchiveFixture({ world, store, places, folder: archiveFolder }).then((healed) =>
      questions(healed, isKnown),
    )
    return { isOver, sentences: [...bugs.map((bug) => `Bug: ${String(bug)}`), ...(await world.run(asking))] }
  })
}

/** Damages a file at once: the seeded disk carries out a call immediately and only its result is delayed. */
function damageNow({ disk }: SeededWorld, path: string, how: Damage): void {
  try {
    if (how === 'flipped') disk.corrupt(path, 3)
    else if (how === 'lost') void disk.remove(path).catch(() => undefined)
    else void disk.rename('/archive/torn', path).catch(() => undefined)
  } catch (error) {
    // There is no file to damage yet.
    if (!(error instanceof Error)) throw error
  }
}

/** A single failure would be hidden by the retries. */
const asOftenAsTried = replicaRetryRules.retriesMax + 1

/** Failures of one replica's disk, by name. */
export const diskFaults = {
  'an fsync of a file fails': { code: 'failed', calls: ['sync'], times: asOftenAsTried },
  'an fsync of a folder fails': { code: 'failed', calls: ['syncFolder'], times: asOftenAsTried },
  'every fsync from then on fails': { code: 'failed', calls: ['sync', 'syncFolder'] },
  'a rename fails': { code: 'failed', calls: ['rename'] },
  'it is full from then on': { code: 'full', calls: ['append'] },
  'it is read-only from then on': {
    code: 'denied',
    calls: writingCalls,
  },
  'it vanishes': { code: 'failed' },
} satisfies Record<string, Omit<DiskFailure, 'path' | 'after'>>
export type DiskFaultName = keyof typeof diskFaults

/** Makes the disk of one replica fail at each of its calls in turn. */
export function diskFaultsAt(drive: Drive, victim: string, fault: DiskFaultName): Promise<Driven> {
  return driven(drive, async ({ world, kept, places, target, action }, at) => {
    const folder = places.find((place) => place.name === victim)?.folder ?? ''
    const heal = world.disk.fail({ ...diskFaults[fault], path: new RegExp(`^${folder}(/|$)`), after: at - 1 })
    await world.run(settled(action.act(kept, target)))
    const isOver = heal() === 0
    return { isOver, sentences: await world.run(questions(kept, action.isKnown)) }
  })
}
