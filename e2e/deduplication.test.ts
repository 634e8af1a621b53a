/** A site whose pictures mostly stay the same, harvested by one job after the other with the real engine. */
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WARCParser } from 'warcio'
import { openEngine, type Engine } from '../src-main/app/engine.ts'
import { textOf } from '../src-main/contract/words/render.ts'
import { recordField, type ArchiveRecord } from '../src-main/formats/records/record.ts'
import { readRecordAt, readRecords } from '../src-main/formats/records/readRecords.ts'
import { sourceOf } from '../src-main/formats/bytes/testing/sourceOf.ts'
import { loupeHere } from './loupeProcess.ts'
import { listen, type Listening } from './sites/server.ts'

const site = 'http://museum.test'
const pictures = 20
/** Pictures from this number on differ in each version of the site. */
const changing = 14

let folder: string
let engine: Engine
let server: Listening
let version = 1
let notModified = 0
let pictureType = 'image/png'

function bodyOf(path: string): Buffer {
  const number = /\/p(\d+)\.png/.exec(path)?.[1]
  if (number === undefined)
    return Buffer.from(
      `<h1>${version}</h1>${Array.from({ length: pictures }, (_, at) => `<img src="/p${at}.png">`).join('')}`,
    )
  const stated = Number(number) < changing ? 1 : version
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(3_000, `picture ${number} of ${stated} `)])
}

function opened(): Promise<Engine> {
  return openEngine({ archiveFolder: join(folder, 'archive'), shell: 'cli', version: '0.0.0', run: true })
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-deduplication-'))
  engine = await opened()
  server = await listen(
    createServer(({ url = '/', headers }, response) => {
      if (url === '/robots.txt') return void response.writeHead(404).end()
      const body = bodyOf(url)
      // Every second picture that stays has a validator.
      const number = Number(/\d+/.exec(url)?.[0] ?? 1)
      const etag = url.endsWith('.png') && number % 2 === 0 ? `"${number < changing ? 1 : version}"` : undefined
      if (etag !== undefined && headers['if-none-match'] === etag) {
        notModified += 1
        return void response.writeHead(304, { ETag: etag }).end()
      }
      response.writeHead(200, {
        'Content-Type': url.endsWith('.png') ? pictureType : 'text/html',
        ...(etag && { ETag: etag }),
      })
      response.end(body)
    }),
  )
})
afterAll(async () => {
  await engine.close()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

type Definition = Parameters<Engine['services']['harvests']['create']>[0]

async function harvested(more: Partial<Definition> = {}): Promise<number> {
  const { harvests, jobs } = engine.services
  const { job } = await harvests.create({
    seeds: [`${site}/`],
    delayMs: 0,
    resolve: { 'museum.test': server.address },
    ...more,
  })
  const isOver = async () => (await jobs.show({ job })).state === 'INACTIVE'
  await expect.poll(isOver, { timeout: 120_000 }).toBe(true)
  return job
}

const logOf = async (job: number) => (await engine.services.jobs.log({ job })).map(({ message }) => textOf(message))

/** The last captures in the content files of a job, by path: the type of the record and its fields. */
async function recordsOf(job: number): Promise<Map<string, ArchiveRecord>> {
  const replica = join(folder, 'archive/replicas/ONE')
  const found = new Map<string, ArchiveRecord>()
  for (const name of (await readdir(replica)).toSorted()) {
    if (!name.startsWith(`${job}-`) || !name.endsWith('.warc.gz')) continue
    const bytes = await readFile(join(replica, name))
    for await (const record of readRecords(sourceOf(bytes)))
      if (record.type === 'response' || record.type === 'revisit') found.set(new URL(record.url ?? '').pathname, record)
  }
  return found
}

/** What the viewer answers for a URL in the current view. */
function asked(path: string): Promise<{ status: number | undefined; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    const asking = request({ ...engine.viewer, path: `${site}${path}`, headers: { host: 'museum.test' } }, (answer) => {
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => resolve({ status: answer.statusCode, body: Buffer.concat(parts) }))
    })
    asking.on('error', reject).end()
  })
}

