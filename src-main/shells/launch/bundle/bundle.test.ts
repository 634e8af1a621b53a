import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bundleCommandLine } from './bundle.ts'

let top: string
const program = 'src-main/shells/cli/cli.ts'
const bundler = 'src-main/shells/launch/bundle/bundle.ts'
const write = (path: string, text: string) => writeFileSync(join(top, path), text)

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'loupe-bundling-'))
  for (const folder of ['src-main/shells/cli', 'src-main/shells/launch/bundle', 'src-main/world'])
    mkdirSync(join(top, folder), { recursive: true })
  write(program, "console.log('one')")
  write('src-main/world/other.thread.ts', "console.log('a thread')")
  write(bundler, '')
  write('package-lock.json', '{}')
})
afterEach(() => rmSync(top, { recursive: true }))

/** Texts of the files of a bundle by name. */
const filesIn = (bundle: string) =>
  Object.fromEntries(
    globSync('cli/*', { cwd: bundle }).map((path) => [basename(path), readFileSync(join(bundle, path), 'utf8')]),
  )

test('the program and the threads are bundled', async () => {
  const files = filesIn(await bundleCommandLine(top))
  expect(Object.keys(files)).toEqual(['cli.js', 'other.thread.js'])
  expect(files['cli.js']).toContain('one')
  expect(files['other.thread.js']).toContain('a thread')
})

test('a fresh bundle is used again', async () => {
  const bundle = await bundleCommandLine(top)
  expect(await bundleCommandLine(top)).toBe(bundle)
  expect(globSync('dist/bundle-*', { cwd: top })).toEqual([join('dist', basename(bundle))])
})

test('commands that run from a bundle keep its files after a new build', async () => {
  const first = await bundleCommandLine(top)
  const files = filesIn(first)
  write(program, "console.log('second')")
  const second = await bundleCommandLine(top)
  expect(filesIn(first)).toEqual(files)
  expect(filesIn(second)['cli.js']).toContain('second')
})

test('a failed build leaves the current bundle unchanged', async () => {
  const bundle = await bundleCommandLine(top)
  const list = readFileSync(join(top, 'dist/bundle.json'))
  write(program, 'import "./absent.ts"')
  await expect(bundleCommandLine(top)).rejects.toThrow(/absent/)
  expect(readFileSync(join(top, 'dist/bundle.json'))).toEqual(list)
  expect(existsSync(join(bundle, 'cli/cli.js'))).toBe(true)
})

test.each([program, 'src-main/world/other.thread.ts', bundler, 'package-lock.json'])(
  'a change of %s makes a new bundle',
  async (path) => {
    const bundle = await bundleCommandLine(top)
    utimesSync(join(top, path), 1, 1)
    expect(await bundleCommandLine(top)).not.toBe(bundle)
  },
)

test('a bundle is removed when it was replaced long ago, however old the one in use is', async () => {
  const replaced = await bundleCommandLine(top)
  write(program, "console.log('second')")
  const inUse = await bundleCommandLine(top)
  for (const bundle of [replaced, inUse]) utimesSync(bundle, 1, 1)
  write(program, "console.log('the third')")
  await bundleCommandLine(top)
  expect([replaced, inUse].map((bundle) => existsSync(bundle))).toEqual([false, true])
})
