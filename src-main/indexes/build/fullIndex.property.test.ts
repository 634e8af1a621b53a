/** The index of a set of jobs, with the duplicates that crawl logs list, compared with a scan of everything in random archives. */
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha1Base32 } from '../../formats/bytes/digest.ts'
import { surt } from '../../formats/cdx/surt.ts'
import { openIndexes } from '../indexes.ts'
import { createArchive, type Row } from '../testing/archiveFixture.ts'

const urls = Array.from({ length: 6 }, (_, number) => `http://a.example/${number}.png`)
const bodies = ['a', 'b', 'c']
const digestOf = (body: string) => sha1Base32([Buffer.from(body)])

/** What a job captured: a response, a revisit of another harvester, or a duplicate that only its crawl log lists. */
const capture = fc.record({
  kind: fc.constantFrom('response', 'revisit', 'duplicate'),
  url: fc.constantFrom(...urls),
  body: fc.constantFrom(...bodies),
  /** Which earlier response a duplicate names. */
  original: fc.nat({ max: 50 }),
})
const archives = fc.array(fc.array(capture, { maxLength: 8 }), { minLength: 1, maxLength: 4 })

interface Expected {
  key: string
  timestampMs: number
  recordType: string
  payloadDigest: string
  job: number
  filename: string
  offset: number
}

test('an index of any set of jobs has exactly the captures that a scan finds', async () => {
  await fc.assert(
    fc.asyncProperty(archives, fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), async (jobs, chosen) => {
      const made = await createArchive()
      try {
        const all: Expected[] = []
        const responses: Expected[] = []
        for (const [number, captures] of jobs.entries()) {
          const job = number + 1
          const minute = (at: number) => Date.UTC(2024, 0, job, 1, at)
          const placed = captures.map((each, at) => ({ ...each, timestampMs: minute(at) }))
          const records = placed.filter(({ kind }) => kind !== 'duplicate')
          const filename = `${job}-1.warc.gz`
          const offsets = await made.add({ name: filename, job, rows: records.map(rowOf) })
          for (const [at, { url, body, kind, timestampMs }] of records.entries()) {
            const expected = {
              ...{ key: surt(url), timestampMs, recordType: kind, payloadDigest: digestOf(body), job, filename },
              offset: offsets[at] ?? -1,
            }
            all.push(expected)
            if (kind === 'response') responses.push(expected)
          }
          const lines: string[] = []
          for (const { kind, url, timestampMs, original } of placed) {
            const named = responses[original % Math.max(1, responses.length)]
            if (kind !== 'duplicate' || named === undefined) continue
            lines.push(logLine({ url, timestampMs, named }))
            const { payloadDigest, filename: of, offset } = named
            all.push({ key: surt(url), timestampMs, recordType: 'duplicate', payloadDigest, job, filename: of, offset })
          }
          await made.add({ name: `${job}-metadata-1.warc.gz`, job, rows: [logRow(lines, job)] })
        }
        const selected = jobs.flatMap((_, number) => (chosen[number] === true ? [number + 1] : []))
        const { folder, world, archive, tasks } = made
        const indexes = await openIndexes({ folder: join(folder, 'indexes'), world, archive, tasks })
        try {
          for (const set of [selected, jobs.map((_, number) => number + 1)].filter(({ length }) => length > 0)) {
            const index = await indexes.captureIndexFor({ jobs: set })
            const found = urls.flatMap((url) => index.captures(url))
            index.close()
            expect(found.map(textOf).toSorted()).toEqual(
              all
                .filter(({ job }) => set.includes(job))
                .map(textOf)
                .toSorted(),
            )
          }
        } finally {
          await indexes.close()
        }
      } finally {
        await made[Symbol.asyncDispose]()
      }
    }),
    { numRuns: 20 },
  )
})

const textOf = ({
  key,
  timestampMs,
  recordType,
  payloadDigest,
  job,
  filename,
  offset,
}: Omit<Expected, 'job'> & { job: number | null }) =>
  [key, timestampMs, recordType, payloadDigest, job, filename, offset].join(' ')

function rowOf({
  kind,
  url,
  body,
  timestampMs,
}: {
  kind: string
  url: string
  body: string
  timestampMs: number
}): Row {
  const row = { url, at: new Date(timestampMs).toISOString(), fields: [['Content-Type', 'image/png']] as const }
  if (kind === 'response') return { ...row, body }
  return { ...row, type: 'revisit', warcFields: [['WARC-Payload-Digest', digestOf(body)]] }
}

function logLine({ url, timestampMs, named }: { url: string; timestampMs: number; named: Expected }): string {
  const time = new Date(timestampMs).toISOString()
  const digits = (ms: number) => new Date(ms).toISOString().replace(/\D/g, '').slice(0, 14)
  const duplicate = `duplicate:"${named.filename},${named.offset},${digits(named.timestampMs)}"`
  return `${time} 200 1 ${url} E - image/png #001 ${digits(timestampMs)}000+10 ${named.payloadDigest} - ${duplicate}`
}

function logRow(lines: readonly string[], job: number): Row {
  const url = `metadata://netarkivet.dk/crawl/logs/crawl.log?heritrixVersion=3.4.0&harvestid=3&jobid=${job}`
  const block = Buffer.from(lines.map((line) => `${line}\n`).join(''))
  return { url, at: '2024-02-01T00:00:00Z', type: 'resource', contentType: 'text/plain', block }
}
