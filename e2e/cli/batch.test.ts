/** `loupe batch` and `loupe upload` for users and for scripts: their output and their exit codes. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { madeAnswer, madeInfo, packed } from '../../src-main/files/testing/recordFixtures.ts'
import { initArchive, loupe, loupeHere, startLoupe } from '../loupeProcess.ts'

let folder: string
let archive: string
const ask = (...words: string[]) => loupeHere('--archive', archive, ...words)

const uploaded = z.array(
  z.object({
    name: z.string(),
    state: z.string(),
    problem: z.object({ text: z.string() }).nullable(),
    replicas: z.array(
      z.object({ replica: z.string(), upload: z.string(), problem: z.object({ text: z.string() }).nullable() }),
    ),
  }),
)
const inBoth = ['ONE', 'TWO'].map((replica) => ({ replica, upload: 'UPLOAD_COMPLETED', problem: null }))

async function written(name: string, bytes: Uint8Array | string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-batch-'))
  archive = await initArchive(join(folder, 'archive'))
  await mkdir(join(folder, 'from/below'), { recursive: true })
  await written('from/a.warc.gz', packed(madeInfo(), madeAnswer('http://a.test/', 'a')))
  await written('from/below/b.warc', madeAnswer('http://b.test/', 'b'))
  await written('from/7-metadata-1.warc', madeInfo())
  await written('from/notes.txt', 'not an archive file')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('upload', () => {
  test('stores the archive files of a folder in every replica; again, it is done at once', async () => {
    for (let round = 0; round < 2; round++) {
      const { code, stdout, stderr } = await ask('--json', 'upload', join(folder, 'from'))
      expect(code, stderr).toBe(0)
      const rows = uploaded.parse(JSON.parse(stdout))
      expect(rows.map(({ name, state, replicas }) => [name, state, replicas])).toEqual([
        ['7-metadata-1.warc', 'stored', inBoth],
        ['a.warc.gz', 'stored', inBoth],
        ['b.warc', 'stored', inBoth],
      ])
    }
    for (const replica of ['ONE', 'TWO']) {
      const copy = await readFile(join(archive, 'replicas', replica, 'b.warc'))
      expect(copy.equals(await readFile(join(folder, 'from/below/b.warc')))).toBe(true)
    }
    const { stdout } = await ask('upload', join(folder, 'from'))
    expect(stdout).toMatch(/^file +state +size +in replicas\n7-metadata-1\.warc +stored +\d+ B +ONE, TWO\n/)
  })
  test('never ends with 0 when a file is not stored, and gives each reason', async () => {
    await mkdir(join(folder, 'other'), { recursive: true })
    const other = await written('other/b.warc', 'other bytes')
    const good = await written('other/good.warc', madeAnswer('http://good.test/', 'good'))
    const strange = await written('other/a strange name.warc', 'x')
    const rows: [words: string[], code: number, stderr: RegExp][] = [
      [[other], 4, /^b\.warc is not stored in every replica\. The archive already has a different file named b\.warc/m],
      [[good, strange, other], 4, /"a strange name\.warc" is not a valid file name/],
      [[join(folder, 'absent.warc')], 3, /^There is no file or folder/],
      [[], 2, /missing required argument/i],
    ]
    for (const [words, code, stderr] of rows) {
      const ended = await ask('--json', 'upload', ...words)
      expect([words, ended.code]).toEqual([words, code])
      expect(ended.stderr).toMatch(stderr)
    }
    const { stdout } = await ask('--json', 'upload', good, other)
    expect(uploaded.parse(JSON.parse(stdout)).map(({ name, state }) => [name, state])).toEqual([
      ['good.warc', 'stored'],
      ['b.warc', 'refused'],
    ])
  })
  test('a missing replica: stored in the other, and later in both', async () => {
    const path = await written('late.warc', madeAnswer('http://late.test/', 'late'))
    const two = join(archive, 'replicas/TWO')
    const aside = join(archive, 'replicas/aside')
    await rename(two, aside)
    const away = await ask('--json', 'upload', path)
    expect(away.code, away.stderr).toBe(5)
    expect(away.stderr).toMatch(/late\.warc is not stored in every replica\. .*TWO/)
    const [row] = uploaded.parse(JSON.parse(away.stdout))
    expect(row?.state).toBe('failed')
    expect(row?.replicas.map(({ upload }) => upload)).toEqual(['UPLOAD_COMPLETED', 'UPLOAD_FAILED'])
    expect((await ask('upload', path)).stdout).toMatch(/^late\.warc +not stored in every replica +\d+ B +ONE$/m)
    await rename(aside, two)
    const back = await ask('--json', 'upload', path)
    expect([back.code, uploaded.parse(JSON.parse(back.stdout))[0]?.replicas]).toEqual([0, inBoth])
  })
  test('Ctrl-C stops it, and the same command continues', async () => {
    const many = join(folder, 'many')
    await mkdir(many)
    for (let index = 0; index < 40; index++)
      await writeFile(join(many, `${index + 10}.warc`), madeAnswer(`http://m.test/${index}`, 'm'))
    const own = await initArchive(join(folder, 'stopped'))
    const first = startLoupe(['--archive', own, '--json', 'upload', many])
    await first.line(/Upload 1 stores 40 files/, 'stderr')
    first.child.kill('SIGINT')
    const ended = await first.ended
    // The last file may have been stored when the signal arrived.
    expect([0, 130]).toContain(ended.code)
    const second = await loupeHere('--archive', own, '--json', 'upload', many)
    expect(second.code, second.stderr).toBe(0)
    expect(uploaded.parse(JSON.parse(second.stdout)).filter(({ state }) => state === 'stored')).toHaveLength(40)
  })
})

describe('batch', () => {
  const answer = z.object({ processed: z.int(), failed: z.int(), output: z.string(), errors: z.string() })
  const counting = `
    let bytes = 0
    export async function processFile(file, context) {
      console.log('looks at', file.name)
      if (file.name === 'b.warc') throw new Error('not this one')
      for await (const chunk of file.read()) bytes += chunk.length
      await context.write(file.name + '\\n')
    }
    export const finish = (context) => context.write('bytes ' + bytes + '\\n')`

  test('a custom module: output on standard output and in a file, errors next to it, exit code 1', async () => {
    const module = await written('count.mjs', counting)
    const { code, stdout, stderr } = await ask('batch', module, '--files', '^(a|b)\\.')
    const bytes = (await readFile(join(folder, 'from/a.warc.gz'))).length
    expect(stdout).toBe(`a.warc.gz\nbytes ${bytes}\n`)
    expect(stderr).toMatch(/b\.warc: FAILED Error: not this one \(.*count\.mjs, line 5\)\n/)
    expect(stderr).toMatch(/a\.warc\.gz: looks at a\.warc\.gz\n/)
    expect(stderr).toMatch(/Processed 2 of 2 files, 1 failed; .*count-\d{17}\.out\n$/)
    expect(code).toBe(1)
  })
  test.each([
    [
      'const = 1',
      /The module cannot be loaded: SyntaxError: .* \(.*broken\.mjs; "node --check" shows the line\)\. See /,
    ],
    ['export const processFile = 1', /it exports no function processFile\(file, context\) \(.*broken\.mjs\)\. See /],
    [
      'export const start = () => { throw new Error("no") }\nexport const processFile = () => {}',
      /The start function of the module failed: Error: no \(.*broken\.mjs, line 1\)\. See /,
    ],
  ])('a broken module is one sentence with its place, and with --debug the stack: %s', async (text, line) => {
    const module = await written('broken.mjs', text)
    const { code, stderr } = await ask('batch', module)
    expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([4, expect.stringMatching(line)])
    expect(stderr).not.toMatch(/node:internal|^ +at |src-main/m)
    expect((await ask('--debug', 'batch', module)).stderr).toMatch(/^ +at .*\.(mjs|ts)/m)
  })
  test('a thread loads compiled code too, next to the packages', async () => {
    const module = await written(
      'compiled.mjs',
      `import { getCompileCacheDir } from 'node:module'
       export const processFile = () => undefined
       export const finish = (context) => context.write(String(getCompileCacheDir()))`,
    )
    const { stdout } = await loupe('--archive', archive, 'batch', module)
    expect(stdout).toContain(join('node_modules', '.cache', 'loupe'))
  })
  test('the name of a file keeps its case also at the start of a sentence', async () => {
    const other = join(folder, 'other')
    await mkdir(other, { recursive: true })
    const path = join(other, 'passwd')
    await writeFile(path, 'one')
    expect((await ask('upload', path)).code).toBe(0)
    await writeFile(path, 'two')
    const { code, stderr } = await ask('upload', path)
    expect([code, stderr]).toEqual([4, expect.stringMatching(/^passwd is not stored in every replica\. /m)])
  })
  test('--json: counts and the path of the output, and nothing else on standard output', async () => {
    const module = join(folder, 'count.mjs')
    const { code, stdout, stderr } = await ask('--json', 'batch', module, '--kind', 'metadata', '--replica', 'TWO')
    expect(code, stderr).toBe(0)
    const { processed, failed, output, errors } = answer.parse(JSON.parse(stdout))
    expect([processed, failed]).toEqual([1, 0])
    expect(await readFile(output, 'utf8')).toMatch(/^7-metadata-1\.warc\nbytes \d+\n$/)
    expect(await readFile(errors, 'utf8')).toBe('7-metadata-1.warc: looks at 7-metadata-1.warc\n')
    expect(output.startsWith(join(archive, 'batch', 'count-'))).toBe(true)
  })
  test.each(['checksums', 'file-list', 'cdx', 'record-counts'])('built in: %s', async (name) => {
    const { code, stdout, stderr } = await ask('batch', name, '--files', '^a\\.')
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(
      {
        checksums: /^[0-9a-f]{64} {2}a\.warc\.gz\n$/,
        'file-list': /^name\t.*\na\.warc\.gz\t\d+\t-\tcontent\tONE\n$/,
        cdx: /^!meta .*\ntest,a\)\/ \d{14} \{.*\n$/,
        'record-counts':
          /^file\t.*\na\.warc\.gz\tresponse\t1\na\.warc\.gz\twarcinfo\t1\nall\tresponse\t1\nall\twarcinfo\t1\n$/,
      }[name] ?? /^$/,
    )
  })
  test('exit codes when it cannot be run', async () => {
    const broken = await written('broken.mjs', 'export const processFile = 1')
    const hanging = await written('hanging.mjs', 'export const processFile = () => { for (;;); }')
    const inside = join(archive, 'replicas/ONE/inside.mjs')
    await writeFile(inside, counting)
    const rows: [words: string[], code: number, stderr: RegExp][] = [
      [[broken], 4, /The module cannot be loaded: .*exports no function processFile/],
      [[hanging, '--timeout', '3'], 4, /The run took longer than 3 s and was ended\. See .*\.err\.\n$/],
      [[hanging, '--files', '^b', '--file-timeout', '1'], 1, /b\.warc: FAILED It took longer than 1 s/],
      [[join(folder, 'absent.mjs')], 3, /^There is no file/],
      [['checksum'], 3, /nearest of those is "checksums"/],
      [['checksums', '--files', '('], 2, /parenthesis is never closed/],
      [['checksums', '--replica', 'THREE'], 3, /There is no replica THREE/],
      [[inside], 4, /runs nothing from an archive/],
    ]
    for (const [words, code, stderr] of rows) {
      const ended = await ask('batch', ...words)
      expect([words, ended.code, ended.stdout]).toEqual([words, code, ''])
      expect(ended.stderr).toMatch(stderr)
    }
    await rm(inside)
  })
  test('Ctrl-C ends it with 130, also in an endless loop, and finished work is listed', async () => {
    const begun = join(folder, 'begun')
    const module = await written(
      'endless.mjs',
      `import { writeFileSync } from 'node:fs'
       export async function processFile(file, context) {
         if (file.name.startsWith('7')) return context.write('first\\n')
         writeFileSync(${JSON.stringify(begun)}, '')
         for (;;);
       }
       export const finish = () => {}`,
    )
    const running = startLoupe(['--archive', archive, 'batch', module])
    await running.line(/processes \d+ files/, 'stderr')
    while (!existsSync(begun)) await new Promise(setImmediate)
    running.child.kill('SIGINT')
    const { code, stdout } = await running.ended
    expect([code, stdout]).toEqual([130, 'first\n'])
    const listed = await ask('--json', 'batch')
    const { runs } = z
      .object({ runs: z.array(z.object({ name: z.string(), state: z.string() })) })
      .parse(JSON.parse(listed.stdout))
    expect(runs[0]).toEqual({ name: 'endless', state: 'STOPPED' })
    expect((await ask('batch')).stdout).toMatch(/checksums .*\n[^]*endless +stopped/)
  })
  test('the help says with whose permissions a module runs', async () => {
    const { stdout } = await loupeHere('batch', '--help')
    expect(stdout).toMatch(/IT RUNS WITH YOUR RIGHTS.*\n?.*there is no\s+sandbox/)
  })
  test('the module in the documentation does what it claims', async () => {
    const page = await readFile(join(import.meta.dirname, '../../docs/batch-jobs.md'), 'utf8')
    const module = await written('readme.mjs', /```js\n([^]*?)```/.exec(page)?.[1] ?? '')
    const { code, stdout, stderr } = await ask('batch', module, '--files', '^[ab]\\.')
    expect(code, stderr).toBe(0)
    expect(stdout).toBe('a.test\t1\nb.test\t1\n')
  })
  test('built-in modules are found by name', async () => {
    const names = (await readdir(join(archive, 'batch'))).map((name) => basename(name))
    expect(names.filter((name) => !/^[\w-]+-\d{17}\.(out|err)$/.test(name))).toEqual([])
  })
})
