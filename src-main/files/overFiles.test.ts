/** Finding files and working on many of them, here and in threads, which must be the same. */
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { message } from '../contract/words/message.ts'
import { textOf } from '../contract/words/render.ts'
import { realWorld } from '../world/real.ts'
import { DiskFault, type World } from '../world/world.ts'
import { checkAction } from './check/checkAction.ts'
import { indexAction } from './index/indexAction.ts'
import { listAction } from './records/listAction.ts'
import { findFiles, type FoundFile } from './work/findFiles.ts'
import { madeAnswer, madeInfo, packed } from './testing/recordFixtures.ts'
import { overFiles, type FileAction } from './work/overFiles.ts'

const world = realWorld()
const { signal } = new AbortController()
let folder: string
let files: FoundFile[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-over-'))
  await mkdir(join(folder, 'archives/b'), { recursive: true })
  await mkdir(join(folder, 'spool'))
  const write = (name: string, bytes: string | Uint8Array) => writeFile(join(folder, 'archives', name), bytes)
  const answers = (count: number) =>
    Array.from({ length: count }, (_, index) => madeAnswer(`http://a.example/${count}/${index}`, 'x'))
  await write('a.warc.gz', packed(madeInfo(), ...answers(3)))
  await write('B.warc', Buffer.concat([madeInfo(), ...answers(2_000)]))
  await write('b/records', packed(...answers(2)))
  await write('b/torn.warc.gz', packed(...answers(5)).subarray(0, 900))
  await write('c.warc.lz4', '\u0004"M\u0018')
  await write('d.warc', '')
  await write('picture.png', Buffer.from('89504e470d0a1a0a', 'hex'))
  await write('text.gz', gzipSync('no archive'))
  await symlink(join(folder, 'archives'), join(folder, 'archives/b/up'))
  await symlink(join(folder, 'nowhere'), join(folder, 'archives/b/dangling.warc'))
  files = (await findFiles(world.disk, [join(folder, 'archives')], { signal })).files
})
afterAll(() => rm(folder, { recursive: true }))

describe('finding files', () => {
  test('finds archive files by bytes or name, in a fixed order, each once despite links', () => {
    const names = ['B.warc', 'a.warc.gz', 'b/records', 'b/torn.warc.gz', 'c.warc.lz4', 'd.warc']
    expect(files.map(({ path }) => path)).toEqual(names.map((name) => join(folder, 'archives', name)))
    expect(files.at(-1)?.bytes).toBe(0)
  })
  test('takes a named file, and reports one that does not exist as not found', async () => {
    const picture = join(folder, 'archives/picture.png')
    expect(await findFiles(world.disk, [picture, picture], { signal })).toEqual({
      files: [
        { path: picture, bytes: 8 },
        { path: picture, bytes: 8 },
      ],
      unread: [],
    })
    await expect(findFiles(world.disk, [join(folder, 'none')], { signal })).rejects.toMatchObject({ code: 'notFound' })
  })
  test('reports what the disk refuses and finds the rest', async () => {
    const disk = {
      ...world.disk,
      list: (path: string) =>
        path.endsWith('b') ? Promise.reject(new DiskFault('denied', path)) : world.disk.list(path),
    }
    const found = await findFiles(disk, [join(folder, 'archives')], { signal })
    expect(found.files).toHaveLength(files.length - 2)
    expect(found.unread).toMatchObject([{ path: join(folder, 'archives/b'), problem: { code: 'disk.denied' } }])
    expect(found.unread.map(({ problem }) => textOf(problem))).toEqual([expect.stringMatching(/permission/)])
  })
  test.skipIf(process.platform !== 'linux')(
    'a link to itself hides no files, and a name that is not UTF-8 is reported',
    async () => {
      const own = await mkdtemp(join(tmpdir(), 'loupe-names-'))
      await writeFile(join(own, 'good.warc'), 'WARC/1.1\r\n')
      await symlink(join(own, 'round.warc'), join(own, 'round.warc'))
      await writeFile(
        Buffer.concat([Buffer.from(`${own}/caf`), Buffer.from([0xe9]), Buffer.from('.warc')]),
        'WARC/1.1\r\n',
      )
      const found = await findFiles(world.disk, [own], { signal })
      expect(found.files.map(({ path }) => path)).toEqual([join(own, 'good.warc')])
      expect(found.unread).toEqual([{ path: join(own, 'caf\ufffd.warc'), problem: message('files.name') }])
      await rm(own, { recursive: true })
    },
  )
  test('a path with a NUL character is not found', async () => {
    await expect(findFiles(world.disk, ['/a\0b'], { signal })).rejects.toMatchObject({ code: 'notFound' })
  })
  test('ends when the consumer stops', async () => {
    const stopped = AbortSignal.abort(new Error('enough'))
    await expect(findFiles(world.disk, [folder], { signal: stopped })).rejects.toThrow('enough')
  })
})

