import { textOf } from '../../../contract/words/render.ts'
import { message } from '../../../contract/words/message.ts'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ArchiveFixture } from '../../../indexes/testing/archiveFixture.ts'
import { viewerOver } from '../viewerFixture.ts'
import type { Viewer } from '../../viewer.ts'
import { capturedAt, ways, type Case } from './case.ts'
import { openWire, type RawReply, type Port, type Wire } from './rawClient.ts'
import { archivedTable, next, pathOf, table } from './table.ts'

let made: ArchiveFixture
let viewer: Viewer
let port: Port
const bugs: string[] = []

beforeAll(async () => {
  made = await archivedTable()
  viewer = await viewerOver(made, {
    onProblem: (error, failure) => bugs.push(textOf(failure(message('text', { text: String(error) })))),
  })
  await viewer.open({ jobs: [1], moment: { kind: 'nearest', atMs: Date.parse(capturedAt) }, withinMs: undefined })
  port = { ...viewer.proxy, ca: await readFile(viewer.certificate.path, 'latin1') }
})
afterAll(async () => {
  await viewer.close()
  await made[Symbol.asyncDispose]()
})

it('has enough rows, each with a unique name', () => {
  expect(table.length).toBeGreaterThanOrEqual(120)
  expect(new Set(table.map(({ name }) => name)).size).toBe(table.length)
})

for (const way of ways) {
  describe(`over ${way}`, () => {
    let wire: Wire
    beforeAll(async () => {
      wire = await openWire(way, port)
    })
    afterAll(() => wire.close())

    table.forEach((row, number) => {
      if (row.ways?.includes(way) === false) return
      it(row.name, async () => {
        const got = await asked(wire, row, number)
        expectThat(got, row, way === 'http2')
        const isOver = got.status === 431 || saidIn(got, 'connection').includes('close') || !got.isWhole
        if (isOver && way !== 'http2') {
          wire.close()
          wire = await openWire(way, port)
        }
        // The response was consumed completely, and the connection stays usable.
        const { status, body } = await wire.ask({ path: next.path })
        expect([status, body.toString()]).toEqual([200, next.body])
      })
    })
  })
}

it('no request caused a bug', () => {
  const expected =
    /^A capture of http\S+ could not be shown\. |The record in 1-2-spoiled-\d\.warc\.gz at offset 0 is damaged/
  expect(bugs.filter((bug) => !expected.test(bug))).toEqual([])
})

async function asked(wire: Wire, { ask = {} }: Case, number: number): Promise<RawReply> {
  const { eTagIn, fields = [], ...others } = ask
  const path = pathOf(number, ask.path)
  if (eTagIn === undefined) return wire.ask({ ...ask, path })
  const [eTag = ''] = saidIn(await wire.ask({ path }), 'etag')
  expect(eTag).not.toBe('')
  return wire.ask({ ...others, path, fields: [...fields, [eTagIn, eTag]] })
}

function saidIn({ fields }: RawReply, wanted: string): string[] {
  return fields.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value)
}

function expectThat(got: RawReply, { comes }: Case, isHttp2: boolean): void {
  expect({ status: got.status, isWhole: got.isWhole }).toEqual({ status: comes.status, isWhole: !comes.isBroken })
  if (comes.reason !== undefined && !isHttp2) expect(got.reason).toBe(comes.reason)
  const names = Object.keys(comes.fields ?? {})
  const said = Object.fromEntries(names.map((name) => [name, saidIn(got, name)]))
  expect(said).toEqual(Object.fromEntries(names.map((name) => [name, [comes.fields?.[name] ?? []].flat()])))
  for (const [name, value] of Object.entries(comes.fieldsHave ?? {})) expect(saidIn(got, name)).toContain(value)
  // The first bytes are compared as text, so that a difference is readable.
  if (comes.body !== undefined) {
    expect(got.body.length).toBe(Buffer.from(comes.body).length)
    expect(got.body.subarray(0, 999).toString('latin1')).toBe(
      Buffer.from(comes.body).subarray(0, 999).toString('latin1'),
    )
    expect(got.body.equals(Buffer.from(comes.body))).toBe(true)
  }
  if (comes.bodyHas !== undefined) expect(got.body.toString('latin1')).toContain(comes.bodyHas)
}