const paths = ['/', ...Array.from({ length: pictures }, (_, at) => `/p${at}.png`)]
/** Jobs by version of the site, with what the site sent. */
const jobs: { job: number; sent: Map<string, Buffer> }[] = []

async function harvestedVersion(next: number): Promise<number> {
  version = next
  const job = await harvested()
  // A picture that the server reports as unchanged is sent by an earlier version.
  jobs.push({ job, sent: new Map(paths.map((path) => [path, bodyOf(path)])) })
  return job
}

test('the second and the third job store a revisit for every picture that did not change, and nothing else', async () => {
  const first = await harvestedVersion(1)
  expect(new Set([...(await recordsOf(first)).values()].map(({ type }) => type))).toEqual(new Set(['response']))
  for (const next of [2, 3]) {
    notModified = 0
    const job = await harvestedVersion(next)
    const records = await recordsOf(job)
    for (const [path, { type }] of records)
      expect([path, type]).toEqual([path, isUnchanged(path) ? 'revisit' : 'response'])
    expect([...records.keys()].toSorted()).toEqual([...paths, '/robots.txt'].toSorted())
    // Those with a validator were not sent again.
    expect(notModified).toBe(changing / 2)
    for (const path of paths.filter(isUnchanged)) {
      const record = records.get(path)
      const field = (name: string) => record && recordField(record, name)
      expect(field('WARC-Profile')).toMatch(
        isWithValidator(path) ? /server-not-modified$/ : /identical-payload-digest$/,
      )
      expect(field('WARC-Refers-To-Target-URI')).toBe(`${site}${path}`)
      const original = await originalOf(
        field('WARC-Refers-To-Filename') ?? '',
        Number(field('WARC-Refers-To-File-Offset')),
      )
      expect(original).toEqual([field('WARC-Refers-To'), field('WARC-Refers-To-Date'), field('WARC-Payload-Digest')])
    }
  }
})

const isUnchanged = (path: string) => path.startsWith('/p') && Number(/\d+/.exec(path)?.[0]) < changing
const isWithValidator = (path: string) => Number(/\d+/.exec(path)?.[0]) % 2 === 0

/** Id, date and payload digest of the record at a place. */
async function originalOf(name: string, offset: number): Promise<(string | undefined)[]> {
  const bytes = await readFile(join(folder, 'archive/replicas/ONE', name))
  const record = await readRecordAt(sourceOf(bytes), offset)
  if (record?.type !== 'response') return []
  return ['WARC-Record-ID', 'WARC-Date', 'WARC-Payload-Digest'].map((field) => recordField(record, field))
}

test('each job alone, and all of them together, are replayed as the server sent them', async () => {
  const { viewer, missing } = engine.services
  const views = [
    ...jobs.map((each) => ({ jobs: [each.job], of: each })),
    { jobs: jobs.map(({ job }) => job), of: jobs.at(-1) },
  ]
  for (const { jobs: selected, of } of views) {
    await viewer.open({ jobs: selected, untilWhole: true })
    for (const path of paths) {
      const { status, body } = await asked(path)
      expect([selected, path, status, body.equals(of?.sent.get(path) ?? Buffer.alloc(0))]).toEqual([
        selected,
        path,
        200,
        true,
      ])
    }
    expect(await missing.list({})).toEqual([])
  }
})

