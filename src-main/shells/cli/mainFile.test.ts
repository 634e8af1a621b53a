import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const { mainFile } = createRequire(import.meta.url)('./mainFile.cjs') as {
  mainFile(top: string): { file: string; compiled: string }
}

let top: string
const source = 'src-main/shells/cli/cli.ts'
const other = 'src-main/words.ts'
const write = (path: string, text: string) => writeFileSync(join(top, path), text)

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'loupe-main-'))
  mkdirSync(join(top, 'src-main/shells/cli'), { recursive: true })
  mkdirSync(join(top, 'dist'))
  write(source, 'one')
  write(other, 'two')
  const states = [source, other].map((path) => {
    const { size, mtimeMs } = statSync(join(top, path))
    return [path, [size, mtimeMs]] as const
  })
  write('dist/bundle.json', JSON.stringify({ folder: 'bundle-a', sources: Object.fromEntries(states) }))
})
afterEach(() => rmSync(top, { recursive: true }))

const programs = {
  bundle: { file: 'dist/bundle-a/cli/cli.js', compiled: 'dist/bundle-a/compiled' },
  package: { file: 'dist/shells/cli/cli.js', compiled: 'dist/shells/compiled' },
  source: { file: source, compiled: 'node_modules/.cache/loupe' },
}

test.each<[string, () => void, keyof typeof programs]>([
  ['nothing', () => undefined, 'bundle'],
  ['an unknown file', () => write('src-main/new.ts', 'three'), 'bundle'],
  ['the size of a source', () => write(other, 'three'), 'source'],
  ['the time of a source', () => utimesSync(join(top, other), 1, 1), 'source'],
  ['a source to none', () => rmSync(join(top, other)), 'source'],
  ['the list to none', () => rmSync(join(top, 'dist/bundle.json')), 'source'],
  ['a checkout to a package', () => rmSync(join(top, 'src-main'), { recursive: true }), 'package'],
])('after a change of %s', (_what, change, runs) => {
  change()
  const { file, compiled } = programs[runs]
  expect(mainFile(top)).toEqual({ file: join(top, file), compiled: join(top, compiled) })
})
