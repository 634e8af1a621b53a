/** Batch jobs through the door that the command line uses: modules as people write them, good and bad, in real threads. */
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { batchRequest, type BatchRequest, type BatchRunSummary } from '../../contract/services/batch.ts'
import type { FaultCode } from '../../contract/calls/faults.ts'
import type { TaskSummary } from '../../contract/services/tasks.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { madeAnswer, madeInfo, packed } from '../../files/testing/recordFixtures.ts'
import { openStore, type Store } from '../../storage/storage.ts'
import { openTasks, type Tasks } from '../../tasks/tasks.ts'
import { realWorld } from '../../world/real.ts'
import type { World } from '../../world/world.ts'
import { openArchive, type Archive } from '../store/archive.ts'
import type { ReplicaPlace } from '../replica/replica.ts'
import { openBatch, type Batch } from './batch.ts'

const real = realWorld()
/** Limit for modules that never end: it is reached only after the module has begun, whatever the speed of the machine. */
const soonSeconds = 5
/** Longer than any run takes, even on a slow machine. */
const longSeconds = 3_600
const world: World = {
  ...real,
  clock: {
    ...real.clock,
    sleep: (ms, signal) => (ms === soonSeconds * 1_000 ? soon(signal) : real.clock.sleep(ms, signal)),
  },
}
let root: string
let store: Store
let archive: Archive
let tasks: Tasks
let batch: Batch

/** Names in the order of the alphabet, which is not the order in which they are stored. */
const contents: Record<string, Buffer> = {
  'c.warc.gz': packed(madeInfo(), madeAnswer('http://c.test/', 'c')),
  'a.warc.gz': packed(madeAnswer('http://a.test/1', 'a'), madeAnswer('http://a.test/2', 'aa')),
  'b.warc': madeAnswer('http://b.test/', 'b'),
  '1-metadata-1.warc': madeInfo(),
}

function reopened(): Promise<Batch> {
  tasks = openTasks({
    store,
    world,
    onBug: (error) => {
      throw error
    },
  })
  const limits = { heapBytesMax: 96 * 2 ** 20, stopMsMax: 10 }
  return openBatch({ archive, store, tasks, world, archiveFolder: join(root, 'archive'), limits })
}

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'loupe-batch-'))
  mkdirSync(join(root, 'archive'))
  store = openStore(join(root, 'archive/loupe.db'))
  const replicas: ReplicaPlace[] = ['one', 'two', 'sums'].map((name) => ({
    name,
    folder: join(root, name),
    kind: name === 'sums' ? 'checksums' : 'files',
  }))
  archive = await openArchive({ store, world, replicas, limits: { freeBytesMin: 0, freeBytesToAcceptMin: 0 } })
  for (const [name, bytes] of Object.entries(contents)) {
    const path = join(root, 'local')
    writeFileSync(path, bytes)
    const kind = name.includes('metadata') ? 'metadata' : 'content'
    const stored = await archive.store({ path, name, kind, jobId: name === 'b.warc' ? 2 : 1 })
    expect(stored).toEqual({ state: 'stored' })
  }
  batch = await reopened()
})
afterEach(async () => {
  await tasks.close()
  store.close()
  rmSync(root, { recursive: true })
})

/** Writes a module to a file, as a user would. */
function written(text: string, name = 'mine.mjs'): string {
  const path = join(root, name)
  writeFileSync(path, text)
  return path
}

type Given = Partial<BatchRequest>
const request = (module: string, more: Given = {}) => batchRequest.parse({ module, ...more })

async function ran(module: string, more: Given = {}): Promise<{ end: BatchRunSummary; out: string; err: string }> {
  const { task, state } = await batch.start(request(module, more))
  expect(state).toBe('RUNNING')
  const end = await batch.ended(task)
  return { end, out: readFileSync(end.output, 'utf8'), err: readFileSync(end.errors, 'utf8') }
}

/** The problem of a run, as users read it. */
const textIn = ({ problem }: BatchRunSummary) => (problem ? textOf(problem) : '')

const names = (out: string) => out.trimEnd().split('\n')
const tellNames = `export const processFile = (file, context) => context.write(file.name + '\\n')`

