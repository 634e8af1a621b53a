import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { digestOf, isFresh } from './build.ts'

let top: string
const write = (path: string, text: string) => writeFileSync(join(top, path), text)

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'loupe-build-'))
  for (const folder of ['src-renderer/screens', 'src-main/contract', 'src-main/crawl', 'out/renderer'])
    mkdirSync(join(top, folder), { recursive: true })
  write('src-renderer/main.tsx', 'one')
  write('src-main/contract/contract.ts', 'two')
  write('src-main/crawl/frontier.ts', 'three')
  write('out/renderer/index.html', '')
  write(
    'out/sources.json',
    JSON.stringify({ interface: digestOf(top, 'interface'), everything: digestOf(top, 'everything') }),
  )
})
afterEach(() => rmSync(top, { recursive: true }))

test.each<[string, () => void, boolean, boolean]>([
  ['nothing', () => undefined, true, true],
  ['a date', () => utimesSync(join(top, 'src-renderer/main.tsx'), 1, 1), true, true],
  ['a test', () => write('src-renderer/main.test.tsx', 'four'), true, true],
  ['the interface', () => write('src-renderer/main.tsx', 'One'), false, false],
  [
    'a name',
    () => renameSync(join(top, 'src-renderer/main.tsx'), join(top, 'src-renderer/screens/main.tsx')),
    false,
    false,
  ],
  ['the contract', () => write('src-main/contract/contract.ts', 'Two'), false, false],
  ['the engine', () => write('src-main/crawl/frontier.ts', 'Three'), true, false],
  ['the build', () => rmSync(join(top, 'out/renderer'), { recursive: true }), false, false],
  ['the list next to the build', () => rmSync(join(top, 'out/sources.json')), false, false],
])('after a change of %s', (_what, change, interfaceFresh, everythingFresh) => {
  change()
  expect([isFresh(top, 'interface'), isFresh(top, 'everything')]).toEqual([interfaceFresh, everythingFresh])
})
