/** Random archives: an index that is filled step by step, interrupted anywhere, and left by jobs gives the same as one that is built at once. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openDerived } from '../../storage/storage.ts'
import { realWorld } from '../../world/real.ts'
import { createArchive, type Row } from '../testing/archiveFixture.ts'
import { task as readFile } from './readTexts.thread.ts'
import { task as leave } from './leaveText.thread.ts'
import { textSchema } from './store/textIndex.sql.ts'

const numRuns = Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 15)
const bodies = ['<title>One</title>first words', '<html lang=de>zweite Wörter', 'dritte 第三', '']
const types = ['text/html', 'text/plain', 'image/png']
const digestOf = (body: string) =>
  `sha1:${'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.slice(bodies.indexOf(body)).padEnd(32, 'A').slice(0, 32)}`

const row = fc
  .record({
    path: fc.integer({ min: 0, max: 4 }),
    second: fc.integer({ min: 0, max: 3 }),
    body: fc.constantFrom(...bodies),
    type: fc.constantFrom(...types),
    isRevisit: fc.boolean(),
  })
  .map(({ path, second, body, type, isRevisit }): Row => ({
    url: `http://example.com/${path}`,
    at: `2024-01-01T00:00:0${second}Z`,
    body: isRevisit ? '' : body,
    type: isRevisit ? 'revisit' : 'response',
    fields: [['Content-Type', type]],
    warcFields: [['WARC-Payload-Digest', digestOf(body)]],
  }))
const files = fc.array(fc.array(row, { maxLength: 6 }), { minLength: 1, maxLength: 4 })
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('read' as const), file: fc.nat(3), recordsMax: fc.nat(7) }),
    fc.record({ kind: fc.constant('leave' as const), job: fc.integer({ min: 1, max: 2 }) }),
  ),
  { maxLength: 8 },
)

/** Returns the content of an index without the numbers that depend on its history. */
function dump(path: string): unknown {
  const store = openDerived(path, textSchema)
  try {
    const captures = store
      .statement<object, object>(
        `SELECT job, url, captured_ms, status, file, offset, awaited, content.key, title, type.text AS type, language.text AS language
         FROM capture LEFT JOIN content ON content.id = content_id JOIN label AS type ON type.id = type_id
           LEFT JOIN label AS language ON language.id = language_id
         ORDER BY job, url, captured_ms`,
      )
      .all({})
    const contents = store.statement<object, object>('SELECT key FROM content ORDER BY key').all({})
    const words = store.statement<object, object>('SELECT term, doc, cnt FROM vocabulary ORDER BY term').all({})
    return { captures, contents, words }
  } finally {
    store.close()
  }
}

test('an index does not depend on how it came about', async () => {
  await fc.assert(
    fc.asyncProperty(files, steps, async (rows, taken) => {
      await using made = await createArchive()
      const folder = await mkdtemp(join(tmpdir(), 'loupe-text-'))
      try {
        const jobOf = (file: number) => 1 + (file % 2)
        for (const [file, of] of unique(rows, jobOf).entries())
          await made.add({ name: `${file}.warc.gz`, job: jobOf(file), rows: of })
        const read = async (index: string, file: number, recordsMax = Infinity) => {
          const name = `${file}.warc.gz`
          const copy = await made.archive.pathOfFile(name)
          let records = 0
          // Ends between two records, as a kill does: what was not committed is lost.
          const signal = {
            throwIfAborted: () => {
              if (records++ >= recordsMax) throw new Error('killed')
            },
          } as AbortSignal
          await readFile(
            { world: realWorld(), signal, report: () => undefined, takePrinted: () => '' },
            { index, path: copy?.path ?? '', name, job: jobOf(file), batchDocumentsMax: 2, batchCharactersMax: 1e6 },
          ).catch((error: unknown) => expect(String(error)).toBe('Error: killed'))
        }
        const context = {
          world: realWorld(),
          signal: new AbortController().signal,
          report: () => undefined,
          takePrinted: () => '',
        }
        const grown = join(folder, 'grown.db')
        for (const step of taken) {
          if (step.kind === 'leave') await leave(context, { index: grown, jobs: [step.job] })
          else if (step.file < rows.length) await read(grown, step.file, step.recordsMax)
        }
        for (const file of rows.keys()) await read(grown, file)
        const built = join(folder, 'built.db')
        for (const file of [...rows.keys()].reverse()) await read(built, file)
        expect(dump(grown)).toEqual(dump(built))
        // All have left: nothing remains.
        await leave(context, { index: grown, jobs: [1, 2] })
        expect(dump(grown)).toEqual({ captures: [], contents: [], words: [] })
        expect(await readdir(folder)).toContain('grown.db')
      } finally {
        await rm(folder, { recursive: true })
      }
    }),
    { numRuns },
  )
})

/** Returns the rows with different contents for one capture left out: a job captures a URL once per second. */
function unique(files: readonly (readonly Row[])[], jobOf: (file: number) => number): Row[][] {
  const known = new Map<string, string>()
  return files.map((rows, file) =>
    rows.filter(({ url, at, type, fields, warcFields }) => {
      const content = JSON.stringify([type, fields, warcFields])
      const capture = `${jobOf(file)} ${url} ${at}`
      if (!known.has(capture)) known.set(capture, content)
      return known.get(capture) === content
    }),
  )
}