test('the crawl log names the originals as NetarchiveSuite does, and the log of the job says what was compared', async () => {
  const [, second] = jobs
  const job = second?.job ?? 0
  const metadata = await readFile(join(folder, `archive/replicas/ONE/${job}-metadata-1.warc`))
  const lines = new Map<string, string>()
  for await (const record of readRecords(sourceOf(metadata))) {
    if (!record.url?.includes('/crawl/logs/crawl.log')) continue
    for (const line of (await textIn(record)).split('\n')) {
      const url = /http:\/\/museum\.test\S*/.exec(line)?.[0]
      if (url !== undefined) lines.set(new URL(url).pathname, line)
    }
  }
  const records = await recordsOf(job)
  for (const path of paths) {
    const record = records.get(path)
    const field = (name: string) => (record && recordField(record, name)) ?? ''
    const date = field('WARC-Refers-To-Date').replace(/\D/g, '')
    const place = [field('WARC-Refers-To-Filename'), field('WARC-Refers-To-File-Offset'), date].join(',')
    const line = lines.get(path) ?? ''
    if (!isUnchanged(path)) expect(line).not.toContain('duplicate:')
    else expect(line).toContain(`duplicate:"${place}",warcRevisit:${isWithValidator(path) ? 'notModified' : 'digest'}`)
  }
  expect(await logOf(job)).toContain(
    'Documents are compared with 20 captures of job 1; those that did not change are not stored again.',
  )
})

async function textIn(record: ArchiveRecord): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of record.block()) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** Paths that a job stored as revisits. */
const revisitsOf = async (job: number) =>
  [...(await recordsOf(job))].flatMap(([path, { type }]) => (type === 'revisit' ? [path] : [])).toSorted()

test('the files are valid, and an independent reader reads their revisits', async () => {
  const replica = join(folder, 'archive/replicas/ONE')
  for (const { job } of jobs.slice(1)) {
    const names = (await readdir(replica)).filter((name) => name.startsWith(`${job}-`))
    const checked = await loupeHere('check', ...names.map((name) => join(replica, name)))
    expect([checked.code, checked.stdout]).toEqual([0, expect.stringMatching(/^2 files \(2 good\)/m)])
    const content = names.find((name) => name.endsWith('.warc.gz')) ?? ''
    const read: (string | null | undefined)[] = []
    for await (const record of new WARCParser(createReadStream(join(replica, content))))
      if (record.warcType === 'revisit') read.push(record.warcRefersToTargetURI)
    expect(read.toSorted()).toEqual(
      paths
        .filter(isUnchanged)
        .map((path) => `${site}${path}`)
        .toSorted(),
    )
  }
})

test('an export of one job alone has the originals of its revisits, which are in another', async () => {
  const { exports } = engine.services
  const second = jobs[1]
  const path = join(folder, 'alone.warc.gz')
  const { task } = await exports.start({ jobs: [second?.job ?? 0], format: 'warc', path })
  const found = async () => (await exports.list({})).find((each) => each.task === task)
  await expect.poll(async () => (await found())?.ended !== null, { timeout: 60_000 }).toBe(true)
  expect(await found()).toMatchObject({ state: 'DONE', complete: true, remarks: [] })
  const read = new Map<string, string[]>()
  for await (const { type, url } of readRecords(sourceOf(await readFile(path))))
    if (url !== undefined && (type === 'revisit' || type === 'response'))
      read.set(new URL(url).pathname, [...(read.get(new URL(url).pathname) ?? []), type].toSorted())
  for (const each of paths)
    expect([each, read.get(each)]).toEqual([each, isUnchanged(each) ? ['response', 'revisit'] : ['response']])
  expect((await loupeHere('check', path)).code).toBe(0)
  // One picture alone, without the others.
  const one = join(folder, 'one.warc.gz')
  const narrowed = await exports.start({ jobs: [second?.job ?? 0], format: 'warc', path: one, url: `${site}/p3.png` })
  const narrow = async () => (await exports.list({})).find((each) => each.task === narrowed.task)
  await expect.poll(async () => (await narrow())?.ended !== null, { timeout: 60_000 }).toBe(true)
  const types: string[] = []
  for await (const { type, url } of readRecords(sourceOf(await readFile(one))))
    if (type !== 'warcinfo') types.push(`${type} ${url}`)
  expect(types.toSorted()).toEqual([`response ${site}/p3.png`, `revisit ${site}/p3.png`])
})

