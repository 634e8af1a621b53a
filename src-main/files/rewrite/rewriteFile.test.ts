import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { message, type Message } from '../../contract/words/message.ts'
import { newRecord, recordBytes } from '../../formats/records/warcWriter.ts'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import type { World } from '../../world/world.ts'
import { rewriteFile, type RewriteAction, type RewriteInput } from './rewriteFile.ts'
import { task } from './rewriteFile.thread.ts'

const records = [1, 2, 3].map((number) => {
  const made = newRecord({
    type: 'resource',
    id: `0f1e2d3c-4b5a-4978-8695-00000000000${number}`,
    dateMs: 0,
    fields: [['WARC-Target-URI', `http://example.org/${number}`]],
    contentType: 'text/plain',
    block: [Buffer.from(`This is page ${number}.`)],
  })
  return Buffer.concat(recordBytes(made))
})
const warc = gzipSync(Buffer.concat(records))
const arc = Buffer.from(
  'filedesc://x.arc 0.0.0.0 20050101000000 text/plain 16\n1 0 Test\nURL a b\n\nhttp://e.org/ 1.2.3.4 20050101000000 text/html 4\npage\n',
)
const har = Buffer.from('{"log":{"version":"1.2","entries":[]}}')

const folder = '/files'
const path = (name: string) => `${folder}/${name}`

async function worldWith(files: Record<string, Uint8Array>, seed = 7): Promise<SeededWorld> {
  const world = seededWorld({ seed })
  const prepare = async () => {
    await world.disk.makeFolder(folder)
    for (const [name, bytes] of Object.entries(files)) await world.disk.write(path(name), bytes)
  }
  await world.run(prepare())
  return world
}

function input(action: RewriteAction, source: string, target?: string): RewriteInput {
  return {
    action,
    source: path(source),
    target: target === undefined ? { folder } : { file: path(target) },
    software: 'Loupe test',
  }
}

async function names(world: SeededWorld): Promise<string[]> {
  return (await world.run(world.disk.list(folder))).map(({ name }) => name)
}

const warcGzip = message('format.packed', { format: message('format.warc'), packing: 'gzip' })

test.each<[RewriteAction, string, Uint8Array, string, { records: number; kind: Message }]>([
  ['recompress', 'a.warc.gz', warc, 'a.recompressed.warc.gz', { records: 3, kind: warcGzip }],
  ['recompress', 'misnamed.warc', arc, 'misnamed.recompressed.arc.gz', { records: 2, kind: message('format.arc') }],
  ['convert', 'a.arc', arc, 'a.converted.warc.gz', { records: 3, kind: message('format.arc') }],
  ['salvage', 'a.warc.gz.open', warc.subarray(0, -9), 'a.salvaged.warc.gz', { records: 5, kind: warcGzip }],
  [
    'salvage',
    'data',
    Buffer.concat([Buffer.from('?'), ...records]),
    'data.salvaged.warc.gz',
    { records: 5, kind: message('format.text') },
  ],
])('%s %s', async (action, name, bytes, made, summary) => {
  const world = await worldWith({ [name]: bytes })
  const outcome = await world.run(rewriteFile(world, input(action, name)))
  expect(outcome).toMatchObject({ kind: 'done', summary: { target: path(made), ...summary } })
  expect(await names(world)).toEqual([name, made].toSorted())
  expect(Buffer.from(await world.run(world.disk.read(path(name), 10_000))).equals(bytes)).toBe(true)
})

test('reports omissions and changes', async () => {
  const torn = Buffer.concat([Buffer.from('junk'), ...records]).subarray(0, -9)
  const world = await worldWith({ 'a.warc': torn })
  const outcome = await world.run(rewriteFile(world, input('salvage', 'a.warc')))
  expect(outcome).toMatchObject({
    kind: 'done',
    summary: {
      leftOut: { total: 1, items: [{ from: 0, to: 4, rule: 'noRecord' }] },
      changed: { total: 1, items: [{ rules: ['recordTorn'] }] },
      findings: {
        items: expect.arrayContaining([
          expect.objectContaining({ rule: 'recordTorn', file: path('a.warc') }),
        ]) as unknown,
      },
    },
  })
})

test.each<[string, RewriteInput, Record<string, Uint8Array>, string]>([
  ['an existing name', input('recompress', 'a.warc', 'b.gz'), { 'a.warc': warc, 'b.gz': har }, 'exists'],
  ['itself', input('recompress', 'a.warc', 'a.warc'), { 'a.warc': warc }, 'exists'],
  ['itself as the unfinished file', input('recompress', 'a.gz.part', 'a.gz'), { 'a.gz.part': warc }, 'exists'],
  ['WARC to WARC', input('convert', 'a.warc'), { 'a.warc': warc }, 'wrongKind'],
  ['packed HAR', input('convert', 'a.har.gz'), { 'a.har.gz': gzipSync(har) }, 'wrongKind'],
  ['HAR', input('salvage', 'a.har'), { 'a.har': har }, 'wrongKind'],
  ['text', input('recompress', 'a.warc'), { 'a.warc': Buffer.from('no record') }, 'wrongKind'],
  ['only damage', input('recompress', 'a.warc'), { 'a.warc': warc.subarray(0, 200) }, 'nothing'],
  ['no record', input('salvage', 'a.warc'), { 'a.warc': Buffer.from('no record') }, 'nothing'],
  ['no entry', input('convert', 'a.har'), { 'a.har': har }, 'nothing'],
])('refuses and creates nothing: %s', async (_name, asked, files, why) => {
  const world = await worldWith(files)
  expect(await world.run(rewriteFile(world, asked))).toMatchObject({ kind: 'refused', why })
  expect(await names(world)).toEqual(Object.keys(files).toSorted())
  for (const [name, bytes] of Object.entries(files))
    expect(Buffer.from(await world.run(world.disk.read(path(name), 10_000))).equals(bytes)).toBe(true)
})

