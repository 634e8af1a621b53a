/** `loupe authorities`, and the answers for other programs, in processes of their own. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { initArchive, loupeHere, loupeJson, startLoupe } from '../loupeProcess.ts'

let folder: string
let archive: string
let users: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-authorities-'))
  archive = await initArchive(join(folder, 'archive'))
  users = join(folder, 'users.csv')
  await writeFile(users, 'anna,staff,"the maps team"\nben,readers\n')
  await writeFile(
    join(folder, 'own.mjs'),
    'export default ({ suffix }) => ({ authorize: (user) => (user === "anna" ? [user + suffix] : undefined) })',
  )
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = (...words: string[]) => loupeHere('--archive', archive, 'authorities', ...words)
const json = (...words: string[]) => loupeJson('--archive', archive, 'authorities', ...words)

test('authorities are set up, checked and asked', async () => {
  expect((await run('list')).stdout).toContain('There are no authority connections')
  expect(await json('groups', 'add', 'Library', '--description', 'all of it')).toMatchObject({ name: 'Library' })
  await json('domains', 'add', 'web')
  const rule = ['--setting', 'match=(.*)@here\\.test', '--setting', 'replacement=$(1l)']
  await json('add', 'short', '--kind', 'mapping', '--connector', 'pattern', ...rule)
  const staff = ['--connector', 'file', '--setting', `path=${users}`, '--group', 'Library', '--cache-seconds', '0']
  expect(await json('add', 'Staff', ...staff, '--mapping', 'short', '--time-limit', '5s')).toMatchObject({
    ...{ kind: 'authority', name: 'Staff', mapping: 'short', group: 'Library', settings: { path: users } },
    ...{ answerSecondsMax: 5, cacheSeconds: 0, connectionsMax: 10 },
  })
  expect((await run('list')).stdout).toMatch(/Staff +authority +file +Library +short\n[\s\S]*short +mapping +pattern/)
  expect((await run('check')).stdout).toContain('Staff: Connection working')

  const shown = await run('show', 'Anna@here.test')
  expect(shown.stdout).toMatch(/Staff +OK +anna +2 +\d+/)
  expect(shown.stdout).toContain('Library:staff\nLibrary:the+maps+team')
  expect(await json('show', 'anna')).toMatchObject({ tokens: [], answers: [{ status: 'USERNOTFOUND', user: null }] })
  await json('edit', 'Staff', '--no-mapping', '--domain', 'web')
  expect(await json('show', 'x', '--and', 'ben@web')).toMatchObject({ tokens: ['Library:readers'] })
})

test('a module of the user gives tokens while it is installed', async () => {
  await json('connectors', 'install', 'own', '--module', join(folder, 'own.mjs'), '--description', 'my own')
  expect((await run('connectors', 'list')).stdout).toMatch(/own +authority +Installed +0 +\S+own\.mjs +my own/)
  await json('add', 'Own', '--connector', 'own', '--setting', 'suffix=!', '--group', 'Library')
  expect(await json('show', 'anna')).toMatchObject({ tokens: ['Library:anna%21'] })
  await json('connectors', 'deinstall', 'own')
  const refused = await run('show', 'anna')
  expect([refused.code, refused.stderr]).toEqual([
    4,
    expect.stringContaining('needs the connector "own", which is not installed'),
  ])
  expect((await run('check', 'Own')).code).toBe(1)
  await json('connectors', 'install', 'own')
})

const wrong: [words: string[], code: number, line: RegExp][] = [
  [['add', 'Staff', '--connector', 'null', '--group', 'Library'], 2, /already a connection "Staff"/],
  [['add', 'A', '--connector', 'file', '--group', 'Library'], 2, /path is missing/],
  [['add', 'A', '--connector', 'null', '--group', 'None'], 2, /no authority group "None"/],
  [['add', 'A', '--connector', 'null'], 2, /--group is missing/],
  [['add', 'A', '--connector', 'none', '--group', 'Library'], 3, /none/],
  [['edit', 'short', '--kind', 'mapping', '--mapping', 'short'], 2, /cannot come before/],
  [['groups', 'remove', 'Library'], 4, /cannot be removed: 2 authority connections name it: Own, Staff/],
  [['show', 'anna', '--and', 'ben'], 2, /write USER@DOMAIN/],
  [['remove', 'None'], 3, /no authority connection "None"/],
]
test.each(wrong)('refuses: authorities %s', async (words, code, line) => {
  const ended = await run(...words)
  expect([ended.code, ended.stderr]).toEqual([code, expect.stringMatching(line)])
})

test('other programs ask the running engine for the tokens of a user', async () => {
  const serving = startLoupe(['--archive', archive, 'serve', '--port', '0'])
  try {
    await serving.line(/http:\/\/127\.0\.0\.1/)
    const { origin, token } = JSON.parse(await readFile(join(archive, 'engine.json'), 'utf8')) as Record<string, string>
    const ask = async (query: string, headers: HeadersInit = { authorization: `Bearer ${token}` }) => {
      const answer = await fetch(`${origin}/UserACLs?${query}`, { headers })
      return [answer.status, answer.headers.get('content-type'), await answer.text()]
    }
    const text = 'text/plain; charset=ISO-8859-1'
    expect(await ask('username=anna&username_0=ben&domain_0=web&idneeded=true')).toEqual([
      ...[200, text],
      'AUTHORIZED:Own\nAUTHORIZED:Staff\nTOKEN:Library:anna%21\nTOKEN:Library:readers\nID:anna\nID:ben\n',
    ])
    expect(await ask('username=nobody')).toEqual([200, text, 'USERNOTFOUND:Own\n'])
    expect(await ask('domain=web')).toEqual([400, text, expect.stringContaining('names no user')])
    expect((await ask('username=anna', {}))[0]).toBe(401)
    await run('connectors', 'deinstall', 'own')
    expect(await ask('username=anna')).toEqual([403, text, expect.stringContaining('is not installed')])
    expect((await ask('username=ben&domain=web'))[0]).toBe(200)
  } finally {
    serving.child.kill('SIGINT')
    await serving.ended
  }
})
