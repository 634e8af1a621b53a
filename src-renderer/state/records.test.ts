import { expect, test } from 'vitest'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { RecordRow } from '../../src-main/contract/services/records.ts'
import { Fault } from '../../src-main/contract/calls/faults.ts'
import { makeRecords, neighbourOf, recordsPerPage } from './records.ts'

/** A file of this many records, a hundred bytes each; every third is a response. */
function fileOf(count: number) {
  const asked: number[] = []
  const all = Array.from({ length: count }, (_, index): RecordRow => {
    const number = index + 1
    const type = number % 3 === 0 ? 'response' : 'request'
    const none = { date: null, status: null, mediaType: null, url: null, findings: 0 }
    return { number, offset: index * 100, length: 100, addressable: true, type, ...none }
  })
  const list: Loupe['records']['list'] = ({ after = 0, limit = 100, type }) => {
    asked.push(after)
    const rows = all.filter((row) => row.number > after && (type === undefined || row.type === type)).slice(0, limit)
    const last = rows.at(-1)?.number ?? count
    return Promise.resolve({ rows, next: rows.length < limit || last === count ? null : last, findings: [] })
  }
  const show = () => Promise.reject(new Fault('refused', 'not in this test'))
  return { asked, store: makeRecords({ records: { list, show } }, 'a.warc') }
}

const numbers = (rows: readonly RecordRow[]) => [rows[0]?.number, rows.at(-1)?.number, rows.length]

test('the list begins shortly before the requested record, and grows at both ends to the whole file', async () => {
  const { store } = fileOf(450)
  await store.getState().begin({ number: 300, type: null })
  expect(numbers(store.getState().rows)).toEqual([290, 389, 100])
  while (store.getState().above > 0) await store.getState().earlier()
  while (store.getState().below !== null) await store.getState().later()
  expect(store.getState().rows.map(({ number }) => number)).toEqual(Array.from({ length: 450 }, (_, at) => at + 1))
})

test('of one type the list grows upwards without repeating a record', async () => {
  const { store } = fileOf(900)
  await store.getState().begin({ number: 600, type: 'response' })
  while (store.getState().above > 0) await store.getState().earlier()
  while (store.getState().below !== null) await store.getState().later()
  expect(store.getState().rows.map(({ number }) => number)).toEqual(Array.from({ length: 300 }, (_, at) => 3 * at + 3))
})

test('an offset is found by reading on from the beginning, up to a limit', async () => {
  const { store, asked } = fileOf(3000)
  await store.getState().find(120_000)
  expect(store.getState().rows.some(({ offset }) => offset === 120_000)).toBe(true)
  expect(asked).toEqual([0, 500, 1000])
})

test('an answer to a request from before the list was restarted is dropped', async () => {
  const { store } = fileOf(500)
  const first = store.getState().begin({ number: 1, type: null })
  await store.getState().begin({ number: 1, type: 'response' })
  await first
  expect(store.getState().rows.every(({ type }) => type === 'response')).toBe(true)
  expect(store.getState().rows).toHaveLength(recordsPerPage)
})

test('concurrent requests load a page once', async () => {
  const { store, asked } = fileOf(500)
  await store.getState().begin({ number: 1, type: null })
  await Promise.all([store.getState().later(), store.getState().later()])
  expect(asked).toEqual([0, 100])
})

test('records with the same offset are distinguished by their number', () => {
  const row = (number: number, offset: number) => ({ number, offset }) as RecordRow
  const rows = [row(1, 0), row(2, 50), row(3, 50), row(4, 90)]
  expect(neighbourOf(rows, { offset: 50, number: 3 }, -1)?.number).toBe(2)
  expect(neighbourOf(rows, { offset: 50, number: 3 }, 1)?.number).toBe(4)
  expect(neighbourOf(rows, { offset: 90, number: null }, 1)).toBeUndefined()
  expect(neighbourOf(rows, { offset: 7, number: null }, 1)).toBeUndefined()
})

test('a refusal is kept until the next attempt', async () => {
  let answers = 0
  const list: Loupe['records']['list'] = () => {
    answers += 1
    return answers === 1
      ? Promise.reject(new Fault('unreachable', 'no replica'))
      : Promise.resolve({ rows: [], next: null, findings: [] })
  }
  const store = makeRecords({ records: { list, show: () => Promise.reject(new Error('unused')) } }, 'a.warc')
  await store.getState().begin({ number: 1, type: null })
  expect(store.getState().fault).toMatchObject({ code: 'unreachable' })
  await store.getState().later()
  expect(store.getState()).toMatchObject({ fault: null, below: null })
})
