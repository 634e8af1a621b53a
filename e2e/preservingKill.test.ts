/** Stores, checks and repairs on the command line are killed with kill -9 at twenty moments; each time the next
 *  commands report what is wrong and repair it. The conditions are those of `src-main/archive/faults.test.ts`,
 *  here after real kills on a real disk. Commands that are not killed run in this process. Each
 *  kill follows the observed start of the action after a delay, so that it does not depend on the speed of the
 *  machine; the delay derives from a seed, which the test prints. */

import { createHash } from 'node:crypto'
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { archiveStatus } from '../src-main/contract/services/archiveStatus.ts'
import { checkSummary, preservationFinding } from '../src-main/contract/services/checks.ts'
import { initArchive, loupeHere, startLoupe } from './loupeProcess.ts'
import { sampleOf, sampleSeed } from '../src-main/world/testing/sample.ts'

const killsCount = 20
const seed = Number(process.env['LOUPE_SEED'] ?? sampleSeed)
/** Large enough that kills come in the middle of a copy. */
const fileBytes = 20_000_000
const replicas = ['ONE', 'TWO']
const checked = checkSummary.extend({ findings: z.array(preservationFinding) })

let folder: string
let archive: string
/** The checksum of each stored file, by name. */
const truth = new Map<string, string>()
/** For each kind of action, the number of kills in the middle of it. */
const hits = new Map<string, number>()

const inReplica = (replica: string, name: string) => join(archive, 'replicas', replica, name)
const run = (...words: string[]) => loupeHere('--archive', archive, '--json', ...words)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-preserving-kill-'))
  archive = await initArchive(join(folder, 'archive'))
  await made('first.warc', 1)
  expect((await run('upload', join(folder, 'first.warc'))).code).toBe(0)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function made(name: string, number: number): Promise<void> {
  const bytes = Buffer.alloc(fileBytes, `file ${number} of those that are killed. `)
  await writeFile(join(folder, name), bytes)
  truth.set(name, createHash('sha256').update(bytes).digest('hex'))
}

async function checksumOf(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
}

/** The checksum of every file in the replicas and their attics, by path, except files that are being written. */
async function storedChecksums(): Promise<Map<string, string>> {
  const checksums = new Map<string, string>()
  for (const replica of replicas)
    for (const entry of await readdir(join(archive, 'replicas', replica), { withFileTypes: true, recursive: true }))
      if (entry.isFile() && !entry.name.startsWith('.')) {
        const path = join(entry.parentPath, entry.name)
        checksums.set(path, await checksumOf(path))
      }
  return checksums
}

async function damaged(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.write('!', 12_345)
  await file.close()
}

interface KilledAction {
  what: string
  prepare: (index: number) => Promise<void>
  words: (index: number) => string[]
  /** Something that is only there when it has begun. */
  traces: (index: number) => Promise<number>
}

/** Matches paths of copies, in progress or complete. */
const copiesOf =
  (...names: string[]) =>
  async (): Promise<number> => {
    const lists = await Promise.all(replicas.map((replica) => readdir(join(archive, 'replicas', replica))))
    return lists.flat().filter((entry) => names.some((name) => entry.includes(name))).length
  }

async function rowsIn(table: string): Promise<number> {
  const database = new Database(join(archive, 'loupe.db'), { readonly: true })
  try {
    return database.prepare(`SELECT COUNT(*) FROM ${table}`).pluck().get() as number
  } finally {
    database.close()
  }
}

const actions: KilledAction[] = [
  {
    what: 'a store',
    prepare: (index) => made(`file${index}.warc`, index),
    words: (index) => ['upload', join(folder, `file${index}.warc`)],
    traces: (index) => copiesOf(`file${index}.warc`)(),
  },
  {
    what: 'a check',
    prepare: () => damaged(inReplica('TWO', 'first.warc')),
    words: () => ['preserve', 'checksums'],
    traces: () => rowsIn('preservation_check'),
  },
  {
    what: 'a repair of a bad copy',
    async prepare() {
      await damaged(inReplica('ONE', 'first.warc'))
      expect((await run('preserve', 'checksums')).code).toBe(1)
    },
    words: () => ['preserve', 'repair', '--yes-i-have-checked'],
    traces: () => rowsIn('attic'),
  },
  {
    what: 'a repair of a missing copy',
    async prepare() {
      await rm(inReplica('TWO', 'first.warc'))
      expect((await run('preserve', 'missing')).code).toBe(1)
    },
    words: () => ['preserve', 'repair', '--yes-i-have-checked'],
    traces: copiesOf('first.warc'),
  },
]
// All actions after a store examine what it left, so stores come last.
const all = Array.from({ length: killsCount }, (_, index) => ({ index, ...actions[index % actions.length]! }))
// Always the first of each kind, which the last test needs.
const rows = [...all.slice(0, actions.length), ...sampleOf(all.slice(actions.length), 4)].toSorted(
  (one, other) => Number(one.what === 'a store') - Number(other.what === 'a store'),
)

