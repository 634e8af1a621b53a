/** Copies that were never stored, missing replicas and full replicas: none of them results in "0 findings". */
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { initArchive, loupeHere } from '../loupeProcess.ts'
import { mountDrive } from '../mountedDrive.ts'
import { harvestedMuseum, harvestOf, type Harvested } from './harvested.ts'

let made: Harvested
beforeAll(async () => {
  made = await harvestedMuseum()
})

const [drive, full] = [await mountDrive(), await mountDrive({ size: '20m' })]
afterAll(async () => {
  await drive?.remove()
  await full?.remove()
  await made.close()
})

const kinds = ['missing', 'checksums'] as const
const checkSummary = z.object({
  state: z.string(),
  findings: z.array(z.object({ replica: z.string(), name: z.string(), finding: z.string() })),
  outside: z.object({ waiting: z.array(z.object({ job: z.int(), path: z.string() })) }).optional(),
})

async function withReplicas(name: string, replicas: Record<string, string>): Promise<string> {
  const archive = await initArchive(join(made.folder, name))
  await setReplicas(archive, replicas)
  return archive
}

async function setReplicas(archive: string, replicas: Record<string, string>): Promise<void> {
  const set = await loupeHere('--archive', archive, 'settings', 'set', 'replicas', JSON.stringify(replicas))
  expect(set.code, set.stderr).toBe(0)
}

const ask = (archive: string, ...words: string[]) => loupeHere('--archive', archive, ...words)
const harvest = (archive: string) => ask(archive, ...harvestOf(made.site, '--max-objects', '2'))

test('a replica that was added later lacks every file, which each check reports, and a repair stores them', async () => {
  const archive = await withReplicas('later', { ONE: 'replicas/ONE' })
  expect((await harvest(archive)).code).toBe(0)
  await setReplicas(archive, { ONE: 'replicas/ONE', TWO: 'replicas/TWO' })
  for (const kind of kinds) {
    const told = await ask(archive, 'preserve', kind)
    expect([told.code, told.stdout]).toEqual([
      1,
      expect.stringMatching(
        /4 of 4 copies.*2 findings\.\n[^]*TWO +never stored +\S+\.warc\.gz[^]*preserve repair --replica TWO/,
      ),
    ])
  }
  const { code, stdout, stderr } = await ask(archive, 'preserve', 'repair', '--replica', 'TWO')
  expect([code, stderr], stdout).toEqual([0, expect.anything()])
  for (const kind of kinds) {
    const told = await ask(archive, 'preserve', kind)
    expect([told.code, told.stdout]).toEqual([0, expect.stringMatching(/4 of 4 copies.*, 0 findings\.\n$/)])
  }
})

describe.skipIf(drive === undefined)('a drive that is unplugged (skipped where no drive can be mounted)', () => {
  test('no check succeeds, of one replica or of all', async () => {
    const at = drive?.at ?? ''
    const archive = await withReplicas('unplugged', { ONE: 'replicas/ONE', TWO: join(at, 'TWO') })
    expect((await harvest(archive)).code).toBe(0)
    const alone = await withReplicas('all of it', { ONE: join(at, 'ALONE') })
    expect((await harvest(alone)).code).toBe(0)
    drive?.unplug()
    for (const [where, looked, left] of [
      [archive, '2 of 4', 2],
      [alone, '0 of 2', 2],
    ] as const)
      for (const kind of kinds) {
        const told = await ask(where, 'preserve', kind)
        expect([told.code, told.stdout]).toEqual([
          1,
          expect.stringMatching(new RegExp(`: ${looked} copies.*; ${left} copies were not checked\\.\n`)),
        ])
        expect(told.stdout).not.toContain('0 findings')
      }
    drive?.plugIn()
    for (const where of [archive, alone])
      for (const kind of kinds) expect((await ask(where, 'preserve', kind)).code).toBe(0)
  })

  test('leaves the files of a job waiting in its folder, which a check for missing files names', async () => {
    const at = drive?.at ?? ''
    const archive = await withReplicas('waiting', { ONE: join(at, 'FIRST'), TWO: join(at, 'SECOND') })
    expect((await harvest(archive)).code).toBe(0)
    drive?.unplug()
    expect((await harvest(archive)).code).toBe(1)
    drive?.plugIn()
    const told = await ask(archive, '--json', 'preserve', 'missing')
    const { state, findings, outside } = checkSummary.parse(JSON.parse(told.stdout))
    const named = [...findings.map(({ name }) => name), ...(outside?.waiting ?? []).map(({ path }) => path)]
    expect(told.code).toBe(1)
    expect(named.length, `${state} ${told.stdout}`).toBeGreaterThan(0)
    expect(named.every((name) => name.includes('2-'))).toBe(true)
  })
})

describe.skipIf(full === undefined)('a replica without room (skipped where no drive can be mounted)', () => {
  test('verbs that would store there end with exit code 6, and the lack is a finding', async () => {
    const archive = await withReplicas('full', { ONE: 'replicas/ONE', TWO: join(full?.at ?? '', 'TWO') })
    const harvested = await harvest(archive)
    expect([harvested.code, harvested.stderr]).toEqual([6, expect.stringMatching(/is not stored in replica TWO.*free/)])
    expect(harvested.stdout).toMatch(/^Job 1: /)
    const checked = checkSummary.parse(JSON.parse((await ask(archive, '--json', 'preserve', 'missing')).stdout))
    expect(checked.state).toBe('DONE_WITH_FINDINGS')
    expect(new Set(checked.findings.map(({ replica, finding }) => `${replica} ${finding}`))).toEqual(
      new Set(['TWO notStored']),
    )
    const source = join(made.folder, 'to-store.warc.gz')
    await copyFile(join(made.archive, 'replicas/ONE', made.file), source)
    for (const words of [
      ['preserve', 'repair'],
      ['upload', source],
      ['import', source],
    ])
      expect(await ask(archive, ...words), words.join(' ')).toMatchObject({ code: 6 })
  })
})
