import { expect, test, vi } from 'vitest'
import { Fault } from '../../src-main/contract/calls/faults.ts'
import type { HandOver } from '../links/handOver.ts'
import { goingIn, makeBasket } from './basket.ts'

const fileOf = (name: string, bytes = 3, lastModified = 1) => new File([new Uint8Array(bytes)], name, { lastModified })
const found = (...files: File[]) => ({ files, skipped: 0 })

/** A shell that uploads files, and an engine that records its requests. */
function browser({ give }: Partial<HandOver> = {}) {
  const asked: string[][] = []
  const takenBack: string[] = []
  const handOver: HandOver = {
    give: give ?? ((file) => Promise.resolve(`/incoming/${file.name}`)),
    takeBack: (name) => Promise.resolve(void takenBack.push(name)),
  }
  const harvests = { import: ({ paths }: { paths: string[] }) => Promise.resolve((asked.push(paths), { job: 7 })) }
  return { basket: makeBasket({ harvests }, { are: 'bytes', handOver }), asked, takenBack }
}

test('in a browser files are uploaded, and the import gets their new paths and the typed ones', async () => {
  const { basket, asked } = browser()
  basket.getState().add(found(fileOf('a.warc'), fileOf('b.arc')))
  basket.getState().type(' /data/crawls \r\n\n/data/c.wacz')
  expect(await basket.getState().start()).toBe(7)
  expect(asked).toEqual([['/incoming/a.warc', '/incoming/b.arc', '/data/crawls', '/data/c.wacz']])
  expect(basket.getState()).toMatchObject({ gathered: [], typed: '', sending: null, starting: false })
})

test('where the shell knows paths no file is uploaded, and folders are passed unchanged', async () => {
  const asked: string[][] = []
  const harvests = { import: ({ paths }: { paths: string[] }) => Promise.resolve((asked.push(paths), { job: 1 })) }
  const basket = makeBasket({ harvests }, { are: 'paths', pathOf: ({ name }) => `/home/ada/${name}` })
  basket.getState().add(found(fileOf('crawls', 4096), fileOf('a.warc')))
  basket.getState().add(found(fileOf('a.warc')))
  await basket.getState().start()
  expect(asked).toEqual([['/home/ada/crawls', '/home/ada/a.warc']])
})

test.each<[string, File[], (string | null)[]]>([
  ['the same file twice is there once', [fileOf('a.warc'), fileOf('a.warc')], [null]],
  ['two files of one name', [fileOf('a.warc', 3), fileOf('a.warc', 4)], [null, 'sameName']],
  ['a file without a byte', [fileOf('a.warc', 0), fileOf('b.warc')], ['empty', null]],
])('%s', (_what, files, problems) => {
  const { basket } = browser()
  basket.getState().add(found(...files))
  expect(basket.getState().gathered.map(({ problem }) => problem)).toEqual(problems)
})

test('a file is included again when the other file of its name is removed', () => {
  const { basket } = browser()
  basket.getState().add(found(fileOf('a.warc', 3), fileOf('a.warc', 4)))
  basket.getState().remove(basket.getState().gathered[0]?.id ?? 0)
  expect(goingIn(basket.getState())).toHaveLength(1)
})

test('a refusal keeps the selection, and removes what was uploaded', async () => {
  const give = vi
    .fn<HandOver['give']>()
    .mockResolvedValueOnce('/incoming/a.warc')
    .mockRejectedValueOnce(new Fault('noSpace', 'no room'))
  const { basket, asked, takenBack } = browser({ give })
  basket.getState().add(found(fileOf('a.warc'), fileOf('b.warc'), fileOf('c.warc')))
  expect(await basket.getState().start()).toBeNull()
  expect(asked).toEqual([])
  expect(takenBack).toEqual(['a.warc', 'b.warc'])
  expect(basket.getState()).toMatchObject({ starting: false, sending: null, refusal: { code: 'noSpace' } })
  expect(basket.getState().gathered).toHaveLength(3)
})

test('stopped by the user: uploads are removed, and no error is shown', async () => {
  const give: HandOver['give'] = (_file, { signal, onProgress }) =>
    new Promise((_resolve, reject) => {
      onProgress(1)
      signal.addEventListener('abort', () => reject(new Fault('stopped', 'stopped')))
    })
  const { basket, takenBack } = browser({ give })
  basket.getState().add(found(fileOf('a.warc')))
  const started = basket.getState().start()
  expect(basket.getState().sending).toMatchObject({ name: 'a.warc', bytesDone: 1, bytesTotal: 3 })
  basket.getState().stop()
  expect(await started).toBeNull()
  expect(takenBack).toEqual(['a.warc'])
  expect(basket.getState().refusal).toBeNull()
})
