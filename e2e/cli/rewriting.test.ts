/** `loupe recompress`, `convert` and `salvage` on the command line: new files next to the old ones, exit codes, --json; no archive is
 *  opened or created. */
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WARCParser } from 'warcio'
import { z } from 'zod'
import { newRecord, recordBytes } from '../../src-main/formats/records/warcWriter.ts'
import { loupeHere, startLoupe } from '../loupeProcess.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-rewriting-'))
  await mkdir(join(folder, 'in'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function record(number: number, text = `This is page ${number}.`): Buffer {
  const made = newRecord({
    type: 'resource',
    id: `0f1e2d3c-4b5a-4978-8695-${String(number).padStart(12, '0')}`,
    dateMs: 0,
    fields: [['WARC-Target-URI', `http://example.org/${number}`]],
    contentType: 'text/plain',
    block: [Buffer.from(text)],
  })
  return Buffer.concat(recordBytes(made))
}

const warc = gzipSync(Buffer.concat([1, 2, 3].map((number) => record(number))))
const arc =
  'filedesc://x.arc 0.0.0.0 20050101000000 text/plain 16\n1 0 Test\nURL a b\n\nhttp://e.org/ 1.2.3.4 20050101000000 text/html 4\npage\n'
const har = JSON.stringify({
  log: {
    version: '1.2',
    entries: [
      {
        startedDateTime: '2026-01-01T00:00:00Z',
        request: { method: 'GET', url: 'http://example.org/', headers: [] },
        response: { status: 200, statusText: 'OK', headers: [], content: { size: 4, text: 'page' } },
      },
    ],
  },
})

/** Runs one command line. `IN` is the folder of the files, `OUT` another one. The archive given does not exist. */
async function ask(words: string) {
  const put = (word: string) => word.replace('IN', join(folder, 'in')).replace('OUT', join(folder, 'out'))
  const answer = await loupeHere('--archive', join(folder, 'archive'), ...words.split(' ').map(put))
  expect(await readdir(folder)).not.toContain('archive')
  return answer
}

const put = (name: string, bytes: string | Uint8Array) => writeFile(join(folder, 'in', name), bytes)
const names = async (where = 'in') => (await readdir(join(folder, where))).toSorted()

async function warcioCount(path: string): Promise<number> {
  let count = 0
  for await (const found of new WARCParser(createReadStream(path))) {
    await found.readFully(false)
    count++
  }
  return count
}

const listed = z.object({ total: z.int(), items: z.array(z.object({ from: z.int() })) })
const answerShape = z.strictObject({
  files: z.array(
    z.strictObject({
      file: z.string(),
      state: z.literal('done'),
      target: z.string(),
      kind: z.string(),
      records: z.int(),
      bytes: z.int(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      leftOut: listed,
      changed: listed,
      findings: z.object({ total: z.int(), items: z.array(z.object({ rule: z.string(), file: z.string() })) }),
    }),
  ),
})

test('a WARC in one member is recompressed next to itself; a second run finds it done', async () => {
  await put('a.warc.gz', warc)
  const { code, stdout } = await ask('--json recompress IN/a.warc.gz')
  expect(code).toBe(0)
  const { files } = answerShape.parse(JSON.parse(stdout))
  const target = join(folder, 'in', 'a.recompressed.warc.gz')
  expect(files).toMatchObject([{ target, kind: 'WARC, gzip', records: 3, leftOut: { total: 0 } }])
  expect(await warcioCount(target)).toBe(3)
  expect((await readFile(join(folder, 'in', 'a.warc.gz'))).equals(warc)).toBe(true)
  const again = await ask('recompress IN/a.warc.gz')
  expect(again).toMatchObject({ code: 4, stdout: '' })
  expect(again.stderr).toContain('already exists')
})

test('ARC and HAR become WARC, a folder of them at once into another folder', async () => {
  await put('a.arc', arc)
  await put('b.har', har)
  await put('c.warc.gz', warc)
  const { code, stdout } = await ask('--json convert IN OUT')
  expect(code).toBe(0)
  expect(answerShape.parse(JSON.parse(stdout)).files.map(({ kind, records }) => [kind, records])).toEqual([
    ['ARC', 3],
    ['HAR', 3],
  ])
  expect(await names('out')).toEqual(['a.converted.warc.gz', 'b.converted.warc.gz'])
  for (const name of await names('out')) expect(await warcioCount(join(folder, 'out', name))).toBe(3)
})

test('the rest of a damaged file is salvaged, and the exit code reports the damage', async () => {
  await put('a.warc', Buffer.concat([record(1), Buffer.from('junk'), record(2)]).subarray(0, -9))
  const { code, stdout } = await ask('salvage IN/a.warc IN/good.warc.gz')
  expect(code).toBe(1)
  expect(stdout).toContain('left out: 1 place')
  expect(stdout).toContain('recordTorn')
  expect(await names()).toEqual(['a.warc', 'good.warc.gz'])
  expect(await warcioCount(join(folder, 'in', 'good.warc.gz'))).toBe(4)
})

test('several files: one that fails does not stop the others', async () => {
  await put('a.warc.gz', warc)
  await put('a.warc', record(1))
  await put('b.warc', record(2))
  const { code, stdout } = await ask('--json recompress IN')
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    files: [
      { state: 'done', records: 1 },
      { state: 'refused', why: 'sameName' },
      { state: 'done', records: 1 },
    ],
  })
  await rm(join(folder, 'in', 'a.warc.gz'))
  // The file that the first run made is neither a source nor an error: the command continues after it.
  expect((await ask('recompress IN')).code).toBe(0)
  expect(await names()).toEqual(['a.recompressed.warc.gz', 'a.warc', 'b.recompressed.warc.gz', 'b.warc'])
})

const refusals: [words: string, code: number, says: RegExp][] = [
  ['recompress IN/none.warc', 3, /^There is no file or folder .*none\.warc\.\n$/],
  ['recompress IN/none.warc OUT/', 3, /^There is no file or folder .*none\.warc\.\n$/],
  ['recompress IN/a.warc OUT/deep/b.warc.gz', 3, /^There is no folder .*deep to write to\.\n$/],
  ['recompress IN/a.warc IN/a.warc', 4, /already exists/],
  [
    'convert IN/a.warc',
    4,
    /^Only ARC and HAR files can be converted to WARC\. .*a\.warc is of another format: WARC\.\n$/,
  ],
  ['convert IN', 3, /^There is no file to convert in /],
  ['salvage IN/text', 4, / was not created: no record was found in /],
  ['salvage', 2, /argument/],
]

test.each(refusals)('%s: exit code %i, one line, and no output file', async (words, code, says) => {
  await put('a.warc', record(1))
  await put('text', 'no record at all')
  const answer = await ask(words)
  expect(answer).toMatchObject({ code, stdout: '' })
  expect(answer.stderr).toMatch(says)
  expect(await names()).toEqual(['a.warc', 'text'])
})

test('killed while writing: no file has the name, and the next run creates it', async () => {
  const pages = Array.from({ length: 4000 }, (_, number) => record(number, `${Math.sin(number)} `.repeat(700)))
  await put('a.warc', Buffer.concat(pages))
  const running = startLoupe(['recompress', join(folder, 'in', 'a.warc')])
  const part = join(folder, 'in', 'a.recompressed.warc.gz.part')
  let isOver = false
  void running.ended.then(() => (isOver = true))
  while (!isOver && (await readFile(part).catch(() => Buffer.alloc(0))).length === 0);
  running.child.kill('SIGKILL')
  const { code } = await running.ended
  expect(code).toBeNull()
  expect(await names()).not.toContain('a.recompressed.warc.gz')
  expect((await ask('recompress IN/a.warc')).code).toBe(0)
  expect(await names()).toEqual(['a.recompressed.warc.gz', 'a.warc'])
  expect(await warcioCount(join(folder, 'in', 'a.recompressed.warc.gz'))).toBe(4000)
})
