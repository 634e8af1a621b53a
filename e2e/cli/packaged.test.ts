/** The package that `npm pack` makes, installed as `npm install -g` does (without a registry: the dependencies are those of this
 *  checkout), and relative paths through npm. */
import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startTwoHosts } from '../sites/twoHosts.ts'
import { harvestOf } from './harvested.ts'

const run = promisify(execFile)
const checkout = join(import.meta.dirname, '../..')
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-packaged-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the executable has its permission in git', async () => {
  await access(join(checkout, 'src-main/shells/cli/loupe.cjs'), constants.X_OK)
})

test('the package has compiled JavaScript and the interface, and no sources or tests', async () => {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: checkout,
    maxBuffer: 16_000_000,
  })
  const [packed] = z.array(z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) })).parse(JSON.parse(stdout)) // prettier-ignore
  const paths = packed?.files.map(({ path }) => path) ?? []
  expect(paths).toContain('dist/shells/cli/cli.js')
  expect(paths).toContain('dist/shells/cli/worker.thread.js')
  expect(paths).toContain('out/renderer/index.html')
  expect(paths).toContain('resources/sample/index.html')
  expect(paths.filter((path) => /\.tsx?$|\.test\.|simulation|^(e2e|bench)\//.test(path))).toEqual([])

  // Node.js refuses TypeScript in node_modules, so the package is tested there.
  const modules = join(folder, 'lib/node_modules')
  const installed = join(modules, 'loupe')
  await mkdir(installed, { recursive: true })
  await run('tar', ['-xzf', join(folder, packed?.filename ?? ''), '-C', installed, '--strip-components=1'])
  await symlink(join(checkout, 'node_modules'), join(installed, 'node_modules'))
  await mkdir(join(folder, 'bin'))
  await symlink('../lib/node_modules/loupe/src-main/shells/cli/loupe.cjs', join(folder, 'bin/loupe'))

  const { version } = z.object({ version: z.string() }).parse(JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8'))) // prettier-ignore
  const loupe = async (...words: string[]) => (await run(join(folder, 'bin/loupe'), words, { cwd: folder })).stdout
  expect(await loupe('--version')).toBe(`${version}\n`)
  await loupe('--archive', 'archive', 'init')
  const site = await startTwoHosts()
  try {
    const harvested: unknown = JSON.parse(await loupe('--archive', 'archive', '--json', ...harvestOf(site)))
    expect(harvested).toMatchObject({ job: 1, stopReason: 'DOWNLOAD_COMPLETE', documents: { failed: 0 } })
  } finally {
    await site.close()
  }
  expect(await loupe('--archive', 'archive', 'preserve', 'checksums')).toMatch(/4 of 4 copies/)
  expect(await loupe('check', 'archive/replicas/ONE')).toMatch(/2 good/)
  expect(await loupe('--archive', 'archive', 'batch', 'record-counts', '--job', '1')).toMatch(/warcinfo/)
})

test("npm run resolves relative paths from the caller's folder", async () => {
  const work = join(folder, 'work')
  await mkdir(work)
  const words = ['--prefix', checkout, 'run', '-s', 'loupe', '--', '--archive', 'mine', 'init']
  await run('npm', words, { cwd: work })
  expect(await readdir(work)).toEqual(['mine'])
})
