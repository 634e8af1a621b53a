/** `loupe security`, in processes of their own. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { initArchive, loupeHere, loupeJson } from '../loupeProcess.ts'

let folder: string
let archive: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-security-'))
  archive = await initArchive(join(folder, 'archive'))
  const users = join(folder, 'users.csv')
  await writeFile(users, 'anna,maps\nben,readers\n')
  await json('authorities', 'groups', 'add', 'Library')
  const connector = ['--connector', 'file', '--setting', `path=${users}`]
  await json('authorities', 'add', 'Staff', ...connector, '--group', 'Library')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = (...words: string[]) => loupeHere('--archive', archive, ...words)
const json = (...words: string[]) => loupeJson('--archive', archive, ...words)

test('captures are secured by job and URL, and it is said who may see one and why', async () => {
  expect((await run('security', 'list')).stdout).toContain('everyone sees every capture')
  const open = await run('security', 'show', 'ben', 'http://example.com/maps/1')
  expect([open.code, open.stdout]).toEqual([0, expect.stringContaining('Nothing secures this capture')])

  const maps = ['--prefix', 'com,example)/maps', '--allow', 'maps', '--allow', 'admin', '--deny', 'guest']
  expect(await json('security', 'set', '--group', 'Library', ...maps)).toMatchObject({
    ...{ job: null, surtPrefix: 'com,example)/maps', level: 'share', group: 'Library' },
    ...{ allow: ['maps', 'admin'], deny: ['guest'] },
  })
  await json('security', 'set', '--group', 'Library', '--job', '2', '--level', 'document', '--allow', 'readers')
  expect((await run('security', 'list')).stdout).toMatch(
    /1 +com,example\)\/maps +Library +share +maps, admin +guest\n\s*2 +2 +Library +document +readers/,
  )
  expect(await json('security', 'list', '--job', '3')).toMatchObject([{ rule: 1 }])

  const shown = async (...words: string[]) => (await run('security', 'show', ...words)).code
  expect(await shown('anna', 'http://www.example.com/maps/1')).toBe(0)
  expect(await shown('anna', 'http://www.example.com/maps/1', '--job', '2')).toBe(1)
  const hidden = await run('security', 'show', 'ben', 'http://www.example.com/maps/1')
  expect(hidden.stdout).toMatch(/may not see this capture: the group Library[\s\S]*share +1 +maps, admin +guest +no/)

  expect((await run('security', 'remove', '1')).stdout).toContain('Removed the security rule 1')
  expect(await shown('ben', 'http://www.example.com/maps/1')).toBe(0)
})

test('changes are in the audit log', async () => {
  const { rows } = (await json('preserve', 'audit')) as { rows: { what: string; subject: string }[] }
  expect(rows.filter(({ what }) => what === 'securityRule').map(({ subject }) => subject)).toEqual(
    expect.arrayContaining(['com,example)/maps Library share', 'job 2 Library document']),
  )
})

test('mistakes are explained', async () => {
  const refusals: [string[], RegExp][] = [
    [['set', '--group', 'Library'], /at least one token/],
    [['set', '--group', 'Absent', '--allow', 'a'], /no authority group "Absent"/],
    [['set', '--group', 'Library', '--allow', 'a', '--prefix', 'http://x/'], /--prefix.*com,example\)\/private/],
    [['remove', '99'], /no security rule 99/],
  ]
  for (const [words, problem] of refusals) {
    const refused = await run('security', ...words)
    expect(refused.stderr).toMatch(problem)
    expect(refused.code).not.toBe(0)
  }
  expect((await run('authorities', 'groups', 'remove', 'Library')).stderr).toContain('names it')
})