describe('selecting files', () => {
  const rows: [Given, string[]][] = [
    [{}, ['1-metadata-1.warc', 'a.warc.gz', 'b.warc', 'c.warc.gz']],
    [{ kind: 'content' }, ['a.warc.gz', 'b.warc', 'c.warc.gz']],
    [{ kind: 'metadata' }, ['1-metadata-1.warc']],
    [{ jobs: [2] }, ['b.warc']],
    [{ jobs: [1, 2] }, ['1-metadata-1.warc', 'a.warc.gz', 'b.warc', 'c.warc.gz']],
    [{ files: '\\.gz$' }, ['a.warc.gz', 'c.warc.gz']],
    [{ files: '^[ab]', jobs: [1], kind: 'content', replica: 'two' }, ['a.warc.gz']],
    [{ jobs: [99] }, []],
  ]
  test('a pattern without a match is refused, and no output is written', async () => {
    const asked = batch.start(request(written(tellNames), { files: 'nothing like it' }))
    await expect(asked).rejects.toMatchObject({ code: 'notFound', fields: [['files']] })
    expect(batch.list()).toEqual([])
  })
  test('by name, job and kind, in the order of their names', async () => {
    const module = written(tellNames)
    for (const [given, expected] of rows) {
      const { end, out } = await ran(module, given)
      expect([end.state, end.filesDone, end.findings, end.filesTotal]).toEqual([
        'DONE',
        expected.length,
        0,
        expected.length,
      ])
      expect(out).toBe(expected.map((name) => `${name}\n`).join(''))
      expect(end.bytesDone).toBe(end.bytesTotal)
    }
  })
  test('from the chosen replica only, or else from one with a good copy', async () => {
    const module = written(`export const processFile = (file, context) => context.write(file.replica + '\\n')`)
    rmSync(join(root, 'one/a.warc.gz'))
    writeFileSync(join(root, 'one/c.warc.gz'), 'short')
    expect((await ran(module)).out).toBe('one\ntwo\none\ntwo\n')
    const { end, out, err } = await ran(module, { replica: 'one' })
    expect([end.state, end.filesDone, end.findings, out]).toEqual(['DONE_WITH_FINDINGS', 4, 2, 'one\none\n'])
    expect(err).toMatch(
      /^a\.warc\.gz: FAILED The copy of a\.warc\.gz in replica one cannot be read\. .*\nc\.warc\.gz: FAILED .*5 bytes instead of \d+/,
    )
  })
})

test('a module gets the file: catalogue entry, bytes, records and captures, repeatedly', async () => {
  const module = written(`
    import { createHash } from 'node:crypto'
    export async function processFile(file, context) {
      const pieces = []
      for await (const bytes of file.read()) pieces.push(bytes)
      for (let round = 0; round < 2; round++) {
        const types = [], urls = [], blocks = []
        for await (const record of file.records()) {
          types.push(record.type)
          for await (const bytes of record.block()) blocks.push(bytes.length)
        }
        for await (const capture of file.captures()) urls.push(capture.url + ' ' + capture.filename)
        const { name, bytes, job, kind, sha256 } = file
        const found = createHash('sha256').update(Buffer.concat(pieces)).digest('hex')
        await context.write(JSON.stringify({ name, bytes, job, kind, right: sha256 === found, types, urls }) + '\\n')
      }
    }`)
  const { out, end } = await ran(module, { files: '^a' })
  expect(end).toMatchObject({ state: 'DONE', findings: 0 })
  const [line, again] = names(out)
  expect(again).toBe(line)
  expect(JSON.parse(line ?? '')).toEqual({
    name: 'a.warc.gz',
    bytes: contents['a.warc.gz']?.length,
    job: 1,
    kind: 'content',
    right: true,
    types: ['response', 'response'],
    urls: ['http://a.test/1 a.warc.gz', 'http://a.test/2 a.warc.gz'],
  })
})

