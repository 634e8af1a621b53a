import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callerFolder } from './callerFolder.ts'

let folder: string
let ours: { packageFile: string; script: 'loupe' }
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loupe-caller-'))
  for (const name of ['package.json', 'other.json']) writeFileSync(join(folder, name), '{}')
  symlinkSync(folder, `${folder}-link`)
  ours = { packageFile: join(folder, 'package.json'), script: 'loupe' }
})
afterAll(() => {
  rmSync(`${folder}-link`)
  rmSync(folder, { recursive: true })
})

const npm = (file: string, event = 'loupe') => ({
  npm_package_json: join(folder, file),
  npm_lifecycle_event: event,
  INIT_CWD: '/caller',
})

test("npm run loupe uses the caller's folder, also through a symbolic link", () => {
  expect(callerFolder(npm('package.json'), ours)).toBe('/caller')
  expect(callerFolder({ ...npm(''), npm_package_json: `${folder}-link/package.json` }, ours)).toBe('/caller')
})

test('without npm, in another script or another package it is the current folder', () => {
  expect(callerFolder({}, ours)).toBeUndefined()
  expect(callerFolder({ INIT_CWD: '/caller' }, ours)).toBeUndefined()
  expect(callerFolder(npm('package.json', 'test'), ours)).toBeUndefined()
  expect(callerFolder(npm('other.json'), ours)).toBeUndefined()
})
