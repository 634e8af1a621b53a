/** Harvests in each version of WARC that can be chosen: Loupe's own check has no findings in the files. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { warcVersions } from '../src-main/formats/records/warcWriter.ts'
import { initArchive, loupe } from './loupeProcess.ts'
import { captured, startTwoHosts } from './sites/twoHosts.ts'
import { witnessFolder } from './witness.ts'

let folder = ''
afterEach(() => rm(folder, { recursive: true, force: true }))

test.each(warcVersions)('a harvest in WARC %s has no findings', async (version) => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-version-'))
  await writeFile(join(folder, 'loupe.toml'), `[harvest]\nwarcVersion = "${version}"\n`)
  await initArchive(folder)
  const site = await startTwoHosts()
  const resolve = Object.entries(site.resolve).flatMap(([host, to]) => ['--resolve', `${host}=${to}`])
  const harvest = await loupe('--archive', folder, 'harvest', `${site.origin}/`, ...resolve, '--delay-ms', '0')
  await site.close()
  expect(harvest.code, harvest.stderr).toBe(0)

  const records = await witnessFolder(join(folder, 'replicas/ONE'))
  expect(
    records
      .filter(({ type }) => type === 'response')
      .map(({ url }) => url)
      .sort(),
  ).toEqual([...captured].sort())
  const check = await loupe('--json', 'check', join(folder, 'replicas/ONE'))
  const { files } = JSON.parse(check.stdout) as { files: { name: string; records: number; findings: unknown[] }[] }
  expect(files.flatMap(({ findings }) => findings)).toEqual([])
  expect(files.reduce((sum, file) => sum + file.records, 0)).toBe(records.length)
  expect(check.code).toBe(0)
})