test.each(rows)(`kill ${seed}/$index of $what`, async ({ index, what, prepare, words, traces }) => {
  await prepare(index)
  const before = await storedChecksums()
  const tracesBefore = await traces(index)
  const killed = startLoupe(['--archive', archive, '--json', ...words(index)])
  let isOver = false
  void killed.ended.then(() => (isOver = true))
  while (!isOver && (await traces(index)) === tracesBefore) await sleep(1)
  // The first of each kind at once, the others up to where it would about have ended.
  if (index >= actions.length) await Promise.race([sleep((seed * 31 + index * 97) % 150), killed.ended])
  killed.child.kill('SIGKILL')
  if ((await killed.ended).code === null) hits.set(what, (hits.get(what) ?? 0) + 1)
  // Every good copy is unchanged, and no file is lost.
  const after = await storedChecksums()
  expectKept(before, after)

  // No bad copy counts as good, and each problem is reported.
  const check = checked.parse(JSON.parse((await run('preserve', 'checksums')).stdout))
  expect(check.state).toBe(check.findings.length === 0 ? 'DONE' : 'DONE_WITH_FINDINGS')
  const status = archiveStatus.parse(JSON.parse((await run('preserve', 'status')).stdout))
  const [card] = status.replicas
  // A kill may come before the file was registered. Then no command has reported it as stored.
  const unheardOf = card && card.files + card.notStored < truth.size ? `file${index}.warc` : undefined
  const bad = [...truth].flatMap(([name, sha256]) =>
    replicas
      .filter((replica) => name !== unheardOf && after.get(inReplica(replica, name)) !== sha256)
      .map((replica) => ({ replica, name })),
  )
  if (bad.length > 0) expect(status.fine).toBe(false)
  for (const { replica, name } of bad) {
    const isFound = status.findings.some((row) => row.replica === replica && row.name === name)
    const row = status.replicas.find((each) => each.replica === replica)
    const isUnknown = row !== undefined && row.notStored > 0
    expect([replica, name, isFound || isUnknown]).toEqual([replica, name, true])
    const got = await run('get-file', name, join(folder, 'got'), '--replica', replica)
    expect([replica, name, got.code === 0]).toEqual([replica, name, false])
  }
  const got = await run('get-file', 'first.warc', join(folder, 'got'))
  expect([got.code, await checksumOf(join(folder, 'got'))]).toEqual([0, truth.get('first.warc')])

  // Repair restores every bit, and a user who still has the file may store it again.
  const repaired = await run('preserve', 'repair', '--yes-i-have-checked')
  expect([repaired.code, repaired.stderr]).toEqual([0, expect.anything()])
  if (words(index)[0] === 'upload') expect((await run(...words(index))).code).toBe(0)
  const mended = await storedChecksums()
  for (const [name, sha256] of truth)
    for (const replica of replicas)
      expect([replica, name, mended.get(inReplica(replica, name))]).toEqual([replica, name, sha256])
  expectKept(after, mended)
  expect((await run('preserve', 'checksums')).code).toBe(0)
})

/** Every checksum is still there: a good one where it was, a bad one there or in the attic. */
function expectKept(before: Map<string, string>, after: Map<string, string>): void {
  const good = new Set(truth.values())
  const all = new Set(after.values())
  for (const [path, sha256] of before) expect([path, good.has(sha256) ? after.get(path) : all.has(sha256)]).toEqual([path, good.has(sha256) ? sha256 : true]) // prettier-ignore
}

test('finally no check has findings, and the audit log verifies', async () => {
  expect((await run('preserve', 'missing')).code).toBe(0)
  expect((await run('preserve', 'status')).code).toBe(0)
  expect((await run('preserve', 'audit', '--verify')).code).toBe(0)
})

/** Were they all too late, the tests above would say nothing. */
test.each(actions)('one kill at least came in the middle of $what', ({ what }) => {
  expect(hits.get(what) ?? 0).toBeGreaterThan(0)
})
