/** Rules of access, from the settings through the engine to what a browser gets: as written in `loupe.toml`, and as changed since. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArchive, type ArchiveFixture } from '../../indexes/testing/archiveFixture.ts'
import { askOver } from '../../viewer/testing/viewerFixture.ts'
import { openEngine, type Engine } from '../engine.ts'

const site = 'http://site.example'
const toml = `[replicas]
one = "one"

[viewer]
port = 0
block = ["example,site)/blocked"]
exclude = ["example,site)/excluded"]
allow = ["example,site)/blocked/open"]
`
let made: ArchiveFixture
let engine: Engine
const got = async (path: string) => {
  const { status, headers } = await askOver(engine.viewer, site + path)
  return [status, headers['x-loupe']]
}

beforeAll(async () => {
  made = await createArchive()
  const rows = ['/', '/blocked/a', '/blocked/open/a', '/excluded/a'].map((path) => ({
    ...{ url: site + path, at: '2021-01-01T00:00:00Z', body: 'shown' },
  }))
  await made.add({ name: '1-1-a.warc.gz', job: 1, rows })
  await writeFile(join(made.folder, 'loupe.toml'), toml)
  made.store.close()
  engine = await openEngine({ archiveFolder: made.folder, shell: 'cli', version: '0', run: false })
  const to = encodeURIComponent(site)
  const { commandUser: user, commandToken: password } = await engine.services.system.about({})
  const command = `http://viewerproxy.invalid/changeIndex?jobID=1&label=one&returnURL=${to}`
  await askOver(engine.viewer, command, { as: { user, password } })
})
afterAll(async () => {
  await engine.close()
  await made[Symbol.asyncDispose]()
})

test('applies the blocked, excluded and allowed addresses of loupe.toml', async () => {
  expect(await got('/')).toEqual([200, undefined])
  expect(await got('/blocked/a')).toEqual([451, 'blocked'])
  expect(await got('/blocked/open/a')).toEqual([200, undefined])
  expect(await got('/excluded/a')).toEqual([404, 'excluded'])
})

test('a changed setting applies to the next request', async () => {
  const { settings } = engine.services
  const changed = await settings.set({ path: 'viewer.block', value: ['example,site)/excluded/a'] })
  expect(changed).toMatchObject({ source: 'archive', atStart: false })
  expect(await got('/blocked/a')).toEqual([200, undefined])
  expect(await got('/excluded/a')).toEqual([451, 'blocked'])
  await settings.set({ path: 'viewer.exclude', value: ['example,site'] })
  expect(await got('/')).toEqual([404, 'excluded'])
  await settings.set({ path: 'viewer.allow', value: ['example,site)/'] })
  expect(await got('/')).toEqual([200, undefined])
  await expect(settings.set({ path: 'viewer.block', value: ['http://site.example/'] })).rejects.toThrow('SURT prefix')
  expect(await got('/excluded/a')).toEqual([451, 'blocked'])
})
