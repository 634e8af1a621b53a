/** Bit preservation on the command line, for curators: new copies are fine until their first check is due, damage is reported with
 *  the replica that has the good copy, reports are written but never overwritten, and an edited audit log is detected. */
import { appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { loupeHere } from '../loupeProcess.ts'
import { harvestedMuseum, type Harvested } from './harvested.ts'

let made: Harvested
beforeAll(async () => {
  made = await harvestedMuseum()
})
afterAll(() => made.close())
const preserve = (...words: string[]) => loupeHere('--archive', made.archive, 'preserve', ...words)

test('new copies are fine until their first check is due', async () => {
  const before = await preserve('status')
  const due = /4 new copies, verified when stored: first check due by 20\d\d-\d\d-\d\d\./
  expect([before.code, before.stdout]).toEqual([0, expect.stringMatching(due)])
  expect((await preserve('checksums')).code).toBe(0)
  const after = await preserve('status')
  expect([after.code, after.stdout]).toEqual([0, expect.not.stringMatching(/first check/)])
})

test('a report never overwrites a file', async () => {
  const folder = join(made.folder, 'reports')
  await mkdir(folder)
  for (const format of ['html', 'csv', 'json'])
    expect((await preserve('report', '--format', format, folder)).code).toBe(0)
  const names = await readdir(folder)
  expect(names.map((name) => name.replace(/\d/g, '0')).toSorted()).toEqual(['csv', 'html', 'json'].map((format) => `preservation-0000-00-00.${format}`)) // prettier-ignore
  const path = join(folder, 'mine.html')
  expect((await preserve('report', path)).code).toBe(0)
  const text = await readFile(path, 'utf8')
  expect(text).toMatch(/^<!doctype html>[^]*NDSA level of integrity: \d[^]*<\/html>\n$/)
  const again = await preserve('report', path)
  expect([again.code, again.stderr]).toEqual([4, expect.stringMatching(/mine\.html exists/)])
  expect(await readFile(path, 'utf8')).toBe(text)
  const nowhere = await preserve('report', join(folder, 'none/x.html'))
  expect([nowhere.code, nowhere.stderr]).toEqual([3, expect.stringMatching(/There is no folder/)])
})

test('damage is found by a spot check, named by a check, and reported with votes and affected captures', async () => {
  await appendFile(join(made.archive, 'replicas/TWO', made.file), 'x')
  const spot = await preserve('spot')
  expect([spot.code, spot.stdout]).toEqual([1, expect.stringMatching(/have different bytes: check the checksums/)])
  expect((await preserve('checksums')).code).toBe(1)
  const status = await preserve('status')
  expect([status.code, status.stdout]).toEqual([1, expect.stringContaining(`${made.file}: Good in ONE. Damaged in TWO.`)]) // prettier-ignore
  expect((await preserve('status', '--replica', 'ONE')).code).toBe(0)
  const affected = await preserve('affected', made.file)
  expect([affected.code, affected.stdout]).toEqual([0, expect.stringMatching(/good in ONE.*\n.*\n\d+ captures of 2 domains;/)]) // prettier-ignore
  expect((await preserve('affected', 'none.warc')).code).toBe(3)
})

test('the history of each replica and of one file shows when the damage was found', async () => {
  const history = await preserve('history')
  expect([history.code, history.stdout]).toEqual([0, expect.stringMatching(/ONE: the last 3 events[^]*checksum check (\d+) .* 0 {2}done\n\nTWO: [^]*spot check \d+ .* 1 {2}done, with findings\n.*checksum check \1 .* 1 {2}done, with findings/)]) // prettier-ignore
  const only = await preserve('history', '--replica', 'TWO', '--json')
  const one = z.object({ replicas: z.array(z.object({ replica: z.string(), events: z.array(z.unknown()) })) })
  expect(one.parse(JSON.parse(only.stdout)).replicas.map(({ replica, events }) => [replica, events.length])).toEqual([['TWO', 3]]) // prettier-ignore
  expect((await preserve('history', '--replica', 'THREE')).code).toBe(3)
  const file = await preserve('file', made.file)
  expect([file.code, file.stdout]).toEqual([1, expect.stringMatching(/TWO +stored +(?:damaged|wrong checksum)[^]*TWO +wrong length \([\d,]+ bytes\)[^]*TWO +verified[^]*TWO +stored and verified[^]*Problem found[^]*File stored\n$/)]) // prettier-ignore
  const told = await preserve('file', made.file, '--json')
  const observations = z.object({ observations: z.array(z.object({ replica: z.string(), seen: z.string() })) })
  const seen = observations.parse(JSON.parse(told.stdout)).observations.filter(({ replica }) => replica === 'TWO')
  expect(seen.map((row) => row.seen)).toEqual(['wrongLength', 'right', 'stored'])
  expect((await preserve('file', 'none.warc')).code).toBe(3)
})

test('a file name with terminal control characters is printed harmlessly', async () => {
  const name = 'evil\u001b[2J\nname'
  await writeFile(join(made.archive, 'replicas/ONE', name), 'x')
  const told = { missing: await preserve('missing'), status: await preserve('status') }
  for (const { code, stdout } of Object.values(told)) {
    expect([code, stdout]).toEqual([1, expect.stringContaining('evil\\u001b[2J\\u000aname')])
    expect(stdout).not.toContain('\u001b')
  }
  await rm(join(made.archive, 'replicas/ONE', name))
})

test('a spot check that a replica could not answer proves nothing', async () => {
  const [there, away] = ['replicas/TWO', 'away'].map((name) => join(made.archive, name))
  await rename(there ?? '', away ?? '')
  const [spot, status] = [await preserve('spot'), await preserve('status')]
  await rename(away ?? '', there ?? '')
  expect([status.code, status.stdout]).toEqual([
    1,
    expect.stringMatching(/TWO.*cannot be used now: .*connect its drive/),
  ])
  expect([spot.code, spot.stdout]).toEqual([1, expect.stringMatching(/only one replica could be asked.*connect its drive/)]) // prettier-ignore
})

test('an edited or truncated audit log does not verify', async () => {
  expect((await preserve('audit', '--verify')).code).toBe(0)
  const database = join(made.archive, 'loupe.db')
  const whole = await readFile(database)
  const tampered = async (sql: string) => {
    const raw = new Database(database)
    raw.pragma('journal_mode = DELETE')
    raw.exec(`DROP TRIGGER audit_is_not_changed; DROP TRIGGER audit_is_not_removed; ${sql}`)
    raw.close()
    const { code, stdout } = await loupeHere('--archive', made.archive, '--json', 'preserve', 'audit', '--verify')
    await writeFile(database, whole)
    return [code, z.object({ message: z.object({ text: z.string() }) }).parse(JSON.parse(stdout)).message.text]
  }
  expect(await tampered(`UPDATE audit SET who = 'nobody' WHERE number = 2`)).toEqual([1, expect.stringMatching(/Entry 2 was changed/)]) // prettier-ignore
  expect(await tampered(`DELETE FROM audit WHERE number = 2`)).toEqual([1, expect.stringMatching(/Entry 2 is missing/)]) // prettier-ignore
  expect(await tampered(`DELETE FROM audit WHERE number > 4`)).toEqual([1, expect.stringMatching(/entries at the end were removed/)]) // prettier-ignore
  expect((await preserve('audit', '--verify')).code).toBe(0)
  const shown = await preserve('audit', '--limit', '2')
  expect(shown.stdout.split('\n')).toHaveLength(5)
})