test('replaces the leftovers of a killed run', async () => {
  const world = await worldWith({ 'a.warc': warc, 'b.gz.part': har, 'b.gz.block.part': har })
  expect(await world.run(rewriteFile(world, input('recompress', 'a.warc', 'b.gz')))).toMatchObject({ kind: 'done' })
  expect(await names(world)).toEqual(['a.warc', 'b.gz'])
})

test('after a power failure at any call the new file is complete or absent, and the next run creates it', async () => {
  for (const action of ['recompress', 'salvage'] as const) {
    const undisturbed = await worldWith({ 'a.warc': warc })
    const before = undisturbed.calls
    await undisturbed.run(rewriteFile(undisturbed, input(action, 'a.warc', 'b.gz')))
    const calls = undisturbed.calls - before
    expect(calls).toBeGreaterThan(8)
    for (let cut = 1; cut <= calls; cut++) {
      const world = await worldWith({ 'a.warc': warc }, cut)
      await world.runUntilCut(rewriteFile(world, input(action, 'a.warc', 'b.gz')), cut)
      const again = world.crash()
      const wasThere = (await names(again)).includes('b.gz')
      const outcome = await again.run(rewriteFile(again, input(action, 'a.warc', 'b.gz')))
      expect(outcome, `${action}, cut at call ${cut}`).toMatchObject(wasThere ? { why: 'exists' } : { kind: 'done' })
      const checked = await again.run(rewriteFile(again, input('recompress', 'b.gz', 'c.gz')))
      expect(checked).toMatchObject({ summary: { records: action === 'salvage' ? 5 : 3, findings: { total: 0 } } })
      expect(await names(again)).toEqual(['a.warc', 'b.gz', 'c.gz'])
    }
  }
})

test('reports a full disk and leaves no files', async () => {
  const world = await worldWith({ 'a.warc': warc })
  world.disk.freeBytesLeft = 100
  await expect(world.run(rewriteFile(world, input('recompress', 'a.warc')))).rejects.toMatchObject({ code: 'full' })
  expect(await names(world)).toEqual(['a.warc'])
})

test('leaves no files when stopped', async () => {
  const world = await worldWith({ 'a.warc': warc })
  const stop = new AbortController()
  const signal = stop.signal
  const rewriting = task(
    { world: openingWrite(world, () => stop.abort()), report: () => undefined, signal, takePrinted: () => '' },
    input('recompress', 'a.warc'),
  )
  await expect(world.run(rewriting)).rejects.toMatchObject({ name: 'AbortError' })
  expect(await names(world)).toEqual(['a.warc'])
})

/** The same world, in which something happens when the new file is opened for writing. */
function openingWrite(world: SeededWorld, happens: () => unknown): World {
  const openWrite: World['disk']['openWrite'] = async (...asked) => {
    await happens()
    return world.disk.openWrite(...asked)
  }
  return { ...world, disk: { ...world.disk, openWrite } }
}

test('refuses a source that another program is changing', async () => {
  const world = await worldWith({ 'a.warc': warc })
  const changing = openingWrite(world, async () => {
    const file = await world.disk.openWrite(path('a.warc'), 'append')
    await file.append([Buffer.from('x')])
    await file.close()
  })
  const context = {
    world: changing,
    report: () => undefined,
    signal: new AbortController().signal,
    takePrinted: () => '',
  }
  expect(await world.run(task(context, input('recompress', 'a.warc')))).toMatchObject({ why: 'sourceChanged' })
  expect(await names(world)).toEqual(['a.warc'])
})

test('gives no name to a file that is not read back as written', async () => {
  for (let at = 10; at < 300; at += 29) {
    const world = await worldWith({ 'a.warc': warc })
    const openRead: World['disk']['openRead'] = (asked) => {
      if (asked.endsWith('.part')) world.disk.corrupt(asked, at)
      return world.disk.openRead(asked)
    }
    const rotting: World = { ...world, disk: { ...world.disk, openRead } }
    const context = {
      world: rotting,
      report: () => undefined,
      signal: new AbortController().signal,
      takePrinted: () => '',
    }
    expect(await world.run(task(context, input('recompress', 'a.warc')))).toMatchObject({ why: 'differs' })
    expect(await names(world)).toEqual(['a.warc'])
  }
})
