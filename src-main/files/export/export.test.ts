import { describe, expect, test } from 'vitest'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import type { ExportInput, ExportReport, WaczForm } from './export.ts'
import { textOf } from '../../contract/words/render.ts'
import {
  noonMs,
  idOf,
  dateOf,
  record,
  html,
  answer,
  packed,
  remarksOf,
  exported,
  exporting,
  idsIn,
  info,
} from './testing/exportFixture.ts'

/** Makes a read at this position return a different byte than was written. */
function changeOnDisk({ disk }: SeededWorld, path: string, at: number): void {
  const openRead = disk.openRead.bind(disk)
  disk.openRead = async (opened) => {
    const file = await openRead(opened)
    if (opened !== path) return file
    return {
      ...file,
      async read(into, position) {
        const read = await file.read(into, position)
        if (at >= position && at < position + read) into[at - position] = (into[at - position] ?? 0) ^ 0x40
        return read
      },
    }
  }
}

describe('selection', () => {
  const request = record({
    type: 'request',
    id: 'qa',
    url: 'http://a.test/1',
    at: 10,
    fields: [['WARC-Concurrent-To', idOf('a')]],
  })
  const files = {
    'one.warc.gz': packed(
      info('i1'),
      answer('a', 'http://a.test/1', 0),
      request,
      // Refers to its capture by ID only.
      record({ type: 'metadata', id: 'ma', at: 10, fields: [['WARC-Refers-To', idOf('a')]] }),
      answer('b', 'http://b.test/', 5),
      record({ type: 'metadata', id: 'mb', url: 'http://b.test/', at: 5 }),
    ),
    'two.warc.gz': packed(info('i2'), answer('c', 'http://a.test/2', 20), answer('d', 'http://c.test/', 30)),
  }
  const at = (seconds: number) => noonMs + seconds * 1000
  const rows: [what: string, narrowing: ExportInput['narrowing'], ids: string[]][] = [
    ['all', {}, ['i1', 'a', 'qa', 'ma', 'b', 'mb', 'i2', 'c', 'd']],
    ['an address', { url: 'a.test' }, ['i1', 'a', 'qa', 'ma', 'i2', 'c']],
    ['a part of one file', { url: 'http://b.test/' }, ['i1', 'b', 'mb']],
    ['a time: includes records that refer to a capture by ID', { toMs: at(0) }, ['i1', 'a', 'qa', 'ma']],
    ['from a moment on', { fromMs: at(20) }, ['i2', 'c', 'd']],
    [
      'places: includes records that belong to a capture',
      { places: new Map([['one.warc.gz', new Set([packed(info('i1')).length])]]) },
      ['i1', 'a', 'qa', 'ma'],
    ],
    ['an address and a time', { url: 'a.test', fromMs: at(20), toMs: at(29) }, ['i2', 'c']],
  ]
  test.each(rows)('%s', async (_, narrowing, ids) => {
    const { outcome, bytes } = await exported(files, { narrowing })
    expect(await idsIn(bytes)).toEqual(ids)
    expect(outcome).toMatchObject({ records: ids.length, complete: true, remarks: [] })
  })

  test.each([
    [{ url: 'nowhere.test' }, 'No file was written: job 7 has no records under nowhere.test.'],
    [{ fromMs: at(100) }, `No file was written: job 7 has no records from ${dateOf(100)} on.`],
  ])('refuses an empty selection: %j', async (narrowing, problem) => {
    for (const form of [{ format: 'warc' }, { format: 'csv' }] as const) {
      const { outcome, left } = await exported(files, { narrowing, form })
      expect(outcome).toMatchObject({ kind: 'failed', code: 'notFound' })
      expect(outcome.kind === 'failed' && textOf(outcome.problem)).toBe(problem)
      expect(left).toEqual([])
    }
  })

  test('refuses a whole job that has only its metadata file', async () => {
    const { outcome, left } = await exported({ a: packed(info('i')) })
    expect(outcome).toMatchObject({ kind: 'failed', code: 'notFound' })
    expect(left).toEqual([])
  })
})

describe('revisits', () => {
  const original = answer('o', 'http://a.test/', 0)
  const digest = /WARC-Payload-Digest: (\S+)/.exec(original.toString('latin1'))?.[1] ?? ''
  const revisit = (id: string, fields: [string, string][]) =>
    record({ type: 'revisit', id, url: 'http://b.test/', at: 50, fields })
  const references: [by: string, fields: [string, string][]][] = [
    ['ID', [['WARC-Refers-To', idOf('o')]]],
    [
      'address and date',
      [
        ['WARC-Refers-To-Target-URI', 'https://www.a.test/'],
        ['WARC-Refers-To-Date', dateOf(0)],
      ],
    ],
    ['digest', [['WARC-Payload-Digest', digest]]],
  ]
  const request = record({
    type: 'request',
    id: 'q',
    url: 'http://a.test/',
    fields: [['WARC-Concurrent-To', idOf('o')]],
  })
  const others = [answer('x', 'http://a.test/other', 0, html('another')), request]
  const narrowing = { url: 'b.test' }

  test.each(references)('by %s: includes the original and its request', async (_, fields) => {
    const file = packed(revisit('r', fields), info('i'), original, ...others)
    const { outcome, bytes } = await exported({ a: file }, { narrowing })
    expect(await idsIn(bytes)).toEqual(['r', 'i', 'o', 'q'])
    expect(outcome).toMatchObject({ complete: true })
    expect(remarksOf(outcome)).toEqual(['1 record was added: the original of a revisit in the selection.'])
  })

  test('without originals, reports how many revisits lack one', async () => {
    const file = packed(original, revisit('r1', references[0]?.[1] ?? []), revisit('r2', references[0]?.[1] ?? []))
    const { outcome, bytes } = await exported({ a: file }, { narrowing, withOriginals: false })
    expect(await idsIn(bytes)).toEqual(['r1', 'r2'])
    expect(outcome).toMatchObject({ kind: 'written', complete: false })
    expect(remarksOf(outcome)[0]).toMatch(/^2 revisits refer to originals that are not in the export/)
  })

  test('reports an original that is in none of the files, also for whole jobs', async () => {
    for (const given of [{}, { narrowing }]) {
      const { outcome } = await exported({ a: packed(revisit('r', references[0]?.[1] ?? [])) }, given)
      expect(outcome).toMatchObject({ kind: 'written', records: 1, complete: false })
    }
  })

  test('writes an original once that was selected anyway', async () => {
    const { outcome, bytes } = await exported(
      { a: packed(original, revisit('r', references[0]?.[1] ?? [])) },
      { narrowing: { fromMs: 0 } },
    )
    expect(await idsIn(bytes)).toEqual(['o', 'r'])
    expect(outcome).toMatchObject({ complete: true, remarks: [] })
  })
})

