/** Credentials on the command line, and a harvest that logs in with one: after a kill it continues with the same login. */
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { initArchive, loupeHere, startLoupe } from '../loupeProcess.ts'
import { account, startMembers } from '../sites/members.ts'

let folder: string
let archive: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-credentials-'))
  archive = await initArchive(join(folder, 'archive'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const cli = join(import.meta.dirname, '../../src-main/shells/cli/loupe.cjs')

async function told(input: string, ...words: string[]): Promise<{ code: number | null; printed: string }> {
  const child = spawn(process.execPath, [cli, '--archive', archive, ...words])
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += String(text)))
  child.stdin.end(input)
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, printed })))
}

test('a credential comes from standard input, is listed by its name, and never printed', async () => {
  const set = await told(`${account.user}\n${account.password}\n`, 'credential', 'set', 'members')
  expect(set.code, set.printed).toBe(0)
  expect(set.printed).toContain('The credential members was stored.')
  const listed = await told('', '--json', 'credential', 'list')
  expect(JSON.parse(listed.printed)).toMatchObject({ credentials: [{ name: 'members', store: { kind: expect.any(String) as string } }] }) // prettier-ignore
  for (const { printed } of [set, listed, await told('', 'credential', 'list')])
    expect(printed).not.toMatch(/Xyzzy|Doe/)
})

test.each<[what: string, words: string[], input: string, code: number, line: RegExp]>([
  ['nothing given', ['credential', 'set', 'x', '--user', 'a'], '', 2, /No answer was given/],
  ['no fit name', ['credential', 'set', 'a/b', '--user', 'a'], 'p\n', 2, /letters, digits/],
  ['none of this name', ['credential', 'remove', 'nobody'], '', 3, /no credential "nobody"/],
  ['no file', ['harvest', 'http://a.test/', '--login', 'none.json'], '', 3, /There is no file none\.json/],
])('%s is refused', async (_what, words, input, code, line) => {
  const ended = await told(input, ...words)
  expect(ended.printed).toMatch(line)
  expect(ended.code).toBe(code)
})

test('a harvest with a login that is killed twice has every page in the end', async () => {
  const site = await startMembers({ pages: 40, lasts: 9 })
  const login = join(folder, 'login.json')
  const form = { kind: 'form', page: `${site.origin}/login`, userField: 'user', passwordField: 'pass' }
  const areas = ['basic', 'digest', 'members'].map((area) => ({
    ...(area === 'members' ? form : { kind: area }),
    credential: 'members',
    urls: [`${site.origin}/${area}/`],
  }))
  await writeFile(login, JSON.stringify({ areas }))
  const resolve = Object.entries(site.resolve).flatMap((pair) => ['--resolve', pair.join('=')])
  const words = ['--archive', archive, 'harvest', `${site.origin}/`, '--delay-ms', '0', '--login', login, ...resolve]
  for (const _kill of [1, 2]) {
    const running = startLoupe(words)
    const until = site.heard.length + 50
    while (site.heard.length < until && running.child.exitCode === null) await sleep(5)
    running.child.kill('SIGKILL')
    await running.ended
  }
  const ended = await loupeHere('--json', ...words)
  expect(ended.code, ended.stderr).toBe(0)
  const records = await recordsIn(join(archive, 'replicas', 'ONE'))
  const kept = new Set(
    [...records.matchAll(/WARC-Type: response\r\n[^]*?WARC-Target-URI: (\S+)/g)].map(([, url = '']) => url),
  )
  expect(site.urls.filter((url) => !kept.has(url))).toEqual([])
  expect(records).not.toMatch(/Xyzzy|sid=SECRETSESSION/)
  expect(ended.stdout + ended.stderr).not.toMatch(/Xyzzy|SECRETSESSION/)
  await site.close()
})

async function recordsIn(replica: string): Promise<string> {
  const files = await Promise.all((await readdir(replica)).map((name) => readFile(join(replica, name))))
  return files.map((bytes) => (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('latin1')).join('\n')
}
