/** `loupe export` from the command line: a harvest is exported, read by independent readers, and imported into another archive, which
 *  then has the same records. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as yauzl from 'yauzl'
import { z } from 'zod'
import { openEngine } from '../../src-main/app/engine.ts'
import { newRecord, recordBytes } from '../../src-main/formats/records/warcWriter.ts'
import { initArchive, loupeHere, startLoupe } from '../loupeProcess.ts'
import { witnessFile, type Witnessed } from '../witness.ts'
import { harvestedMuseum, type Harvested } from './harvested.ts'

let museum: Harvested
const exportsOf = (archive: string, ...words: string[]) => loupeHere('--archive', archive, '--json', 'export', ...words)
const answerShape = z.object({ records: z.number(), bytes: z.number(), verified: z.literal(true) })

beforeAll(async () => {
  museum = await harvestedMuseum()
})
afterAll(() => museum.close())

/** The type, address and digests of every record, in which two archives must agree; the digests must match those that the witness
 *  computes. */
function saidBy(records: Witnessed[]): string[] {
  for (const { block, payload } of records) {
    expect(block.found).toBe(block.claimed)
    expect(payload?.found).toBe(payload?.claimed)
  }
  return records.map(({ type, url, block, payload }) => [type, url, block.claimed, payload?.claimed].join(' ')).sort()
}

async function inReplica(archive: string, choose: (name: string) => boolean): Promise<Witnessed[]> {
  const folder = join(archive, 'replicas/ONE')
  const names = (await readdir(folder)).filter((name) => /\.warc(\.gz)?$/.test(name) && choose(name))
  return (await Promise.all(names.map((name) => witnessFile(join(folder, name))))).flat()
}

/** Imports the file into a new archive and returns its records. */
async function imported(path: string): Promise<Witnessed[]> {
  return withoutReport(await importedInto(path))
}

async function importedInto(path: string): Promise<string> {
  const archive = await initArchive(await mkdtemp(join(museum.folder, 'imported-')))
  const { code, stderr } = await loupeHere('--archive', archive, '--json', 'import', path)
  expect([0, 1], stderr).toContain(code)
  return archive
}

/** The records without Loupe's report of the import. */
const withoutReport = (archive: string) => inReplica(archive, (name) => name !== '1-metadata-1.warc')

test('a WARC of a whole job: other readers accept it, and another archive imports the same records', async () => {
  const path = join(museum.folder, 'whole.warc.gz')
  const { code, stdout, stderr } = await exportsOf(museum.archive, '--jobs', '1', '--format', 'warc', path)
  expect(code, stderr).toBe(0)
  const { records, bytes } = answerShape.parse(JSON.parse(stdout))
  const original = saidBy(await inReplica(museum.archive, () => true))
  const written = await witnessFile(path)
  expect(saidBy(written)).toEqual(original)
  expect(written).toHaveLength(records)
  expect((await readFile(path)).length).toBe(bytes)
  expect(saidBy(await imported(path))).toEqual(original)
})

test('imported records are exported and imported again: every record with its digests, and none invented', async () => {
  const path = join(museum.folder, museum.file)
  const replica = join(museum.archive, 'replicas/ONE', museum.file)
  const original = saidBy(await witnessFile(replica))
  const archive = await importedInto(replica)
  expect(saidBy(await withoutReport(archive))).toEqual(original)
  const { code, stderr } = await exportsOf(archive, '--jobs', '1', '--format', 'warc', path)
  expect(code, stderr).toBe(0)
  const written = saidBy(await witnessFile(path))
  expect(written).toEqual(saidBy(await inReplica(archive, () => true)))
  expect(written).toEqual(expect.arrayContaining(original))
  expect(saidBy(await imported(path))).toEqual(written)
})

test.each(['1.1.1', '1.2.0'])(
  'a WACZ %s: yauzl opens it, its index finds every record, another archive has the same',
  async (version) => {
    const path = join(museum.folder, `whole-${version}.wacz`)
    const words = ['--jobs', '1', '--format', 'wacz', '--wacz-version', version, '--sign', path]
    const { code, stdout, stderr } = await exportsOf(museum.archive, ...words)
    expect(code, stderr).toBe(0)
    answerShape.parse(JSON.parse(stdout))
    const entries = await unzipped(path)
    expect([...entries.keys()].toSorted()).toEqual([
      'archive/data.warc.gz',
      'datapackage-digest.json',
      'datapackage.json',
      'indexes/index.cdx.gz',
      'indexes/index.idx',
      'pages/pages.jsonl',
    ])
    const data = entries.get('archive/data.warc.gz') ?? Buffer.alloc(0)
    const inside = join(museum.folder, `inside-${version}.warc.gz`)
    await writeFile(inside, data)
    const original = saidBy(await inReplica(museum.archive, () => true))
    expect(saidBy(await witnessFile(inside))).toEqual(original)
    const place = z.object({ url: z.string(), offset: z.coerce.number(), length: z.coerce.number() })
    const index = gunzipSync(entries.get('indexes/index.cdx.gz') ?? Buffer.alloc(0)).toString('utf8')
    const captures = index
      .trim()
      .split('\n')
      .map((line) => place.parse(JSON.parse(line.slice(line.indexOf('{')))))
    for (const { url, offset, length } of captures)
      expect(gunzipSync(data.subarray(offset, offset + length)).toString('latin1')).toContain(
        `WARC-Target-URI: ${url}\r\n`,
      )
    const pages = (entries.get('pages/pages.jsonl') ?? '').toString()
    expect(pages).toContain(`"url":"${museum.site.origin}/"`)
    expect(pages).toContain('"title":"Welcome – Museum of Small Things"')
    expect(saidBy(await imported(path))).toEqual(original)
  },
)