test('the index of a job is exported as sorted CDX or CDXJ lines, also of a part', async () => {
  const { exports } = engine.services
  const job = jobs[1]?.job ?? 0
  const written = async (format: 'cdx' | 'cdxj', more: object = {}) => {
    const path = join(folder, `index-${Object.keys(more).length}.${format}`)
    const { task } = await exports.start({ jobs: [job], format, path, ...more })
    const ended = async () => (await exports.list({})).find((each) => each.task === task && each.ended !== null)
    await expect.poll(async () => (await ended()) !== undefined, { timeout: 60_000 }).toBe(true)
    const [header = '', ...lines] = (await readFile(path, 'utf8')).trimEnd().split('\n')
    expect(await ended()).toMatchObject({ state: 'DONE', complete: true, figures: { records: lines.length } })
    expect(lines).toEqual(lines.toSorted())
    return { header, lines }
  }
  const { header, lines } = await written('cdx')
  expect(header).toBe(' CDX N b a m s k r M S V g')
  expect(lines).toHaveLength(paths.length + 1)
  expect(lines.filter((line) => line.includes(' warc/revisit '))).toHaveLength(changing)
  const cdxj = await written('cdxj')
  expect(cdxj.header).toMatch(/^!meta/)
  expect(cdxj.lines).toHaveLength(lines.length)
  const part = await written('cdxj', { url: `${site}/p3.png` })
  expect(part.lines.map((line) => line.split(' ')[0])).toEqual(['test,museum)/p3.png'])
})

test('the ledger says what was saved, what refers to what, and that everything resolves', async () => {
  const { deduplication } = engine.services
  const [first, second, third] = jobs.map(({ job }) => job)
  const byJob = await deduplication.report({})
  expect(byJob.captures).toBe(2 * changing)
  expect(byJob.rows.map(({ name, captures }) => [name, captures]).toSorted()).toEqual([
    [second, changing],
    [third, changing],
  ])
  // Each picture is some hundred bytes when it is compressed, and its revisit as many more than that.
  expect(byJob.bytes).toBe(byJob.rows.reduce((sum, { bytes }) => sum + bytes, 0))
  const byType = await deduplication.report({ by: 'type', jobs: [third ?? 0] })
  expect(byType.rows).toMatchObject([{ name: 'image/png', captures: changing }])
  expect((await deduplication.report({ by: 'host' })).rows).toMatchObject([
    { name: 'museum.test', captures: 2 * changing },
  ])
  const { rows } = await deduplication.references({ fileJob: first ?? 0 })
  expect(rows.map(({ fileJob, job, captures, onlyHere }) => [fileJob, job, captures, onlyHere]).toSorted()).toEqual([
    [first, second, changing, changing],
    [first, third, changing, changing],
  ])
  expect(await deduplication.verify({})).toEqual({
    resolved: 2 * changing,
    unresolved: { rows: [], total: 0 },
    filesMissing: [],
  })
})

test('what can no longer be read is reported, and stored again', async () => {
  const [first] = jobs
  const { archive, deduplication } = engine.services
  const [file] = (await archive.files({ job: first?.job ?? 0, limit: 1 })).rows
  for (const replica of ['ONE', 'TWO'])
    await rename(join(folder, 'archive/replicas', replica, file?.name ?? ''), join(folder, replica))
  const unresolved = async () => (await deduplication.verify({ jobs: [jobs[1]?.job ?? 0] })).unresolved
  const lost = await unresolved()
  expect(lost.total).toBe(changing)
  expect(lost.rows[0] && textOf(lost.rows[0].why)).toMatch(
    /^No replica can provide 1-1-.*, which has its content\. Connect the replica, or repair the file\.$/,
  )
  // What refers to the file is still known.
  const { referredBy } = await archive.affected({ name: file?.name ?? '' })
  expect(referredBy?.find((each) => each.job === jobs[1]?.job)).toMatchObject({
    captures: changing,
    onlyHere: changing,
  })
  const job = await harvested({ deduplication: { match: 'url', jobs: [first?.job ?? 0], excludedTypes: [] } })
  expect(await revisitsOf(job)).toEqual([])
  // The new job has the content.
  expect(await unresolved()).toEqual({ rows: [], total: 0 })
  for (const replica of ['ONE', 'TWO'])
    await rename(join(folder, replica), join(folder, 'archive/replicas', replica, file?.name ?? ''))
})

