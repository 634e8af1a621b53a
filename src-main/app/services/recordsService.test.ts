import { mkdtemp, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openArchive } from '../../archive/store/archive.ts'
import { contract } from '../../contract/contract.ts'
import { madeAnswer, madeInfo, packed } from '../../files/testing/recordFixtures.ts'
import { openStore } from '../../storage/storage.ts'
import { realWorld } from '../../world/real.ts'
import { recordsService } from './recordsService.ts'

const world = realWorld()
let folder: string
let service: ReturnType<typeof recordsService>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-service-'))
  const replicas = ['ONE', 'TWO'].map((name) => ({ name, folder: join(folder, name) }))
  const store = openStore(':memory:')
  const archive = await openArchive({ store, world, replicas, limits: { freeBytesMin: 0, freeBytesToAcceptMin: 0 } })
  const path = join(folder, 'local.warc.gz')
  await writeFile(path, packed(madeInfo(), madeAnswer('http://a.example/', 'hello')))
  for (const name of ['a.warc.gz', 'lost.warc.gz']) await archive.store({ path, name, kind: 'content', jobId: 7 })
  for (const { name } of replicas) await unlink(join(folder, name, 'lost.warc.gz'))
  // The first replica's copy is gone: the other one is read.
  await unlink(join(folder, 'ONE', 'a.warc.gz'))
  service = recordsService({ archive, world })
})
afterAll(() => rm(folder, { recursive: true }))

test('records in the list can be shown from a good copy', async () => {
  const { rows, next } = contract.records.list.output.parse(await service.list({ file: 'a.warc.gz', type: 'Response' }))
  expect(next).toBeNull()
  const [row] = rows
  expect(row).toMatchObject({ number: 2, url: 'http://a.example/', status: 200 })
  const place = { file: 'a.warc.gz', offset: row?.offset ?? 0, number: 2 }
  const shown = contract.records.show.output.parse(await service.show(place))
  expect(shown).toMatchObject({ ...row, findings: shown.findings, job: 7, replicas: ['ONE', 'TWO'], text: 'hello' })
})

test('an unknown file, an offset without a record and a file without a copy are faults', async () => {
  const unknown = { code: 'notFound', message: 'The archive has no file named b.warc.' }
  await expect(service.list({ file: 'b.warc' })).rejects.toMatchObject(unknown)
  await expect(service.show({ file: 'b.warc', offset: 0 })).rejects.toMatchObject(unknown)
  await expect(service.show({ file: 'a.warc.gz', offset: 5 })).rejects.toMatchObject({ code: 'notFound' })
  await expect(service.show({ file: 'lost.warc.gz', offset: 0 })).rejects.toMatchObject({ code: 'unreachable' })
})
