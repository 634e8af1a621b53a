/** Options of `loupe serve` about accounts that do not belong together, or name what is not there: one sentence each, and nothing is served. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { initArchive, loupeHere } from '../loupeProcess.ts'

let folder: string
let archive: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-serve-options-'))
  archive = await initArchive(join(folder, 'archive'))
  await writeFile(join(folder, 'short'), 'too short', { mode: 0o600 })
  await writeFile(join(folder, 'open'), 'a1'.repeat(24), { mode: 0o644 })
  await writeFile(join(folder, 'secret'), 'a1'.repeat(24), { mode: 0o600 })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const host = ['--host', '127.0.0.1']
const proxy = (file: string) => ['--trusted-proxy-secret-file', file]
const provider = (issuer: string) => [
  ...['--oidc-issuer', issuer, '--oidc-client-id', 'loupe', '--oidc-client-secret-file', 'secret'],
]
const rows: [what: string, words: string[], code: number, stderr: RegExp][] = [
  ['accounts without an address', ['--account-header', 'X-User'], 2, /need --host/],
  ['a log-in in front without a secret', [...host, '--account-header', 'X-User'], 2, /--trusted-proxy-secret-file/],
  ['a secret that is absent', [...host, ...proxy('absent')], 2, /absent/],
  ['a secret that is short', [...host, ...proxy('short')], 2, /32/],
  ['a field that clients send', [...host, ...proxy('secret'), '--account-header', 'Cookie'], 2, /Cookie/],
  ['a part of a provider', [...host, '--oidc-issuer', 'https://login.test'], 2, /belong together: give all three/],
  ['a provider without TLS', [...host, ...provider('http://login.test')], 2, /http:\/\/login\.test/],
  ['two log-ins', [...host, ...proxy('secret'), '--account-header', 'X-User', ...provider('https://login.test')], 2, /--account-header/], // prettier-ignore
]
// On Windows access lists count, not modes.
if (process.platform !== 'win32') rows.push(['a secret that others may read', [...host, ...proxy('open')], 4, /open/])

test.each(rows)('%s', async (_what, words, code, stderr) => {
  const paths = words.map((word) => (['absent', 'short', 'open', 'secret'].includes(word) ? join(folder, word) : word))
  const ended = await loupeHere('--archive', archive, 'serve', ...paths)
  expect([ended.code, ended.stdout], ended.stderr).toEqual([code, ''])
  expect(ended.stderr).toMatch(stderr)
  expect(ended.stderr.trim().split('\n')).toHaveLength(1)
})
