import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { lastOutputOf } from './lastOutput.ts'

test('keeps the end of what both streams print, and no more', async () => {
  const [output, errors] = [new PassThrough(), new PassThrough()]
  const lastOutput = lastOutputOf(output, errors)
  output.write('x'.repeat(10_000))
  output.end('first\n')
  errors.end('last\n')
  await Promise.all([output, errors].map((stream) => new Promise((ended) => stream.on('end', ended))))
  expect(lastOutput()).toHaveLength(3_999)
  expect(lastOutput()).toMatch(/x(first\nlast|last\nfirst)$/)
})
