import { expect, test } from 'vitest'
import { batchesByFile, type ExportedDuplicate } from './duplicates.ts'

const url = 'http://a.test/'

function duplicate(filename: string, offset: number): ExportedDuplicate {
  const original = { filename, offset, url, timestampMs: null }
  return { url, timestampMs: 0, status: 200, mediaType: 'image/png', payloadDigest: '', job: 1, original }
}

async function* listed(places: readonly [string, number][]): AsyncGenerator<ExportedDuplicate> {
  for (const [filename, offset] of places) yield await Promise.resolve(duplicate(filename, offset))
}

async function batchesOf(places: readonly [string, number][]): Promise<string[][]> {
  const batches: string[][] = []
  for await (const batch of batchesByFile(listed(places), 2))
    batches.push(batch.map(({ original }) => `${original.filename} ${original.offset}`))
  return batches
}

test.each<[string, [string, number][], string[][]]>([
  ['nothing', [], []],
  [
    'different files',
    [
      ['a', 1],
      ['b', 1],
    ],
    [['a 1'], ['b 1']],
  ],
  [
    'more of a file than fit',
    [
      ['a', 1],
      ['a', 2],
      ['a', 3],
    ],
    [['a 1', 'a 2'], ['a 3']],
  ],
  [
    'more of one original than fit',
    [
      ['a', 1],
      ['a', 1],
      ['a', 1],
    ],
    [['a 1', 'a 1'], ['a 1']],
  ],
])('groups %s', async (_, places, batches) => {
  expect(await batchesOf(places)).toEqual(batches)
})
