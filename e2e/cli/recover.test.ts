/** A lost database on the command line: the files in the replicas are found, `loupe recover` restores the database from them, and the
 *  archive works as before. */
import { copyFile, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loupeHere } from '../loupeProcess.ts'
import { harvestedMuseum, harvestOf, type Harvested } from './harvested.ts'

let museum: Harvested
const ask = async (...words: string[]) => {
  const { code, stdout, stderr } = await loupeHere('--archive', museum.archive, '--json', ...words)
  return { code, stderr, answer: stdout === '' ? undefined : (JSON.parse(stdout) as Record<string, unknown>) }
}
interface JobShown {
  harvest: string
  status: string
  documents: object
  bytes: number
}
const shownJob = async (job: number) => (await ask('jobs', String(job))).answer as unknown as JobShown
let before: JobShown

beforeAll(async () => {
  museum = await harvestedMuseum()
  before = await shownJob(1)
  for (const name of await readdir(museum.archive))
    if (/^loupe\.db/.test(name)) await rename(join(museum.archive, name), join(museum.folder, name))
})
afterAll(() => museum.close())

test('recover restores jobs, documents and files', async () => {
  const { code, stderr, answer } = await ask('recover')
  expect(code, stderr).toBe(0)
  expect(answer).toMatchObject({ state: 'DONE', jobs: [1], problems: [], importJob: null })
  expect(answer?.['registered']).toBe(
    (await readdir(join(museum.archive, 'replicas/ONE'))).filter(isArchiveFile).length,
  )
  const { harvest, status, documents, bytes } = before
  expect(await shownJob(1)).toMatchObject({ harvest, status, documents, bytes })
})

test('the audit log verifies, and names the file that vouches for the lost log', async () => {
  const { code, answer, stderr } = await ask('preserve', 'audit', '--verify')
  expect(code, stderr).toBe(0)
  expect(answer).toMatchObject({ whole: true, witness: { state: 'agrees' } })
  expect(JSON.stringify((await ask('preserve', 'audit')).answer)).toContain('loupe.audit.before-recovery-')
  expect(
    (await readdir(museum.archive)).filter((name) => name.startsWith('loupe.audit.before-recovery-')),
  ).toHaveLength(1)
})

test('the next harvest has the next number, and every replica is correct', async () => {
  const { code, stderr } = await ask(...harvestOf(museum.site))
  expect(code, stderr).toBe(0)
  expect(await shownJob(2)).toMatchObject({ status: before.status })
  expect((await ask('preserve', 'checksums')).code).toBe(0)
  expect((await ask('recover')).answer).toMatchObject({ state: 'DONE', filesTotal: 0, registered: 0 })
})

test('a harvest with an older database reports that, and where it moved files that no replica has', async () => {
  const at = (name: string) => join(museum.archive, name)
  const yesterday = join(museum.folder, 'yesterday.db')
  const unplugged = join(museum.folder, 'unplugged')
  await copyFile(at('loupe.db'), yesterday)
  await rename(at('replicas'), unplugged)
  expect((await ask(...harvestOf(museum.site))).code).toBe(1)
  const waiting = (await readdir(at('jobs/3'))).filter((name) => name.endsWith('-loupe.warc.gz'))
  expect(waiting).toHaveLength(1)

  await rename(unplugged, at('replicas'))
  for (const name of await readdir(museum.archive)) if (/^loupe\.db/.test(name)) await rm(at(name))
  await copyFile(yesterday, at('loupe.db'))
  const { code, stderr } = await ask(...harvestOf(museum.site))
  expect(code, stderr).toBe(0)
  expect(stderr).toContain('The database is older than the files of this archive')
  expect(stderr).toMatch(new RegExp(`${waiting[0]}.*moved to .*quarantine.*Run "loupe recover"`))
  expect((await ask('preserve', 'missing')).code).toBe(1)

  expect((await ask('recover')).answer).toMatchObject({ state: 'DONE', problems: [] })
  expect(await readdir(at('replicas/ONE'))).toEqual(expect.arrayContaining(waiting))
  expect((await ask('preserve', 'missing')).code).toBe(0)
})

test('a second loss is recovered like the first', async () => {
  for (const name of await readdir(museum.archive)) if (/^loupe\.db/.test(name)) await rm(join(museum.archive, name))
  await ask('recover')
  expect((await ask('preserve', 'status')).answer).toMatchObject({ outside: { unknownTotal: 0, waitingTotal: 0 } })
})

const isArchiveFile = (name: string) => /\.warc(\.gz)?$/.test(name)
