import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { realWorld } from '../../world/real.ts'
import { merged, RunWriter } from './sortedLines.ts'

const world = realWorld()
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-sorted-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function sorted(lines: string[], runBytes: number, atOnceMax: number): Promise<string> {
  const writer = new RunWriter({ world, folder }, runBytes)
  for (const line of lines) await writer.add(line)
  await writer.end()
  const chunks: Buffer[] = []
  for await (const chunk of merged({ world, folder }, writer.runs, atOnceMax)) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** The order of `LC_ALL=C sort`. */
function byBytes(lines: string[]): string {
  return lines
    .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map((line) => `${line}\n`)
    .join('')
}

test('sorts any lines by their bytes without loss or repetition, in any number of runs and passes', async () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replaceAll('\n', ''))
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 60 }),
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 2, max: 5 }),
      async (lines, runBytes, atOnceMax) => {
        expect(await sorted(lines, runBytes, atOnceMax)).toBe(byBytes(lines))
      },
    ),
    { numRuns: 60 },
  )
})

test('handles many lines, and lines longer than one read', async () => {
  const lines = Array.from({ length: 5_000 }, (_, index) => `${(index * 7919) % 5_000} ${'ä'.repeat(index % 90)}`)
  lines.push('x'.repeat(200_000), '', '\u{10000}', '\uffff')
  expect(await sorted(lines, 40_000, 4)).toBe(byBytes(lines))
})

test('removes merged runs as it goes', async () => {
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`)
  await sorted(lines, 10, 3)
  expect((await readdir(folder)).length).toBeLessThanOrEqual(3)
})
