import { readdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { holdBuilds } from '../testing/heldBuilds.ts'
import { archiveWith, indexesOver } from '../testing/openedIndexes.ts'

test('every kind of index is listed with what it covers, and dropped unless it is in use', async () => {
  const made = await archiveWith(
    { name: '1.warc.gz', job: 1, rows: [{ url: 'http://a.example/', at: '2024-05-01T00:00:00Z' }] },
    { name: 'loose.warc.gz', job: null, rows: [{ url: 'http://b.example/', at: '2024-05-01T00:00:00Z' }] },
  )
  const { folder } = made
  const indexes = await indexesOver(made)
  expect(await indexes.list()).toEqual([])
  const open = await indexes.captureIndexFor({ all: true })
  ;(await indexes.captureIndexFor({ jobs: [1] })).close()
  const held = await indexes.dedupIndexFor({ jobs: [1, 7], excludedTypes: [] })
  const logs = await indexes.crawlLogs([{ job: 1, isDeleted: false }])
  logs.close()
  await writeFile(join(folder, 'indexes/capture/9.damaged.db'), 'no database')
  const listed = await indexes.list()
  expect(
    listed.map(({ kind, selection, files, isInUse }) => [kind, selection?.jobs, selection?.all, files, isInUse]),
  ).toEqual([
    ['lines', [1], false, 1, false],
    ['lines', [], false, 1, false],
    ['captures', [1], false, 1, false],
    ['captures', undefined, undefined, 0, false],
    ['captures', [], true, 2, true],
    ['crawlLog', [1], false, 0, false],
    ['dedup', [1, 7], false, 1, true],
  ])
  expect(listed.every(({ bytes }) => bytes > 0)).toBe(true)
  for (const each of listed.filter(({ isInUse }) => !isInUse)) expect(await indexes.drop(each)).toBe(true)
  expect((await indexes.list()).filter(({ bytes }) => bytes > 0).map(({ kind }) => kind)).toEqual(['captures', 'dedup'])
  open.close()
  held.leave()
  expect((await indexes.list()).some(({ isInUse }) => isInUse)).toBe(false)
  // What was dropped is built again.
  const again = await indexes.captureIndexFor({ jobs: [1] })
  expect(again.count()).toBe(1)
  again.close()
  expect(await readdir(join(folder, 'indexes/cdx/1'))).toEqual(['1.warc.gz.cdxj'])
})

test('lines stay while an index is built from them, and so do files that are being written', async () => {
  const made = await archiveWith({
    ...{ name: '1.warc.gz', job: 1 },
    rows: [{ url: 'http://a.example/', at: '2024-05-01T00:00:00Z' }],
  })
  const { folder } = made
  const held = holdBuilds(made.world)
  const indexes = await indexesOver(made, { world: held.world })
  const building = indexes.captureIndexFor({ jobs: [1] })
  await held.waits()
  const lines = (await indexes.list()).find(({ kind }) => kind === 'lines')
  expect(lines).toMatchObject({ isInUse: true })
  if (lines === undefined) return
  expect(await indexes.drop(lines)).toBe(false)
  for (let steps = 0; steps < 2; steps++) await held.step()
  ;(await building).close()
  const writing = join(folder, 'indexes/cdx/1/2.warc.gz.cdxj.part')
  await writeFile(writing, '')
  expect(await indexes.drop(lines)).toBe(true)
  expect(await readdir(join(folder, 'indexes/cdx/1'))).toEqual([basename(writing)])
  expect((await indexes.list()).map(({ kind }) => kind)).toEqual(['captures'])
})
