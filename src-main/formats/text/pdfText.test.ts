import { expect, test } from 'vitest'
import { pdfText } from './pdfText.ts'
import { samplePdf } from './testing/samplePdf.ts'

const read = (body: Uint8Array) => pdfText(Uint8Array.from(body))

test('the text layer of all pages, with what the file says about itself', async () => {
  const found = await read(samplePdf('A report', ['First page', 'Second page']))
  expect(found).toMatchObject({ title: 'A report', language: 'de-at', text: 'First page\nSecond page', findings: [] })
})

test('without a title, the first line is the title', async () => {
  expect(await read(samplePdf('', ['First page']))).toMatchObject({ title: 'First page' })
})

test.each<[what: string, body: Uint8Array, rule: string]>([
  ['a PDF without structure', Buffer.from('%PDF-1.7 nonsense'), 'pdfUnreadable'],
  ['a truncated PDF', samplePdf('A', ['B']).subarray(0, 60), 'pdfUnreadable'],
  ['an empty file', new Uint8Array(0), 'pdfUnreadable'],
  ['a PDF with a password', samplePdf('A', ['B'], `/ID[<${'0'.repeat(32)}><${'0'.repeat(32)}>]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O(${'x'.repeat(32)})/U(${'y'.repeat(32)})>>`), 'pdfLocked'], // prettier-ignore
])('%s is a finding', async (_, body, rule) => {
  const { text, findings } = await read(body)
  expect(text).toBe('')
  expect(findings.map((found) => found.rule)).toEqual([rule])
})

test('a PDF that is cut anywhere never rejects', async () => {
  const whole = samplePdf('A report', ['First page'])
  for (let bytes = 0; bytes < whole.length; bytes += 23) await read(whole.subarray(0, bytes))
})