test('a part of a job: captures below a URL, with their requests', async () => {
  const path = join(museum.folder, 'part.warc.gz')
  const address = `${museum.site.origin}/collection`
  const { code, stderr } = await exportsOf(museum.archive, '--jobs', '1', '--format', 'warc', '--url', address, path)
  expect(code, stderr).toBe(0)
  const original = (await inReplica(museum.archive, () => true)).filter(({ url }) => url.startsWith(`${address}/`))
  const [info, ...rest] = await witnessFile(path)
  expect(info?.type).toBe('warcinfo')
  expect(saidBy(rest)).toEqual(saidBy(original))
  expect(rest.filter(({ type }) => type === 'request').length).toBeGreaterThan(1)
})

test('a table has a row for each capture', async () => {
  const path = join(museum.folder, 'captures.csv')
  const { code, stdout, stderr } = await exportsOf(museum.archive, '--jobs', '1', '--format', 'csv', path)
  expect(code, stderr).toBe(0)
  const responses = (await inReplica(museum.archive, () => true)).filter(({ type }) => type === 'response')
  expect(JSON.parse(stdout)).toMatchObject({ records: responses.length, verified: true, complete: true })
  const rows = (await readFile(path, 'utf8')).trim().split('\r\n').slice(1)
  expect(rows.map((row) => row.split(',')[0]).toSorted()).toEqual(responses.map(({ url }) => url).toSorted())
})

test('refusals', async () => {
  const there = join(museum.folder, 'there')
  await writeFile(there, 'mine')
  const next = join(museum.folder, 'not-made')
  const rows: [words: string[], code: number, stderr: RegExp][] = [
    [['--jobs', '1', '--format', 'warc', there], 4, /already exists/],
    [['--jobs', '9', '--format', 'warc', next], 3, /There is no job 9/],
    [['--jobs', '1', '--format', 'zip', next], 2, /zip/],
    [['--jobs', '1', next], 2, /--format/],
    [['--format', 'csv', next], 2, /--jobs/],
    [['--jobs', '1', '--format', 'warc', '--sign', next], 2, /--sign/],
    [['--jobs', '1', '--format', 'warc', '--from', 'soon', next], 2, /A time looks like/],
    [['--jobs', '1', '--format', 'warc', '--url', 'nowhere.test', next], 3, /job 1 has no records under nowhere\.test/],
    [
      ['--jobs', '1', '--format', 'csv', '--to', '1999', next],
      3,
      /job 1 has no records up to 1999-12-31T23:59:59\.999Z/,
    ],
  ]
  for (const [words, code, stderr] of rows) {
    const ended = await exportsOf(museum.archive, ...words)
    expect([words.join(' '), ended.code]).toEqual([words.join(' '), code])
    expect(JSON.parse(ended.stdout)).toMatchObject({ error: { message: expect.stringMatching(stderr) as string } })
    expect(ended.stderr).toMatch(stderr)
  }
  expect(await readFile(there, 'utf8')).toBe('mine')
  expect((await readdir(museum.folder)).filter((name) => /not-made|\.part$/.test(name))).toEqual([])
})

test('a stopped or killed export leaves no file; the next start removes partial files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loupe-export-'))
  try {
    const archive = await initArchive(join(folder, 'archive'))
    const large = join(folder, 'large.warc')
    await writeFile(large, largeWarc())
    expect([0, 1]).toContain((await loupeHere('--archive', archive, 'import', large)).code)
    const target = join(folder, 'out', '..', 'new.warc.gz')
    const words = ['--archive', archive, 'export', '--jobs', '1', '--format', 'warc', target]

    const stopped = startLoupe(words)
    await stopped.line(/Export \d+ writes/, 'stderr')
    stopped.child.kill('SIGINT')
    expect((await stopped.ended).code).toBe(130)
    expect(await readdir(folder)).toEqual(['archive', 'large.warc'])

    const killed = startLoupe(words)
    await killed.line(/Export \d+ writes/, 'stderr')
    killed.child.kill('SIGKILL')
    await killed.ended
    expect(existsSync(join(folder, 'new.warc.gz'))).toBe(false)
    const engine = await openEngine({ archiveFolder: archive, shell: 'cli', version: '0.0.0', run: false })
    const states = (await engine.services.exports.list({})).map(({ state }) => state)
    await engine.close()
    expect(states).toEqual(['INTERRUPTED', 'STOPPED'])
    expect(await readdir(folder)).toEqual(['archive', 'large.warc'])

    const { code, stderr } = await loupeHere(...words)
    expect(code, stderr).toBe(0)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

/** A WARC of incompressible records, large enough that a signal arrives while they are written. */
function largeWarc(): Buffer {
  return Buffer.concat(
    Array.from({ length: 60 }, (_, index) =>
      recordBytes(
        newRecord({
          type: 'resource',
          id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
          dateMs: Date.UTC(2026, 10, 20),
          fields: [['WARC-Target-URI', `http://large.test/${index}`]],
          contentType: 'application/octet-stream',
          block: [randomBytes(1_000_000)],
        }),
      ),
    ).flat(),
  )
}

/** Unpacks a ZIP with an independent reader, which verifies the checksums. */
async function unzipped(path: string): Promise<Map<string, Buffer>> {
  const zip = await yauzl.openPromise(path, { strictFileNames: true, validateEntrySizes: true })
  const entries = new Map<string, Buffer>()
  try {
    for await (const entry of zip.eachEntry()) {
      const parts: Buffer[] = []
      for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part as Buffer)
      entries.set(entry.fileName, Buffer.concat(parts))
    }
  } finally {
    zip.close()
  }
  return entries
}
