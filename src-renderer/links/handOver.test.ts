import { expect, test } from 'vitest'
import { handOverTo, pieceBytes } from './handOver.ts'

interface Put {
  address: string
  method: string
  range: string
  bytes: number
}

/** A server that accepts every part and returns the path with the last one; `answers`, in order, replace its responses. */
function engine(answers: (() => Response | Promise<Response>)[] = []) {
  const heard: Put[] = []
  const fetch = (async (address: string, { method = '', headers, body, signal }: RequestInit) => {
    signal?.throwIfAborted()
    const range = new Headers(headers).get('content-range') ?? ''
    heard.push({ address, method, range, bytes: body instanceof Blob ? body.size : 0 })
    const given = answers.shift()
    if (given) return given()
    const [, last, total] = /-(\d+)\/(\d+)$/.exec(range) ?? []
    const path = Number(last) + 1 === Number(total) ? '/archive/incoming/a.warc' : null
    return Response.json({ value: { path } })
  }) as typeof globalThis.fetch
  return { heard, handOver: handOverTo({ origin: 'http://127.0.0.1:1', token: 'secret', fetch }) }
}

const fileOf = (bytes: number, name = 'a.warc') => new File([new Uint8Array(bytes)], name)
const quiet = { signal: new AbortController().signal, onProgress: () => undefined }

test('a large file is sent in pieces without gaps, and progress is reported', async () => {
  const { heard, handOver } = engine()
  const progress: number[] = []
  const bytes = 2 * pieceBytes + 5
  const path = await handOver.give(fileOf(bytes), { ...quiet, onProgress: (done) => progress.push(done) })
  expect(path).toBe('/archive/incoming/a.warc')
  expect(heard.map(({ range }) => range)).toEqual([
    `bytes 0-${pieceBytes - 1}/${bytes}`,
    `bytes ${pieceBytes}-${2 * pieceBytes - 1}/${bytes}`,
    `bytes ${2 * pieceBytes}-${bytes - 1}/${bytes}`,
  ])
  expect(heard.map((put) => put.bytes)).toEqual([pieceBytes, pieceBytes, 5])
  expect(progress).toEqual([pieceBytes, 2 * pieceBytes, bytes])
})

test('a name with spaces, a hash and a slash stays one segment of the URL', async () => {
  const { heard, handOver } = engine()
  await handOver.give(fileOf(3, 'zwölf #1/2.warc'), quiet)
  expect(heard[0]?.address).toBe('http://127.0.0.1:1/incoming/zw%C3%B6lf%20%231%2F2.warc')
})

test('throws a fault of the engine unchanged', async () => {
  const { handOver } = engine([() => Response.json({ fault: { code: 'noSpace', text: 'no room' } }, { status: 507 })])
  await expect(handOver.give(fileOf(3), quiet)).rejects.toMatchObject({ code: 'noSpace', message: 'no room' })
})

test('reports an unreachable engine', async () => {
  const { handOver } = engine([() => Promise.reject(new TypeError('Failed to fetch'))])
  await expect(handOver.give(fileOf(3), quiet)).rejects.toMatchObject({ code: 'unreachable' })
})

test('stopped between two pieces, sends no more', async () => {
  const { heard, handOver } = engine()
  const stop = new AbortController()
  const giving = handOver.give(fileOf(3 * pieceBytes), { signal: stop.signal, onProgress: () => stop.abort() })
  await expect(giving).rejects.toMatchObject({ code: 'stopped' })
  expect(heard).toHaveLength(1)
})

test('does not send an empty file', async () => {
  const { heard, handOver } = engine()
  await expect(handOver.give(fileOf(0), quiet)).rejects.toMatchObject({ code: 'refused' })
  expect(heard).toEqual([])
})

test('removal names the uploaded file', async () => {
  const { heard, handOver } = engine([() => Response.json({ value: {} })])
  await handOver.takeBack('a b.warc')
  expect(heard).toMatchObject([{ method: 'DELETE', address: 'http://127.0.0.1:1/incoming/a%20b.warc' }])
})