describe('faults while writing', () => {
  const files = {
    a: packed(info('i'), ...Array.from({ length: 50 }, (_, index) => answer(`a${index}`, `http://a.test/${index}`))),
  }

  test('reports the stage of comparing, and has read everything at the end', async () => {
    const reports: ExportReport[] = []
    await exported(files, {}, { onReport: (report) => reports.push(report) })
    const steps = reports.map(({ step }) => step)
    expect(steps.toSorted((a, b) => (a === b ? 0 : a === 'writing' ? -1 : 1))).toEqual(steps)
    expect(steps).toContain('verifying')
    const last = reports.at(-1)
    expect(last).toMatchObject({ step: 'verifying', records: 51, filesDone: 1 })
    expect(last?.bytesDone).toBe(last?.bytesTotal)
  })

  test('any byte that is read back differently fails the export and leaves no files', async () => {
    const few = { a: packed(info('i'), answer('a', 'http://a.test/'), answer('b', 'http://a.test/b')) }
    const wacz: WaczForm = { version: '1.1.1', title: 'T', beginAt: [], key: undefined }
    for (const form of [{ format: 'warc' }, { format: 'csv' }, { format: 'wacz', ...wacz }] as const) {
      const { bytes } = await exported(few, { form })
      const unheard: number[] = []
      // Steps that meet every part of a member and of a package.
      for (let at = 0; at < bytes.length; at += form.format === 'wacz' ? 29 : 3) {
        const world = seededWorld({ seed: 1 })
        changeOnDisk(world, '/out/new.part', at)
        const { outcome, left } = await exported(few, { form }, { world })
        if (outcome.kind === 'written') unheard.push(at)
        else expect([outcome.code, left]).toEqual(['damaged', []])
      }
      expect([form.format, unheard]).toEqual([form.format, []])
    }
  })

  test('stopped at any step, leaves no files', async () => {
    for (const step of ['writing', 'verifying']) {
      const world = seededWorld({ seed: 2 })
      const stop = new AbortController()
      const onReport = (report: ExportReport) => {
        if (report.step === step) stop.abort(new Error('enough'))
      }
      await expect(exported(files, {}, { world, onReport, signal: stop.signal })).rejects.toThrow('enough')
      expect(await world.run(world.disk.list('/out'))).toEqual([])
    }
  })

  test('after a power failure at any step the new file is complete or absent', async () => {
    const undisturbed = seededWorld({ seed: 5 })
    const { bytes } = await exported(files, {}, { world: undisturbed })
    let cut = 0
    for (let calls = 1; calls < undisturbed.calls; calls += 5) {
      const world = seededWorld({ seed: 5 })
      if (await world.runUntilCut(exporting(world, files, {}, {}), calls)) continue
      cut += 1
      const { disk, run } = world.crash()
      const there = await run(disk.stat('/out/new'))
      if (there) expect(bytes.equals(Buffer.from(await run(disk.read('/out/new', 1e9))))).toBe(true)
    }
    expect(cut).toBeGreaterThan(5)
  })

  test('refuses before writing when the disk lacks room', async () => {
    const world = seededWorld({ seed: 6 })
    world.disk.freeBytesLeft = 100_000
    const { outcome, left } = await exported(files, { narrowing: { url: 'a.test' } }, { world })
    expect(outcome).toMatchObject({ kind: 'failed', code: 'noSpace' })
    expect(left).toEqual([])
  })

  test('does not overwrite a file that appears in the meantime', async () => {
    const world = seededWorld({ seed: 3 })
    await world.run(world.disk.makeFolder('/out'))
    await world.run(world.disk.write('/out/new', Buffer.from('mine')))
    const { outcome, left } = await exported(files, {}, { world })
    expect(outcome).toMatchObject({ kind: 'failed', code: 'refused' })
    expect(left).toEqual(['new'])
    expect(Buffer.from(await world.run(world.disk.read('/out/new', 10))).toString()).toBe('mine')
  })

  test('keeps a file that another program is writing there', async () => {
    const world = seededWorld({ seed: 4 })
    await world.run(world.disk.makeFolder('/out'))
    await world.run(world.disk.write('/out/new.part', Buffer.from('theirs')))
    const { outcome, left } = await exported(files, {}, { world })
    expect(outcome).toMatchObject({ kind: 'failed', code: 'refused' })
    expect(left).toEqual(['new.part'])
  })
})
