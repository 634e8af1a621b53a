/** Jobs of NetarchiveSuite, imported with the metadata files that contain their crawl logs, as WARC and as ARC.
 *  The logs explain what is missing in a view, in the list of missing resources and in an explanation. */

import { textOf } from '../src-main/contract/words/render.ts'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEngine, type Engine } from '../src-main/app/engine.ts'
import * as made from '../src-main/crawl/import/testing/archiveSamples.ts'
import { newRecord, recordBytes } from '../src-main/formats/records/warcWriter.ts'

let folder: string
let engine: Engine

const site = 'http://museum.example/'
const digest = 'sha1:YIUOKDGOLGI5JYHDTXRFFQ5FF4N2EJRV'
/** Log lines of Heritrix: version 3 with ISO 8601 times, version 1 with 17-digit times. */
const heritrix3 = [
  `2011-06-23T17:12:08.802Z   200       1299 ${site} - - text/html #014 20110623171208574+225 ${digest} ${site} content-size:1500`,
  `2011-06-23T17:12:09.591Z -9998          - ${site}staff LE ${site} unknown #025 - - ${site} -`,
  `2011-06-23T17:12:10.000Z -5003          - ${site}more L ${site} unknown #025 - - ${site} Q:groupMaxFetchSuccesses`,
  `2011-06-23T17:12:11.000Z   200         10 ${site}elsewhere L ${site} text/html #025 20110623171211000+5 ${digest} ${site} -`,
]
const heritrix1 = [
  `20080430204825   200       1299 ${site}old - - text/html #014 20080430204825574+225 ${digest} ${site} `,
  `20080430204830    -4          - ${site}slow X ${site}old no-type #002 - - ${site} 3t`,
]

const logUrl = (version: string, job: number) =>
  `metadata://netarkivet.dk/crawl/logs/crawl.log?heritrixVersion=${version}&harvestid=3&jobid=${job}`

/** Contains another log too, which has no URLs in these columns. */
function metadataWarc(): Buffer {
  const record = (url: string, text: string) =>
    newRecord({
      ...{ type: 'resource' as const, id: '00000000-0000-4000-8000-000000000009', dateMs: made.madeAtMs },
      ...{ fields: [['WARC-Target-URI', url]] as [string, string][], contentType: 'text/plain' },
      block: [Buffer.from(text)],
    })
  const records = [
    record('metadata://netarkivet.dk/crawl/setup/seeds.txt?heritrixVersion=3.4.0&harvestid=3&jobid=5', `${site}\n`),
    record(logUrl('3.4.0', 5), `${heritrix3.join('\n')}\n`),
    record('metadata://netarkivet.dk/crawl/logs/uri-errors.log?heritrixVersion=3.4.0&jobid=5', `${site}never -1 -\n`),
  ]
  return Buffer.concat([...made.warcRecords().slice(0, 1), ...records.map((each) => Buffer.concat(recordBytes(each)))])
}

function metadataArc(): Buffer {
  const text = `${heritrix1.join('\n')}\n`
  const line = `${logUrl('1.14.3', 4)} 130.225.27.140 20080430204830 text/plain ${text.length}\n`
  return Buffer.concat([...made.arcRecords(), Buffer.from(`${line}${text}\n`)])
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-crawl-log-'))
  engine = await openEngine({ archiveFolder: join(folder, 'archive'), shell: 'cli', version: '0.0.0', run: true })
})

afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

async function imported(files: Record<string, Buffer>): Promise<number> {
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
  const { job } = await engine.services.harvests.import({ paths: Object.keys(files).map((name) => join(folder, name)) })
  const isOver = async () => (await engine.services.jobs.show({ job })).state === 'INACTIVE'
  await expect.poll(isOver, { timeout: 120_000 }).toBe(true)
  return job
}

const museum = 'museum.example'
const harvests: [string, () => Record<string, Buffer>, Record<string, string>, statistics: object[]][] = [
  [
    'WARC',
    () => ({ '5-3-00001.warc.gz': made.gzipped(made.warcRecords(site)), '5-metadata-1.warc': metadataWarc() }),
    {
      staff: `Not fetched: disallowed by robots.txt. Crawl log: status -9998, 2011-06-23T17:12:09Z, embedded in ${site}.`,
      more: `Not fetched: quota of its queue used up: URLs, groupMaxFetchSuccesses. Crawl log: status -5003, 2011-06-23T17:12:10Z, linked from ${site}.`,
      elsewhere: `Fetched: the server answered 200, but the capture is not in this view. Crawl log: status 200, 2011-06-23T17:12:11Z, linked from ${site}.`,
      never: 'Never queued: it is not in the crawl log of this job.',
    },
    // Of four lines, two have a status of 0 or more, and one of these its size.
    [{ domain: museum, objects: 2, bytes: 1_500, stopReason: 'OBJECT_LIMIT' }],
  ],
  [
    'ARC',
    () => ({ '4-3-00001.arc.gz': made.gzipped(made.arcRecords(`${site}old`)), '4-metadata-1.arc': metadataArc() }),
    {
      slow: `Failed: server timed out. Crawl log: status -4, 2008-04-30T20:48:30Z, guessed from ${site}old.`,
      never: 'Never queued: it is not in the crawl log of this job.',
    },
    [{ domain: museum, objects: 1, bytes: 0, stopReason: 'DOWNLOAD_UNFINISHED' }],
  ],
  [
    'WARC without a log',
    () => ({ 'plain.warc.gz': made.gzipped(made.warcRecords(`${site}plain`)) }),
    { never: 'Not known, because this job came without a crawl log.' },
    [],
  ],
]

test.each(harvests)(
  'a job imported as %s explains missing resources, and has statistics',
  async (_, files, expected, statistics) => {
    const job = await imported(files())
    const { viewer, missing, harvestStatistics } = engine.services
    await viewer.open({ jobs: [job], untilWhole: true })
    for (const name of Object.keys(expected)) expect(await statusOf(`${site}${name}`)).toBe(404)
    // A long log is read in the background.
    const listed = async () =>
      Object.fromEntries((await missing.list({})).map(({ url, why }) => [url.slice(site.length), textOf(why)]))
    await expect.poll(listed, { timeout: 60_000 }).toEqual(expected)
    for (const [name, text] of Object.entries(expected)) {
      const { reasons } = await viewer.explain({ url: `${site}${name}` })
      expect(reasons.map((reason) => [reason.job, textOf(reason.message)])).toEqual([[job, text]])
    }
    const counted = async () => (await harvestStatistics.ofJob({ job })).rows
    await expect.poll(counted, { timeout: 60_000 }).toMatchObject(statistics)
  },
)

function statusOf(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request({ ...engine.viewer, path: url, headers: { host: new URL(url).host } }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode))
    })
    asked.on('error', reject).end()
  })
}