test('output is in the order of the files, also when it exceeds memory', async () => {
  const module = written(`
    export async function start(context) { await context.write('top\\n') }
    export async function processFile(file, context) {
      if (file.name === '1-metadata-1.warc') for (let n = 0; n < 30; n++) await new Promise(setImmediate)
      for (let n = 0; n < 3000; n++) context.write(file.name + ' ' + n + ' ' + 'x'.repeat(40) + '\\n')
    }`)
  const { out, end } = await ran(module)
  const lines = names(out)
  expect(lines.shift()).toBe('top')
  expect(lines.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(
    Object.keys(contents)
      .toSorted()
      .flatMap((name) => Array.from({ length: 3000 }, (_, n) => `${name} ${n}`)),
  )
  expect(end.figures.outputBytes).toBe(Buffer.byteLength(out))
  expect(readdirSync(join(root, 'archive/batch')).filter((name) => name.startsWith('.'))).toEqual([])
})

test('a module that aggregates has one thread, in order, with one start and one finish', async () => {
  const module = written(`
    const seen = []
    export const start = (context) => context.write('start\\n')
    export function processFile(file) { seen.push(file.name) }
    export const finish = (context) => context.write(seen.join() + '\\n')`)
  expect((await ran(module)).out).toBe('start\n1-metadata-1.warc,a.warc.gz,b.warc,c.warc.gz\n')
  expect((await ran(module, { jobs: [99] })).out).toBe('start\n\n')
})

describe('errors', () => {
  test('are stored by file with text and position; output of a failed file is dropped', async () => {
    const module = written(`
      export async function processFile(file, context) {
        await context.write(file.name + ' begun\\n')
        if (file.name === 'b.warc') throw new RangeError('too strange', { cause: 'a reason' })
        if (file.name === 'c.warc.gz') { await context.write('x'.repeat(200_000)); throw 'plain text' }
      }`)
    const { end, out, err } = await ran(module)
    expect(end).toMatchObject({ state: 'DONE_WITH_FINDINGS', filesDone: 4, findings: 2, problem: null })
    expect(out).toBe('1-metadata-1.warc begun\na.warc.gz begun\n')
    expect(err).toMatch(
      /^b\.warc: FAILED RangeError: too strange \(.*mine\.mjs, line 4\)\n {6}at (Object\.)?processFile \(.*mine\.mjs:4:\d+\)/,
    )
    expect(err).toMatch(/\n {2}caused by it threw a reason\nc\.warc\.gz: FAILED it threw plain text\n$/)
  })
  test('remarks and console output belong to their file and do not fail it; damage does', async () => {
    for (const replica of ['one', 'two']) {
      const path = join(root, replica, 'a.warc.gz')
      const bytes = readFileSync(path)
      bytes.fill(0, 40, 60)
      writeFileSync(path, bytes)
    }
    const module = written(`
      export async function processFile(file, context) {
        if (file.name === 'b.warc') { console.log('seen\\n%s', 'twice'); context.remark('odd') }
        for await (const _ of file.records());
      }`)
    const { end, err } = await ran(module)
    expect(end).toMatchObject({ state: 'DONE', findings: 0 })
    expect(err).toMatch(/^(a\.warc\.gz: At \d+: .*\n)+b\.warc: odd\nb\.warc: seen\nb\.warc: twice\n$/)
  })
  test('the run stops at the failure limit of the module and reports it', async () => {
    const module = written(`
      export const maxExceptions = 2
      export const finish = (context) => context.write('finished')
      export function processFile() { throw new Error('always') }`)
    const { end, out } = await ran(module)
    expect(end).toMatchObject({ state: 'FAILED', filesDone: 2, findings: 2, filesTotal: 4, code: 'refused' })
    expect(textIn(end)).toBe('The run was ended because 2 files failed.')
    expect(out).toBe('')
  })
  test('after 100 by default', async () => {
    for (let index = 0; index < 130; index++) {
      const path = join(root, 'local')
      writeFileSync(path, `${index}`)
      await archive.store({ path, name: `z${String(index).padStart(3, '0')}`, kind: 'content', jobId: 3 })
    }
    const module = written(`export const processFile = () => { throw new Error('always') }`)
    const { end, err } = await ran(module, { jobs: [3] })
    expect(end.state).toBe('FAILED')
    // Records in progress at the hundredth failure still finish.
    expect(end.findings).toBeGreaterThanOrEqual(100)
    expect(end.findings).toBeLessThan(110)
    expect(err.match(/FAILED/g)).toHaveLength(end.findings)
  })
})

describe('a module that crashes its thread fails one file, which is named', () => {
  const bad = (action: string, rest = '') =>
    written(`${rest}
      import { writeFileSync } from 'node:fs'
      const begun = () => writeFileSync(${JSON.stringify(join(root, 'begun'))}, '')
      export async function processFile(file, context) {
        if (file.name === 'b.warc') { ${action} }
        await context.write(file.name + '\\n')
      }`)
  const others = '1-metadata-1.warc\na.warc.gz\nc.warc.gz\n'
  test.each([
    ['a loop without end', 'begun(); for (;;);', soonSeconds, /b\.warc: FAILED It took longer than 5 s and was ended\.\n$/], // prettier-ignore
    [
      'an await without end',
      'begun(); await new Promise(() => undefined)',
      soonSeconds,
      /b\.warc: FAILED It took longer than 5 s/,
    ],
    ['the end of its process', 'process.exit(7)', longSeconds, /b\.warc: FAILED It ended its thread: .*code 7/],
    [
      'an error outside of its promise',
      `setTimeout(() => { throw new Error('late') }); await new Promise(() => {})`,
      longSeconds,
      /b\.warc: FAILED It ended its thread: late/,
    ],
    [
      'memory without end',
      'const all = []; for (;;) all.push(new Array(100_000).fill(file))',
      longSeconds,
      /b\.warc: FAILED It took more memory/,
    ],
  ])('%s', async (_, action, fileTimeoutSeconds, text) => {
    const { end, out, err } = await ran(bad(action), { fileTimeoutSeconds })
    expect(end).toMatchObject({ state: 'DONE_WITH_FINDINGS', filesDone: 4, findings: 1 })
    expect(out).toBe(others)
    expect(err).toMatch(text)
  })
  test('and when it aggregates, finish is not called, because it would know half of the files', async () => {
    const module = bad('process.exit(7)', `export const finish = (context) => context.write('finished')`)
    const { end, out } = await ran(module)
    expect(end).toMatchObject({ state: 'FAILED', filesDone: 4, findings: 1 })
    expect(end.problem).toEqual(message('batch.failed.lost.at', { file: 'b.warc' }))
    expect(out).toBe(others)
  })
})

describe('invalid modules', () => {
  test.each([
    ['this is not JavaScript', /^The module cannot be loaded: SyntaxError/],
    [`export const process = 1`, /it exports no function processFile/],
    [`export const processFile = () => {}; export const finish = 1`, /its finish is not a function/],
    [`export const processFile = () => {}; export const maxExceptions = 0`, /its maxExceptions is not a whole number/],
    [`import 'no-such-package'; export const processFile = () => {}`, /Cannot find package/],
    [`throw new Error('at once')`, /^The module cannot be loaded: Error: at once \(.*mine\.mjs, line 1\)\.$/],
    [
      `\n\nconst = 1`,
      /^The module cannot be loaded: SyntaxError: .* \(.*mine\.mjs; "node --check" shows the line\)\.$/,
    ],
    [
      `export const processFile = () => {}; export const start = () => { throw new Error('no') }`,
      /^The start function of the module failed: Error: no/,
    ],
    [
      `export const processFile = () => {}; export const finish = () => { throw new Error('no') }`,
      /^The finish function of the module failed: Error: no/,
    ],
    [
      `export const processFile = () => {}; export const start = () => { process.exit(1) }`,
      /^The start function of the module failed: It ended its thread/,
    ],
  ])('%s', async (text, problem) => {
    const { end, out } = await ran(written(text))
    expect(end).toMatchObject({ state: 'FAILED', code: 'refused' })
    expect(textIn(end)).toMatch(problem)
    expect(out).toBe('')
  })
  test('are refused before a run is listed, and nothing in an archive is executed', async () => {
    const module = written(tellNames)
    writeFileSync(join(root, 'one/evil.mjs'), tellNames)
    writeFileSync(join(root, 'archive/evil.mjs'), tellNames)
    symlinkSync(join(root, 'one/evil.mjs'), join(root, 'link.mjs'))
    const rows: [string, Given, FaultCode, RegExp][] = [
      ['checksum', {}, 'badInput', /neither a file that ends with \.mjs nor a built-in/],
      ['mine.mjs', {}, 'badInput', /not an absolute path/],
      [join(root, 'absent.mjs'), {}, 'notFound', /There is no file/],
      [module, { replica: 'three' }, 'notFound', /There is no replica three: the archive has one, two, sums\./],
      [module, { replica: 'sums' }, 'refused', /holds checksums and no files/],
      [join(root, 'one/evil.mjs'), {}, 'refused', /is in the archive .*runs nothing from an archive/],
      [join(root, 'archive/evil.mjs'), {}, 'refused', /is in the archive/],
      [join(root, 'link.mjs'), {}, 'refused', /is in the archive/],
    ]
    for (const [path, given, code, text] of rows) {
      const refusal = await batch.start(request(path, given)).catch((error: unknown) => error)
      const fields = [[given.replica === undefined ? 'module' : 'replica']]
      expect(refusal, path).toMatchObject({ code, message: expect.stringMatching(text) as string, fields })
    }
    expect(batch.list()).toEqual([])
  })
})

/** Its first file is done when its file appears. */
const waiting = () =>
  written(`
    import { writeFileSync, existsSync } from 'node:fs'
    export async function processFile(file, context) {
      if (file.name.startsWith('1')) return context.write('first\\n')
      writeFileSync(${JSON.stringify(join(root, 'begun'))}, '')
      await new Promise(() => undefined)
    }
    export const finish = () => {}`)

async function begun(): Promise<void> {
  while (!(await world.disk.stat(join(root, 'begun')))) await world.clock.sleep(5)
}

let limitsCount = 0
async function soon(signal: AbortSignal | undefined): Promise<void> {
  limitsCount += 1
  try {
    while (limitsCount > 1 || !existsSync(join(root, 'begun'))) await real.clock.sleep(5, signal)
    // The next one has reported nothing yet.
    rmSync(join(root, 'begun'))
  } finally {
    limitsCount -= 1
  }
}

describe('a run that ends before its files', () => {
  test('stopped by a user: finished output is kept', async () => {
    const { task, output } = await batch.start(request(waiting()))
    await begun()
    expect(await tasks.stop(task)).toMatchObject({ state: 'STOPPED', filesDone: 1, findings: 0, problem: null })
    expect(readFileSync(output, 'utf8')).toBe('first\n')
    await expect(tasks.stop(task)).rejects.toThrow(/not running: its state is "Stopped"/)
  })
  test('at its time limit', async () => {
    const { end } = await ran(waiting(), { timeoutSeconds: soonSeconds })
    expect(end).toMatchObject({ state: 'FAILED', findings: 0, problem: message('batch.failed.time', { seconds: 5 }) })
  })
  test('at the end of the engine', async () => {
    const { task } = await batch.start(request(waiting()))
    await begun()
    await tasks.close()
    expect(batch.list()).toMatchObject([{ task, state: 'INTERRUPTED', filesDone: 1 }])
  })
  test('a kill: it is interrupted at the next start, and its temporary files are removed', async () => {
    const { task } = await ran(written(tellNames)).then(({ end }) => end)
    store
      .statement(
        `INSERT INTO task (kind, subject, state, started_by, started_ms)
         SELECT kind, subject, 'RUNNING', started_by, started_ms FROM task`,
      )
      .run({})
    store
      .statement(
        `INSERT INTO batch_run (task_id, name, request, output, errors)
         SELECT task_id + 1, name, request, output, errors FROM batch_run`,
      )
      .run({})
    writeFileSync(join(root, 'archive/batch/.2-17.part'), 'half')
    batch = await reopened()
    expect(batch.list()).toMatchObject([
      { task: task + 1, state: 'INTERRUPTED' },
      { task, state: 'DONE' },
    ])
    expect(readdirSync(join(root, 'archive/batch')).filter((name) => name.startsWith('.'))).toEqual([])
  })
  test('a third concurrent run is refused', async () => {
    const module = waiting()
    await Promise.all([batch.start(request(module)), batch.start(request(module))])
    await expect(batch.start(request(module))).rejects.toThrow(/2 batch jobs are running/)
  })
  test('a refused or ended run makes room for another', async () => {
    const module = waiting()
    const [first] = await Promise.all([batch.start(request(module)), batch.start(request(module))])
    await tasks.stop(first.task)
    await expect(batch.start(request(join(root, 'absent.mjs')))).rejects.toThrow()
    await batch.start(request(module))
    await expect(batch.start(request(module))).rejects.toThrow(/2 batch jobs are running/)
  })
})

test('output is read in pieces, cut between characters', async () => {
  const text = 'aé€😀'.repeat(20)
  const { end } = await ran(written(`export const processFile = (file, context) => context.write('${text}')`), {
    jobs: [2],
  })
  for (let limit = 16; limit < 24; limit++) {
    let read = ''
    for (let offset = 0, total = 1; offset < total;) {
      const piece = await batch.output({ task: end.task, of: 'output', offset, limit })
      expect(piece.next).toBeGreaterThan(offset)
      read += piece.text
      offset = piece.next
      total = piece.bytesTotal
    }
    expect(read).toBe(text)
  }
  expect(await batch.output({ task: end.task, of: 'errors', offset: 0, limit: 16 })).toEqual({
    text: '',
    next: 0,
    bytesTotal: 0,
  })
  expect(await batch.output({ task: end.task, of: 'output', offset: 9999, limit: 16 })).toMatchObject({ text: '' })
  rmSync(end.output)
  await expect(batch.output({ task: end.task, of: 'output', offset: 0, limit: 16 })).rejects.toThrow(/no longer exists/)
})

describe('built-in modules', () => {
  const order = Object.keys(contents).toSorted()
  const sha256 = (name: string) =>
    createHash('sha256')
      .update(contents[name] ?? '')
      .digest('hex')
  test('are listed with descriptions', () => {
    expect(batch.builtIns().map(({ name }) => name)).toEqual(['checksums', 'file-list', 'cdx', 'record-counts'])
    for (const { does } of batch.builtIns()) expect(textOf(does)).toMatch(/^\S.*\S$/)
  })
  test('checksums: a flipped bit fails', async () => {
    expect((await ran('checksums')).out).toBe(order.map((name) => `${sha256(name)}  ${name}\n`).join(''))
    const path = join(root, 'two/b.warc')
    const bytes = readFileSync(path)
    bytes[30]! ^= 1
    writeFileSync(path, bytes)
    const { end, err } = await ran('checksums', { replica: 'two' })
    expect(end).toMatchObject({ name: 'checksums', filesDone: 4, findings: 1 })
    expect(err).toMatch(/^b\.warc: FAILED Error: its checksum is [0-9a-f]{64} instead of/)
  })
  test('file-list', async () => {
    const { out } = await ran('file-list')
    expect(names(out)).toEqual([
      'name\tbytes\tjob\tkind\treplica',
      ...order.map((name) => {
        const kind = name.includes('metadata') ? 'metadata' : 'content'
        return [name, contents[name]?.length, name === 'b.warc' ? 2 : 1, kind, 'one'].join('\t')
      }),
    ])
  })
  test('cdx: the same lines as loupe index', async () => {
    const { out } = await ran('cdx')
    expect(names(out).map((line) => /^\S+/.exec(line)?.[0])).toEqual([
      '!meta',
      'test,a)/1',
      'test,a)/2',
      'test,b)/',
      'test,c)/',
    ])
  })
  test('record-counts', async () => {
    const { out } = await ran('record-counts')
    expect(names(out)).toEqual([
      'file\ttype\trecords',
      '1-metadata-1.warc\twarcinfo\t1',
      'a.warc.gz\tresponse\t2',
      'b.warc\tresponse\t1',
      'c.warc.gz\tresponse\t1',
      'c.warc.gz\twarcinfo\t1',
      'all\tresponse\t4',
      'all\twarcinfo\t2',
    ])
  })
})

test('progress is reported, and every run is remembered', async () => {
  const received: TaskSummary[] = []
  tasks.onChange((task) => received.push(task))
  const { end } = await ran(written(tellNames, 'Zähler (2).mjs'))
  expect(received[0]?.state).toBe('RUNNING')
  expect(end).toMatchObject({ ...received.at(-1) })
  expect(end.name).toBe('Z_hler__2_')
  expect(end.output).toMatch(/batch\/Z_hler__2_-\d{17}\.out$/)
  expect(end.errors).toBe(end.output.replace(/out$/, 'err'))
  batch = await reopened()
  expect(batch.list()).toEqual([end])
})