test('a harvest can compare by payload alone, with other jobs, or not at all, and text as well', async () => {
  const first = jobs[0]?.job ?? 0
  const all = paths.filter((path) => path !== '/').toSorted()
  // The site is as in version 3, and moved to another host name.
  const moved = { seeds: ['http://moved.test/'], resolve: { 'moved.test': server.address } }
  expect(await revisitsOf(await harvested(moved))).toEqual([])
  const named = { jobs: [first] }
  expect(
    await revisitsOf(await harvested({ ...moved, deduplication: { ...named, match: 'url', excludedTypes: [] } })),
  ).toEqual([])
  const byPayload = await harvested({ ...moved, deduplication: { ...named, match: 'payload', excludedTypes: [] } })
  expect(await revisitsOf(byPayload)).toEqual(all.filter(isUnchanged))
  expect(recordField((await recordsOf(byPayload)).get('/p0.png') as ArchiveRecord, 'WARC-Refers-To-Target-URI')).toBe(
    `${site}/p0.png`,
  )
  const withText = await harvested({ deduplication: { match: 'url', excludedTypes: ['image/*'] } })
  expect(await revisitsOf(withText)).toEqual(['/'])
  expect(await revisitsOf(await harvested({ deduplication: { match: 'off', excludedTypes: [] } }))).toEqual([])
})

test('what is a text now is stored in full, whatever it was before', async () => {
  pictureType = 'text/plain'
  // Those with a validator are not sent, so their type is not known.
  const unsent = paths.filter((path) => isUnchanged(path) && isWithValidator(path)).toSorted()
  const job = await harvested({
    deduplication: { match: 'payload', jobs: [jobs[0]?.job ?? 0], excludedTypes: ['text/*'] },
  })
  expect(await revisitsOf(job)).toEqual(unsent)
})

test('after the database was lost and recovered, a further run still refers to the originals in the other job', async () => {
  const [first, second] = jobs.map(({ job }) => job)
  await engine.close()
  for (const end of ['', '-wal', '-shm']) await rm(join(folder, `archive/loupe.db${end}`), { force: true })
  const recovered = await loupeHere('--archive', join(folder, 'archive'), 'recover')
  expect(recovered.code, recovered.stderr).toBe(0)
  engine = await opened()
  pictureType = 'image/png'
  version = 2
  notModified = 0
  await engine.services.jobs.start({ job: second ?? 0 })
  const isOver = async () => (await engine.services.jobs.show({ job: second ?? 0 })).files.length
  // The files of two runs: content and metadata.
  await expect.poll(isOver, { timeout: 120_000 }).toBe(4)
  expect(notModified).toBe(pictures / 2)
  const records = await recordsOf(second ?? 0)
  expect(await revisitsOf(second ?? 0)).toEqual(paths.toSorted())
  for (const path of paths.filter(isUnchanged)) {
    const record = records.get(path)
    const field = (name: string) => record && recordField(record, name)
    expect(field('WARC-Refers-To-Filename')).toMatch(new RegExp(`^${first}-`))
    const original = await originalOf(
      field('WARC-Refers-To-Filename') ?? '',
      Number(field('WARC-Refers-To-File-Offset')),
    )
    expect(original).toEqual([field('WARC-Refers-To'), field('WARC-Refers-To-Date'), field('WARC-Payload-Digest')])
  }
})
