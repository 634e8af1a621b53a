/** Repair on the command line, for curators: every condition is shown, a wrong checksum is refused and changes nothing, the bad bytes
 *  are kept in the attic, and the audit log records all of it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, watch } from 'node:fs'
import { createHash } from 'node:crypto'
import { appendFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { loupeHere, startLoupe } from '../loupeProcess.ts'
import { harvestedMuseum, type Harvested } from './harvested.ts'

let made: Harvested
let good: Buffer
beforeAll(async () => {
  made = await harvestedMuseum()
  good = await readFile(copyIn('ONE'))
})
afterAll(() => made.close())
const copyIn = (replica: string) => join(made.archive, 'replicas', replica, made.file)
const preserve = (...words: string[]) => loupeHere('--archive', made.archive, 'preserve', ...words)
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const repaired = z.object({ copies: z.array(z.object({ state: z.string(), attic: z.number().nullable() })) })

/** Runs a command with this line as the user's input. */
async function answered(line: string, ...words: string[]) {
  const main = join(import.meta.dirname, '../../src-main/shells/cli/cli.ts')
  const child = spawn(process.execPath, [main, '--archive', made.archive, ...words], { stdio: 'pipe' })
  child.stdin.end(line)
  const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr), once(child, 'exit')])
  return { code: child.exitCode, stdout, stderr }
}

let bad: Buffer
beforeEach(async () => {
  await appendFile(copyIn('TWO'), 'x')
  bad = await readFile(copyIn('TWO'))
  const checked = await preserve('checksums')
  expect([checked.code, checked.stdout]).toEqual([1, expect.stringMatching(/wrong (length|checksum)[^]*"loupe preserve repair"/)]) // prettier-ignore
})

test('a wrong expected checksum is refused, the right one repairs, and the attic returns the damaged bytes', async () => {
  const wrong = await preserve('repair', '--expected', sha256(bad))
  expect([wrong.code, wrong.stderr]).toEqual([
    4,
    expect.stringMatching(/is not the registered one\. Nothing was changed/),
  ])
  expect(wrong.stdout).toMatch(
    /\[x\] The copy in replica ONE was just read and has the registered checksum[^]*\[!\] The expected checksum/,
  )
  expect(await readFile(copyIn('TWO'))).toEqual(bad)
  const typed = await preserve('repair', '--expected', 'abc')
  expect([typed.code, typed.stderr]).toEqual([2, expect.stringMatching(/64 digits/)])

  const asked = await answered(
    `${sha256(good).slice(1)}\n${sha256(good).toUpperCase()}\n`,
    '--json',
    'preserve',
    'repair',
    '--replica',
    'TWO',
  )
  expect([asked.code, repaired.parse(JSON.parse(asked.stdout))]).toEqual([
    0,
    { copies: [{ state: 'REPAIRED', attic: 1 }] },
  ])
  expect(asked.stderr).toMatch(/\[ \] Enter or confirm the checksum that the file should have[^]*Type the SHA-256/)
  expect(asked.stderr).toMatch(/in replica TWO, copy 1 of 1: [^]*what was typed has 63 characters\. Type it again/)
  expect(asked.stderr).toMatch(/To confirm, type the checksum, or use --expected/)
  expect(await readFile(copyIn('TWO'))).toEqual(good)
  expect((await preserve('checksums')).code).toBe(0)
  expect((await preserve('repair')).stdout).toMatch(/No known damage/)

  const attic = await preserve('attic')
  expect([attic.code, attic.stdout]).toEqual([0, expect.stringContaining(sha256(bad))])
  const taken = await preserve('attic', 'restore', '1', '--as', made.file)
  expect([taken.code, taken.stderr]).toEqual([4, expect.stringMatching(/already has a different file named/)])
  expect((await preserve('attic', 'restore', '9')).code).toBe(3)
  expect((await preserve('attic', 'restore', '1', '--as', 'damaged.warc.gz')).code).toBe(0)
  expect(await readFile(join(made.archive, 'replicas/ONE/damaged.warc.gz'))).toEqual(bad)
  const trail = (await preserve('audit')).stdout
  for (const action of ['Repair refused', 'Copy moved to the attic', 'Copy repaired', 'Attic entry restored'])
    expect(trail).toContain(action)
  expect((await preserve('audit', '--verify')).code).toBe(0)
})

test('an unreadable copy is set aside only on request, and unchanged', async () => {
  await rm(copyIn('TWO'))
  await mkdir(copyIn('TWO'))
  const repair = ['repair', '--replica', 'TWO', '--yes-i-have-checked']
  const refused = await preserve(...repair)
  expect([refused.code, refused.stderr]).toEqual([4, expect.stringMatching(/cannot be read .* --set-aside-unread/)])
  expect((await stat(copyIn('TWO'))).isDirectory()).toBe(true)
  const done = await preserve(...repair, '--set-aside-unread')
  expect([done.code, done.stdout]).toEqual([0, expect.stringMatching(/cannot be read.* This was confirmed/)])
  expect(await readFile(copyIn('TWO'))).toEqual(good)
  const attic = (await preserve('attic')).stdout
  expect(attic).toContain('could not be read')
  const entry = /^ *(\d+) .*could not be read/m.exec(attic)?.[1] ?? ''
  const restored = await preserve('attic', 'restore', entry)
  expect([restored.code, restored.stderr]).toEqual([4, expect.stringMatching(/^Entry \d+ cannot be restored: .*Copy what can be read from .*loupe upload/)]) // prettier-ignore
})

