import { expect, test } from 'vitest'
import { samplePdf } from '../../../formats/text/testing/samplePdf.ts'
import { realWorld } from '../../../world/real.ts'
import { documentReader } from './documentReader.ts'

test('a PDF that takes too long is a finding, and the next documents are read', async () => {
  const source = (body: Buffer) => ({
    url: 'http://a.test/a.pdf',
    mediaType: 'application/pdf',
    charset: undefined,
    body,
  })
  const long = samplePdf(
    'Long',
    Array.from({ length: 3_000 }, (_, page) => `page ${page}`),
  )
  const reader = documentReader(realWorld(), { pdfMsMax: 1 })
  try {
    const slow = await reader.read(source(long), 'pdf')
    expect(slow).toMatchObject({ text: '', findings: [{ rule: 'pdfTooSlow', severity: 'warning' }] })
    const page = await reader.read({ ...source(Buffer.from('<p>after it')), mediaType: 'text/html' }, 'page')
    expect(page.text).toBe('after it')
  } finally {
    reader.close()
  }
})
