import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const { cacheFolder, isPrivate } = createRequire(import.meta.url)('./compileCache.cjs') as {
  cacheFolder(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform, home: string): string
  isPrivate(folder: string): boolean
}

const folder = mkdtempSync(join(tmpdir(), 'loupe-compiled-'))
afterAll(() => rmSync(folder, { recursive: true }))

test.each<[NodeJS.Platform, Record<string, string>, string]>([
  ['linux', {}, join('/home/ada', '.cache')],
  ['linux', { XDG_CACHE_HOME: '/caches' }, '/caches'],
  ['darwin', { XDG_CACHE_HOME: '/caches' }, join('/home/ada', 'Library', 'Caches')],
  ['win32', { LOCALAPPDATA: '/local' }, '/local'],
  ['win32', {}, join('/home/ada', 'AppData', 'Local')],
])('the folder for caches on %s with %o', (platform, environment, expected) => {
  expect(cacheFolder(environment, platform, '/home/ada')).toBe(expected)
})

test.runIf(process.platform !== 'win32')('a new folder is private to the account', () => {
  const path = join(folder, 'loupe', 'compiled')
  expect(isPrivate(path)).toBe(true)
  expect(statSync(path).mode & 0o777).toBe(0o700)
})

test.runIf(process.platform !== 'win32')('code is not read from where another account could have put it', () => {
  const open = mkdtempSync(join(folder, 'open-'))
  chmodSync(open, 0o777)
  expect(isPrivate(open)).toBe(false)
  const link = join(folder, 'link')
  symlinkSync(open, link)
  expect(isPrivate(link)).toBe(false)
})

test('a file in the place of the folder is left alone', () => {
  const file = join(folder, 'file')
  writeFileSync(file, 'x')
  expect(isPrivate(file)).toBe(false)
  expect(isPrivate(join(file, 'below'))).toBe(false)
  expect(readFileSync(file, 'utf8')).toBe('x')
})
