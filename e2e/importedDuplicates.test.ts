/** A deduplicated job of NetarchiveSuite and the older job that has its image, imported as two jobs: the deduplicated one is viewed alone,
 *  explained, listed and exported. */
import { message } from '../src-main/contract/words/message.ts'
import { textOf } from '../src-main/contract/words/render.ts'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEngine, type Engine } from '../src-main/app/engine.ts'
import * as made from '../src-main/crawl/import/testing/archiveSamples.ts'
import { sha1Base32 } from '../src-main/formats/bytes/digest.ts'
import { newRecord, recordBytes } from '../src-main/formats/records/warcWriter.ts'
import { loupeHere } from './loupeProcess.ts'

const site = 'http://museum.example/'
const image = `${site}entrance.png`
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const digest = sha1Base32([png])

let folder: string
let engine: Engine
let older: number
let deduplicated: number

/** An ARC file of Heritrix 1: each record follows a line with its length. */
function arcWithImage(): { bytes: Buffer; offset: number } {
  const [description = Buffer.alloc(0)] = made.arcRecords()
  const answer = Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n'), png])
  const line = Buffer.from(`${image} 192.0.2.7 20080430204830 image/png ${answer.length}\n`)
  return { bytes: Buffer.concat([description, line, answer, Buffer.from('\n')]), offset: description.length }
}

function metadata(offset: number): Buffer {
  const lines = [
    `2011-06-23T17:12:08.802Z   200       1299 ${site} - - text/html #014 20110623171208574+225 ${digest} ${site} content-size:1500`,
    `2011-06-23T17:12:09.802Z   200         16 ${image} E ${site} image/png #016 20110623171209546+22 ${digest} ${site} duplicate:"1-1-20080430-00000.arc,${offset},20080430204830",content-size:61`,
    `2011-06-23T17:12:10.802Z   200         16 ${site}lost.png E ${site} image/png #016 20110623171210546+22 ${digest} ${site} duplicate:"9-9-never.arc,77",content-size:61`,
  ]
  const log = newRecord({
    ...{ type: 'resource', id: '00000000-0000-4000-8000-000000000009', dateMs: made.madeAtMs },
    fields: [['WARC-Target-URI', 'metadata://netarkivet.dk/crawl/logs/crawl.log?heritrixVersion=3.4.0&jobid=5']],
    ...{ contentType: 'text/plain', block: [Buffer.from(`${lines.join('\n')}\n`)] },
  })
  return Buffer.concat([...made.warcRecords().slice(0, 1), ...recordBytes(log)])
}

async function imported(files: Record<string, Buffer>): Promise<number> {
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
  const { job } = await engine.services.harvests.import({ paths: Object.keys(files).map((name) => join(folder, name)) })
  const isOver = async () => (await engine.services.jobs.show({ job })).state === 'INACTIVE'
  await expect.poll(isOver, { timeout: 120_000 }).toBe(true)
  return job
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-duplicates-'))
  engine = await openEngine({ archiveFolder: join(folder, 'archive'), shell: 'cli', version: '0.0.0', run: true })
})

afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

function asked(url: string): Promise<{ status: number | undefined; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    const asking = request({ ...engine.viewer, path: url, headers: { host: new URL(url).host } }, (answer) => {
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => resolve({ status: answer.statusCode, body: Buffer.concat(parts) }))
    })
    asking.on('error', reject).end()
  })
}

test('both are imported', async () => {
  const { bytes, offset } = arcWithImage()
  older = await imported({ '1-1-20080430-00000.arc': bytes })
  deduplicated = await imported({
    '5-3-00001.warc.gz': made.gzipped(made.warcRecords(site)),
    '5-metadata-1.warc': metadata(offset),
  })
  expect(deduplicated).toBeGreaterThan(older)
})

test('the image of the deduplicated job is served from the other job, and is not reported missing', async () => {
  const { viewer, missing } = engine.services
  await viewer.open({ jobs: [deduplicated], untilWhole: true })
  expect(await asked(image)).toEqual({ status: 200, body: png })
  expect(await missing.list({})).toEqual([])
  const explained = await viewer.explain({ url: image })
  expect(explained).toMatchObject({ answeredBy: 'exactCapture', reasons: [], elsewhere: [] })
  expect(explained.candidates).toMatchObject([
    { captured: '2011-06-23T17:12:09.802Z', job: deduplicated, recordType: 'duplicate', isUsed: true },
  ])
  expect(explained.revisitHops).toMatchObject([{ captured: '2008-04-30T20:48:30.000Z', job: older, isUsed: true }])
  const listed = await asked(`http://loupe.viewer.invalid/cdx?url=${image}&output=cdx11`)
  expect(listed.body.toString().split('\n')[1]).toMatch(
    /^example,museum\)\/entrance\.png 20110623171209 http:\/\/museum\.example\/entrance\.png image\/png 200 [A-Z2-7]{32} - - - \d+ 1-1-20080430-00000\.arc$/,
  )
})

test('a duplicate without its original is an error of the view, not a missing URL', async () => {
  const { viewer, missing } = engine.services
  expect((await asked(`${site}lost.png`)).status).toBe(503)
  expect(await missing.list({})).toEqual([])
  const [error] = await viewer.errors({})
  expect(error).toMatchObject({ kind: 'unreadable', url: `${site}lost.png` })
  expect(error && textOf(error.why)).toBe(
    'The crawl log in 5-metadata-1.warc names the record in 9-9-never.arc at offset 77 as the original of this duplicate. The archive has no file 9-9-never.arc. Import it to show this capture.',
  )
})

test('an export of the deduplicated job alone contains the image, is valid, and reports missing originals', async () => {
  const { exports } = engine.services
  const path = join(folder, 'alone.warc.gz')
  const { task: id } = await exports.start({ jobs: [deduplicated], format: 'warc', path, url: site })
  const ended = async () => (await exports.list({})).find((each) => each.task === id)
  await expect.poll(async () => (await ended())?.ended !== null, { timeout: 60_000 }).toBe(true)
  const summary = await ended()
  expect(summary).toMatchObject({ state: 'DONE_INCOMPLETE', problem: null, complete: false })
  expect(summary?.remarks).toContainEqual(
    message('export.originals.lost', {
      count: 1,
      first: message('export.place', { file: '9-9-never.arc', offset: 77 }),
    }),
  )
  expect((await readFile(path)).length).toBeGreaterThan(0)
  const checked = await loupeHere('check', path)
  expect([checked.code, checked.stdout]).toEqual([0, expect.stringMatching(/^1 file \(1 good\)/m)])
  const job = await imported({ 'again.warc.gz': await readFile(path) })
  await engine.services.viewer.open({ jobs: [job], untilWhole: true })
  expect(await asked(image)).toEqual({ status: 200, body: png })
})

test('the CDX of the deduplicated job names the places of the originals, as NetarchiveSuite makes it from crawl logs', async () => {
  const { exports } = engine.services
  const path = join(folder, 'alone.cdx')
  const { task: id } = await exports.start({ jobs: [deduplicated], format: 'cdx', path })
  await expect.poll(async () => (await exports.list({})).find((each) => each.task === id)?.ended ?? null).not.toBeNull()
  const lines = (await readFile(path, 'utf8')).split('\n')
  expect(lines.find((line) => line.includes('entrance.png'))).toMatch(
    /^example,museum\)\/entrance\.png 20110623171209 \S+ image\/png 200 [A-Z2-7]{32} - - - \d+ 1-1-20080430-00000\.arc$/,
  )
})
