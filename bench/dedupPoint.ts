/** One point of the comparison of formats for a deduplication index (`dedup.ts`): an index of `--size` captures in `--format`
 *  (`dedupFormats.ts`), built and then asked, in a process of its own. Prints one line of JSON. */
import { hash } from 'node:crypto'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { spellDigest } from '../src-main/formats/bytes/digest.ts'
import { surt } from '../src-main/formats/cdx/surt.ts'
import { realWorld } from '../src-main/world/real.ts'
import { captureNumber } from './capturedFiles.ts'
import { formats, type Made } from './dedupFormats.ts'
import { ownPeakBytes, percentileOf, spreadOf } from './measure.ts'

/** Figures of one format and size. */
export interface DedupPoint {
  format: keyof typeof formats
  size: number
  capturesPerSecond: number
  /** Of a URL that is in the index, and of one that is not. */
  foundUs: number
  foundUsP99: number
  absentUs: number
  absentUsP99: number
  /** By payload; null: the format has no such lookup. */
  payloadUs: number | null
  peakBytes: number
  diskBytes: number
}

const world = realWorld()
const { values } = parseArgs({
  options: { size: { type: 'string', default: '100000' }, format: { type: 'string', default: 'file' } },
})
const size = Number(values.size)
/** Captures of one archive file. */
const perFile = 50_000
const [lookups, uncounted] = [20_000, 2_000]

/** Every capture has a URL and a digest of its own. */
function* captures(): Generator<Made> {
  for (let number = 0; number < size; number++) yield captureOf(number)
}

function captureOf(number: number): Made {
  const { atMs } = captureNumber(number, size)
  const url = `http://www.host-${number % 500}.example/folder/picture-${number}.png`
  const digest = spellDigest({ algorithm: 'sha1', hex: hash('sha1', String(number)) })
  const place = { file: Math.floor(number / perFile), offset: (number % perFile) * 1_200 }
  return { url, key: surt(url), digest, atMs, ...place }
}

const fileNames = Array.from({ length: Math.ceil(size / perFile) }, (_, at) => `1-${at}.warc.gz`)

async function timed(count: number, look: (number: number) => Promise<boolean>, expected: boolean): Promise<number[]> {
  const took: number[] = []
  for (let at = 0; at < uncounted + count; at++) {
    const number = world.chance.below(size)
    const beganMs = performance.now()
    const found = await look(number)
    took.push((performance.now() - beganMs) * 1000)
    if (found !== expected) throw new Error(`capture ${number}: ${found}`)
  }
  return took.slice(uncounted)
}

const folder = await mkdtemp(join(tmpdir(), 'loupe-dedup-'))
const path = join(folder, 'index.dedup')
try {
  const format = values.format as keyof typeof formats
  const beganMs = performance.now()
  const opened = await formats[format](path, { size, captures: captures(), fileNames })
  const buildMs = performance.now() - beganMs
  const index = await opened()
  const count = format === 'blocks' ? lookups / 10 : lookups
  const found = await timed(count, (number) => index.find(captureOf(number).key), true)
  const absent = await timed(count, (number) => index.find(`${captureOf(number).key}?absent`), false)
  const { findPayload } = index
  const payload = findPayload && (await timed(count, (number) => findPayload(captureOf(number).digest), true))
  await index.close()
  const point: DedupPoint = {
    ...{ format, size, capturesPerSecond: (size * 1000) / buildMs },
    ...{ foundUs: spreadOf(found).median, foundUsP99: percentileOf(found, 99) },
    ...{ absentUs: spreadOf(absent).median, absentUsP99: percentileOf(absent, 99) },
    payloadUs: payload ? spreadOf(payload).median : null,
    peakBytes: await ownPeakBytes(),
    diskBytes: (await stat(path)).size,
  }
  console.log(JSON.stringify(point))
} finally {
  await rm(folder, { recursive: true })
}
