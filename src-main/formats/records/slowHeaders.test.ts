/** Headers made to take time: each of them took minutes, or much longer, with a way of reading that looks
 *  back. The test runner's own bound on a test is what they are held to. */
import { expect, test } from 'vitest'
import { sourceOf } from '../bytes/testing/sourceOf.ts'
import { readRecords } from './readRecords.ts'

async function read(text: string): Promise<{ count: number; rules: string[]; lastValue: string | undefined }> {
  const rules: string[] = []
  let count = 0
  let lastValue: string | undefined
  const source = sourceOf(Buffer.from(text, 'latin1'))
  for await (const record of readRecords(source, { onFinding: ({ rule }) => rules.push(rule) })) {
    count++
    lastValue = record.fields.at(-1)?.[1]
    rules.push(...(await record.finish()).findings.map(({ rule }) => rule))
  }
  return { count, rules, lastValue }
}

const versionBlock = 'filedesc://a.arc 0.0.0.0 20200101000000 text/plain 3\nabc\n'

test.each([
  ['blanks up to a lone CR', `http://a/${' '.repeat(4000)}\rx\n`],
  ['what may be addresses and dates, and no last word', `http://a/${' -'.repeat(30_000)} \n`],
  ['addresses and dates in a row', `http://a/${' 1.1.1.1 20000101000000 5'.repeat(2000)}x\n`],
])('a line of an ARC: %s', async (_, line) => {
  expect((await read(versionBlock + line)).count).toBeLessThanOrEqual(2)
})

function warcRecord(lines: string): string {
  return `WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 0\r\n${lines}\r\n\r\n\r\n`
}

test('a value folded a hundred thousand times takes linear time', async () => {
  const { count, rules, lastValue } = await read(warcRecord(`X:\r\n${' y\r\n \r\n'.repeat(100_000)}`))
  expect([count, rules, lastValue?.length]).toEqual([1, [], 2 * 100_000 - 1])
})

test('half a million lines without a field give a bounded number of findings', async () => {
  const { count, rules } = await read(warcRecord('x\n'.repeat(500_000)).repeat(5))
  expect([count, rules.length]).toEqual([5, 500])
})