interface Seen {
  path: string
  lines: string
  outcome: unknown
}

async function seenOver<Options, Summary>(
  action: FileAction<Options, Summary>,
  {
    options,
    cores,
    given = files,
    here = world,
    spool = join(folder, 'spool'),
  }: { options: Options; cores: number; given?: FoundFile[]; here?: World; spool?: string },
) {
  const seen: Seen[] = []
  let text = ''
  const progress: number[] = []
  await overFiles(action, {
    world: here,
    files: given,
    options,
    cores,
    signal,
    spoolFolder: () => Promise.resolve(spool),
    onLines: async (_, lines) => void (text += Buffer.from(lines).toString()),
    onEnd: async ({ path }, outcome) => {
      seen.push({ path, lines: text, outcome })
      text = ''
    },
    onProgress: ({ bytesDone }) => void progress.push(bytesDone),
  })
  return { seen, progress }
}

describe('working on many files', () => {
  const total = () => files.reduce((sum, { bytes }) => sum + bytes, 0)

  test.each([4, 10])('threads on %i cores give the same results as one file at a time here', async (cores) => {
    const index = { form: 'cdxj', digests: 'trust', post: false } as const
    const check = { listedRules: ['recordTorn', 'notAnArchive', 'fileEmpty', 'packageWrapped'], placesMax: 3 }
    const both = async <Options, Summary>(action: FileAction<Options, Summary>, options: Options) => {
      const many = await seenOver(action, { options, cores })
      const one = await seenOver(action, { options, cores: 1 })
      expect(many.seen).toEqual(one.seen)
      expect(many.seen.map(({ path }) => path)).toEqual(files.map(({ path }) => path))
      expect(many.progress.at(-1)).toBe(total())
      expect(one.progress.at(-1)).toBe(total())
      return many.seen
    }
    const lines = await both(indexAction, index)
    expect(lines.map(({ lines }) => lines.split('\n').length - 1).slice(0, 3)).toEqual([2_000, 3, 2])
    const rows = await both(listAction, {})
    expect(rows.map(({ lines }) => lines.split('\n').length - 1).slice(0, 3)).toEqual([2_001, 4, 2])
    const checked = await both(checkAction, check)
    expect(checked[5]?.lines).toMatch(/"rule":"fileEmpty"/)
    // The spooled results are removed.
    expect(await readdir(join(folder, 'spool'))).toEqual([])
  })

  test('one file at a time, without waiting lines on the disk, when it keeps all cores busy', async () => {
    const options = { form: 'cdxj', digests: 'trust', post: false } as const
    const spool = join(folder, 'no such folder')
    const { seen } = await seenOver(indexAction, { options, cores: 3, spool })
    expect(seen.map(({ path }) => path)).toEqual(files.map(({ path }) => path))
    await expect(seenOver(indexAction, { options, cores: 4, spool })).rejects.toThrow(DiskFault)
  })

  test('a file that the disk cannot read is an outcome, and the others are processed', async () => {
    const gone = { path: join(folder, 'gone.warc'), bytes: 10 }
    const given = [files[1] ?? gone, gone, files[2] ?? gone]
    for (const cores of [1, 2]) {
      const { seen } = await seenOver(listAction, { options: {}, cores, given })
      expect(seen.map(({ outcome }) => outcome)).toMatchObject([
        { kind: 'done' },
        { kind: 'unreadable', problem: { code: 'disk.absent' } },
        { kind: 'done' },
      ])
    }
  })

  test('sorted runs instead of lines', async () => {
    const options = { form: 'cdxj', digests: 'trust', post: false, sortIn: join(folder, 'spool') } as const
    const { seen } = await seenOver(indexAction, { options, cores: 4 })
    expect(seen.map(({ lines }) => lines).join('')).toBe('')
    const runs = seen.flatMap(({ outcome }) => (outcome as { summary: { runs: string[] } }).summary.runs)
    // One run per file with captures.
    expect(runs).toHaveLength(4)
    for (const run of runs) await rm(run)
  })
})
