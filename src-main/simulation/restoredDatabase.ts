/** Restores an earlier state of the database in the middle of a harvest, under the files that were written since. The harvest continues to
 *  its end, and the rest is recovered from the files. No capture may be lost and no file of a replica changed. It uses a copy of the
 *  machine, so the scenario itself continues unaffected. */
import { textOf } from '../contract/words/render.ts'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openArchive } from '../archive/store/archive.ts'
import { openJobs } from '../crawl/crawl.ts'
import { recover } from '../crawl/recover/recover.ts'
import { sourceOf } from '../formats/bytes/testing/sourceOf.ts'
import { readRecords } from '../formats/records/readRecords.ts'
import { recordField } from '../formats/records/record.ts'
import type { Store } from '../storage/storage.ts'
import type { World } from '../world/world.ts'
import { checksumReplica, quarantineFolder, replicas, type Evidence } from './evidence.ts'
import { jobUnended } from './invariants.ts'
import { runHarvest, type HarnessSetting } from './harness.ts'
import { undisturbed, type Restored } from './plan.ts'

/** Called after each power cut: copies the database at one of them, and restores the copy at a later one. Returns violations as sentences. */
export function restoring(
  setting: Omit<HarnessSetting, 'examine'>,
  { takenAt, restoredAt }: Restored,
): (evidence: Evidence) => Promise<string[]> {
  let cuts = 0
  let snapshot: Uint8Array | undefined
  return async (evidence) => {
    const cut = cuts
    cuts += 1
    if (cut === takenAt) snapshot = copyOf(evidence.store, setting.folder)
    if (cut !== restoredAt || !snapshot) return []
    const folder = join(setting.folder, 'restored')
    mkdirSync(folder)
    const findings = await goOn({ ...setting, folder }, evidence, snapshot)
    return findings.map((finding) => `With the database of an earlier state: ${finding}`)
  }
}

/** Copies the database into a single file and reads that. */
function copyOf(store: Store, folder: string): Uint8Array {
  const path = join(folder, 'snapshot.db')
  store.statement<{ path: string }>('VACUUM INTO @path').run({ path })
  const bytes = readFileSync(path)
  rmSync(path)
  return bytes
}

/** Continues the harvest on a copy of the machine with the earlier database, and compares the files before and
 *  after. */
async function goOn(
  setting: Omit<HarnessSetting, 'examine'>,
  { world: before, store: newer, job }: Evidence,
  database: Uint8Array,
): Promise<string[]> {
  const files = await before.run(filesBelow(before, ['/archive', '/replicas']))
  const captured = await recordIdsIn(files, committedIn(newer))
  const run = await runHarvest({
    ...setting,
    options: { ...setting.options, furtherRuns: [] },
    plan: undisturbed,
    from: { files, database, job, startMs: before.clock.now() },
    examine: () => Promise.resolve(),
  })
  try {
    const problems = await recovered(run)
    const after = await run.world.run(filesBelow(run.world, ['/archive', '/replicas']))
    const kept = await recordIdsIn(after, () => Infinity)
    return [
      ...run.bugs,
      ...problems,
      ...jobUnended(run.store, job),
      ...changed(files, after),
      ...unknownTo(run.store, after),
      ...[...captured].filter((id) => !kept.has(id)).map((id) => `The record ${id} was captured and is nowhere.`),
    ]
  } finally {
    run.store.close()
  }
}

/** `loupe recover`, without the files in quarantine, which it imports as a job of their own. */
async function recovered({ world, store }: Evidence): Promise<string[]> {
  const { signal } = new AbortController()
  const act = async () => {
    const archive = await openArchive({ store, world, replicas: [...replicas, checksumReplica] })
    const parts = { store, world, archive, quarantineFolder, signal, jobs: openJobs(store, world) }
    return recover(parts, { signal, onProgress: () => undefined })
  }
  const { problems } = await world.run(act())
  return problems.map(({ name, message }) => `Not recovered: ${name}: ${textOf(message)}`)
}

type Files = ReadonlyMap<string, Uint8Array>

async function filesBelow(world: World, folders: readonly string[]): Promise<Files> {
  const files = new Map<string, Uint8Array>()
  for (const folder of folders) {
    if (!(await world.disk.stat(folder))) continue
    for (const { name, kind } of await world.disk.list(folder)) {
      const path = join(folder, name)
      if (kind === 'file') files.set(path, await world.disk.read(path, fileBytesMax))
      if (kind === 'folder') for (const [below, bytes] of await filesBelow(world, [path])) files.set(below, bytes)
    }
  }
  return files
}

/** Many times the size of a generated site. */
const fileBytesMax = 100_000_000

/** Bytes of an open file that the database counts; the rest was written just before the power cut. */
function committedIn(store: Store): (path: string) => number {
  const row = store.statement<{ name: string }, { bytes: number }>(
    'SELECT committed_bytes AS bytes FROM harvest_file WHERE name = @name',
  )
  return (path) => {
    const name = /([^/]+)\.open$/.exec(path)?.[1]
    return name === undefined ? Infinity : (row.get({ name })?.bytes ?? 0)
  }
}

/** Captures in all WARC files on the disk. */
async function recordIdsIn(files: Files, bytesOf: (path: string) => number): Promise<Set<string>> {
  const ids = new Set<string>()
  for (const [path, bytes] of files) {
    if (!/\.warc\.gz(\.open)?([^/]*)$/.test(path)) continue
    const counted = bytes.subarray(0, Math.min(bytes.length, bytesOf(path)))
    for await (const record of readRecords(sourceOf(counted), { onFinding: () => undefined })) {
      const { whole } = await record.finish()
      const id = recordField(record, 'warc-record-id')
      if (whole && id !== undefined && (record.type === 'response' || record.type === 'revisit')) ids.add(id)
    }
  }
  return ids
}

/** Every file of a replica is still there and unchanged. The list of a replica of checksums grows. */
function changed(before: Files, after: Files): string[] {
  return [...before]
    .filter(([path]) => replicas.some(({ folder }) => path.startsWith(`${folder}/`)) && !/\/\.[^/]*$/.test(path))
    .filter(([path, bytes]) => Buffer.compare(after.get(path) ?? Buffer.alloc(0), bytes) !== 0)
    .map(([path]) => `${path} is not what it was.`)
}

/** Every file of a replica must be in the catalogue by then. */
function unknownTo(store: Store, files: Files): string[] {
  const known = store.statement<{ name: string }, { id: number }>('SELECT id FROM archive_file WHERE name = @name')
  return [...files.keys()]
    .filter((path) => replicas.some(({ folder }) => path.startsWith(`${folder}/`)))
    .map((path) => path.slice(path.lastIndexOf('/') + 1))
    .filter((name) => !name.startsWith('.') && known.get({ name }) === undefined)
    .map((name) => `${name} is in a replica, and the catalogue does not know it.`)
}
