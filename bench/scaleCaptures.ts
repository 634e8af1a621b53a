/** One point of the scale curve of the capture index (`scale.ts`): an index of `--size` captures, built step by step from CDXJ lines as
 *  `indexes/build` does, in a process of its own. The lines are made file by file and removed when they are in the index, because those of
 *  10^8 captures take 30 GB. Prints one line of JSON. */
import { hash } from 'node:crypto'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { selectionOf } from '../src-main/contract/shapes/selection.ts'
import { canonicaliserVersion, cdxjHeader } from '../src-main/formats/cdx/canonicaliser.ts'
import { cdxjLine } from '../src-main/formats/cdx/cdxj.ts'
import { surt } from '../src-main/formats/cdx/surt.ts'
import { spellDigest } from '../src-main/formats/bytes/digest.ts'
import type { BuildInput, BuildReport } from '../src-main/indexes/build/buildIndex.thread.ts'
import { wholeIndexOver } from '../src-main/indexes/captures/captureIndex.ts'
import { captureSchema } from '../src-main/indexes/captures/captureIndex.sql.ts'
import { keptIn, manifestOf, manifestRows } from '../src-main/indexes/captures/manifest.ts'
import { openDerived } from '../src-main/storage/storage.ts'
import { realWorld } from '../src-main/world/real.ts'
import { captureNumber } from './capturedFiles.ts'
import { ownPeakBytes, percentileOf, spreadOf } from './measure.ts'
import type { CapturesPoint } from './scalePoints.ts'

const { values } = parseArgs({ options: { size: { type: 'string', default: '100000' } } })
const size = Number(values.size)
/** Captures of one archive file: a WARC file of 1 GB has about this many. */
const perFile = Math.min(size, 50_000)
/** Lookups that are measured, after some that are not: they let the code be compiled. */
const [lookups, uncounted] = [20_000, 2_000]
const job = 1

const world = realWorld()
const folder = await mkdtemp(join(tmpdir(), 'loupe-scale-'))
const database = join(folder, 'captures.db')
try {
  const buildMs = await build()
  console.log(JSON.stringify(await measure(buildMs)))
} finally {
  await rm(folder, { recursive: true })
}

/** Time of all steps of the build, without the time in which the lines were made. */
async function build(): Promise<number> {
  const module = new URL('../src-main/indexes/build/buildIndex.thread.ts', import.meta.url)
  let taken = 0
  let captures = 0
  const step = async (input: Pick<BuildInput, 'files' | 'whole'>) => {
    const beganMs = performance.now()
    const before = captures
    await world.threads.run<BuildInput, void, BuildReport>(
      module,
      { database, isRead: false, ...input },
      { onReport: (report) => (captures = before + report.captures) },
    )
    taken += performance.now() - beganMs
  }
  const files = Array.from({ length: Math.ceil(size / perFile) }, (_, at) => ({ name: `1-${at}.warc.gz`, job }))
  for (const [at, { name }] of files.entries()) {
    const lines = join(folder, `${name}.cdxj`)
    await writeLines(lines, { name, from: at * perFile, to: Math.min(size, (at + 1) * perFile) })
    await step({ files: [{ name, job, lines }] })
    await rm(lines)
  }
  if (captures !== size) throw new Error(`the index has ${captures} captures and not ${size}`)
  const manifest = manifestOf(
    { selection: selectionOf({ jobs: [job] }), jobs: [job], jobsMissing: [] },
    { files, filesMissing: [] },
  )
  await step({ files: [], whole: manifestRows({ manifest, captures }) })
  return taken
}

/** Writes the sorted CDXJ lines of an archive file with these captures. */
async function writeLines(path: string, { name, from, to }: { name: string; from: number; to: number }): Promise<void> {
  const lines = Array.from({ length: to - from }, (_, at) => {
    const { url, atMs } = captureNumber(from + at, size)
    return cdxjLine({
      ...{ key: surt(url), timestampMs: atMs, url, mediaType: 'text/html', status: 200 },
      ...{ payloadDigest: digestOf(from + at), offset: at * 1_200, length: 1_200, filename: name },
      recordType: 'response',
    })
  })
  lines.sort((a, b) => (a < b ? -1 : 1))
  const file = await open(path, 'wx')
  await file.writeFile(`${cdxjHeader(canonicaliserVersion)}\n${lines.join('\n')}\n`)
  await file.close()
}

/** A digest of its own for each capture. */
function digestOf(number: number): string {
  return spellDigest({ algorithm: 'sha1', hex: hash('sha1', String(number)) })
}

async function measure(buildMs: number): Promise<CapturesPoint> {
  const store = openDerived(database, captureSchema)
  const kept = keptIn(store)
  if (kept === undefined) throw new Error('the index has no manifest')
  const index = wholeIndexOver(store, { kept, world })
  const lookupUs = Array.from({ length: uncounted + lookups }, () => {
    const { url, atMs } = captureNumber(world.chance.below(size), size)
    const startMs = performance.now()
    const found = index.nearest({ url, moment: { kind: 'nearest', atMs } })
    const us = (performance.now() - startMs) * 1000
    if (found?.timestampMs !== atMs) throw new Error(`${url} at ${atMs} was not found`)
    return us
  }).slice(uncounted)
  index.close()
  return {
    size,
    capturesPerSecond: (size * 1000) / buildMs,
    lookupUs: spreadOf(lookupUs).median,
    lookupUsP99: percentileOf(lookupUs, 99),
    peakBytes: await ownPeakBytes(),
    diskBytes: (await stat(database)).size,
  }
}