test('no expected checksum given; an empty line; a vouching user; no good copy left', async () => {
  const unanswered = await answered('', 'preserve', 'repair')
  expect([unanswered.code, unanswered.stderr]).toEqual([
    4,
    expect.stringMatching(/give --expected, or --yes-i-have-checked/),
  ])
  // Repairs that need no confirmation still run, and run first: the metadata file is missing.
  const lost = join(dirname(copyIn('TWO')), '1-metadata-1.warc')
  await rm(lost)
  expect((await preserve('missing')).code).toBe(1)
  const unattended = await answered('', '--json', 'preserve', 'repair')
  expect([unattended.code, repaired.parse(JSON.parse(unattended.stdout))]).toEqual([
    4,
    {
      copies: [
        { state: 'REPAIRED', attic: null },
        { state: 'REFUSED', attic: null },
      ],
    },
  ])
  expect(await readFile(lost)).toEqual(await readFile(join(dirname(copyIn('ONE')), '1-metadata-1.warc')))
  expect(await readFile(copyIn('TWO'))).toEqual(bad)
  const left = await answered('\n', 'preserve', 'repair')
  expect([left.code, left.stdout]).toEqual([1, expect.stringMatching(/was left unchanged/)])
  expect(left.stdout).not.toMatch(/\[.\]/)
  expect(await readFile(copyIn('TWO'))).toEqual(bad)

  await rm(copyIn('ONE'))
  const none = await preserve('repair', '--yes-i-have-checked')
  expect([none.code, none.stdout]).toEqual([4, expect.stringMatching(/\[!\] No other replica has a good copy/)])
  expect(await readFile(copyIn('TWO'))).toEqual(bad)
  const nowhere = await preserve('repair', '--replica', 'NINE')
  expect([nowhere.code, nowhere.stderr]).toEqual([3, expect.stringMatching(/There is no replica "NINE"/)])
})

/** Kills a repair at its `change`-th change in the folder of replica TWO or its attic. Returns whether it was killed before its end. */
async function isKilledAtChange(change: number): Promise<boolean> {
  const folders = [dirname(copyIn('TWO')), join(dirname(copyIn('TWO')), 'attic')]
  const killed = startLoupe(['--archive', made.archive, 'preserve', 'repair', '--yes-i-have-checked'])
  let changes = 0
  const watchers = folders.filter(existsSync).map((folder) =>
    watch(folder, () => {
      changes += 1
      if (changes >= change) killed.child.kill('SIGKILL')
    }),
  )
  const { code } = await killed.ended
  for (const watcher of watchers) watcher.close()
  return code === null
}

test('a repair that is killed at any time is finished by the next; serve finishes interrupted ones', async () => {
  // The previous test removed it.
  await writeFile(copyIn('ONE'), good)
  // Each kill comes one change later than the previous one. A kill after the end of the repair does not count.
  let hits = 0
  for (let tries = 0; hits < 3 && tries < 20; tries += 1) {
    if ((await readFile(copyIn('TWO')).catch(() => undefined))?.equals(good)) {
      await writeFile(copyIn('TWO'), bad)
      expect((await preserve('checksums')).code).toBe(1)
    }
    hits += (await isKilledAtChange(1 + hits)) ? 1 : 0
    expect(await readFile(copyIn('ONE'))).toEqual(good)
  }
  expect(hits).toBe(3)
  expect((await preserve('repair', '--yes-i-have-checked')).code).toBe(0)
  expect(await readFile(copyIn('TWO'))).toEqual(good)

  // The state after a kill between moving the bad copy and its entry.
  const attic = join(made.archive, 'replicas/TWO/attic')
  await writeFile(join(attic, `${made.file}.${sha256(bad).slice(0, 8)}.99`), bad)
  await rm(copyIn('TWO'))
  const database = new Database(join(made.archive, 'loupe.db'))
  database.exec(`INSERT INTO attic (file_id, replica, sha256, bytes, who, reason, begun_ms)
    SELECT id, 'TWO', '${sha256(bad)}', ${bad.length}, 'user', '', 0 FROM archive_file WHERE name = '${made.file}'`)
  database.close()
  const serving = startLoupe(['--archive', made.archive, 'serve', '--port', '0'])
  await expect.poll(() => readFile(copyIn('TWO')).catch(() => undefined)).toEqual(good)
  serving.child.kill('SIGINT')
  await serving.ended
  const entries = z.object({ entries: z.array(z.object({ state: z.string(), where: z.string() })) })
  const shown = await loupeHere('--archive', made.archive, '--json', 'preserve', 'attic')
  expect(entries.parse(JSON.parse(shown.stdout)).entries[0]).toMatchObject({ state: 'kept', where: expect.stringMatching(/\.99$/) as string }) // prettier-ignore
})
