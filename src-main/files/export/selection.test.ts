import { message } from '../../contract/words/message.ts'
import { describe, expect, test } from 'vitest'
import { urlProblem, selector, type Narrowing } from './selection.ts'

describe('URLs below a prefix', () => {
  const rows: [address: string, under: string[], not: string[]][] = [
    [
      'example.org',
      [
        'http://example.org/',
        'https://www.example.org/a?b=1',
        'http://example.org',
        'HTTP://EXAMPLE.ORG:80/x',
        'https://example.org:443/',
      ],
      [
        'http://example.org.test/',
        'http://a.example.org/',
        'http://example.org:8080/',
        'metadata://example.org/a',
        'dns:example.org',
        'urn:example.org',
      ],
    ],
    [
      'https://example.org/museum',
      [
        'http://example.org/museum',
        'http://example.org/museum/',
        'http://example.org/museum/a/b.html',
        'http://example.org/Museum?hall=2',
      ],
      [
        'http://example.org/museums',
        'http://example.org/museum.html',
        'http://example.org/',
        'http://example.org/a/museum',
      ],
    ],
    [
      'http://example.org/museum/',
      ['http://example.org/museum', 'http://example.org/museum/x'],
      ['http://example.org/museums'],
    ],
    [
      'example.org/find?q=1',
      ['http://example.org/find?q=1', 'http://example.org/find?q=1&z=2'],
      ['http://example.org/find?q=12', 'http://example.org/find', 'http://example.org/find?a=1&q=1'],
    ],
    [
      '*.example.org',
      ['http://example.org/', 'http://a.b.example.org/x', 'https://a.example.org:8080/'],
      ['http://myexample.org/', 'http://example.org.test/', 'http://org/'],
    ],
    ['localhost:8080/a', ['http://localhost:8080/a/b'], ['http://localhost/a', 'http://localhost:80801/a']],
    ['urn:pageinfo:', ['urn:pageinfo:http://example.org/'], ['http://example.org/', 'urn:other']],
  ]
  test.each(rows)('%s', (url, under, not) => {
    expect(urlProblem(url)).toBeUndefined()
    const selects = selector({ url })
    const chosen = [...under, ...not].filter((candidate) => selects({ url: candidate, date: '' }))
    expect(chosen).toEqual(under)
  })
  test('a record without a URL is below no prefix', () => {
    expect(selector({ url: 'example.org' })({ url: undefined, date: '' })).toBe(false)
  })
  test.each(['', 'http://', 'an address', 'http://<a>/'])('%j is not a URL', (url) => {
    expect(urlProblem(url)).toEqual(message('export.url', { url }))
  })
})

describe('times', () => {
  const noon = Date.UTC(2026, 10, 20, 12)
  const rows: [narrowing: Narrowing, date: string, chosen: boolean][] = [
    [{}, 'no date', true],
    [{ fromMs: noon }, '2026-11-20T12:00:00Z', true],
    [{ fromMs: noon }, '2026-11-20T11:59:59Z', false],
    [{ toMs: noon }, '2026-11-20T12:00:00Z', true],
    [{ toMs: noon }, '2026-11-20T12:00:00.001Z', false],
    [{ fromMs: noon, toMs: noon + 999 }, '2026-11-20T12:00:00.999Z', true],
    [{ fromMs: noon }, '20261120120000', true],
    [{ fromMs: noon }, 'no date', false],
  ]
  test.each(rows)('%j and %s: %s', (narrowing, date, chosen) => {
    expect(selector(narrowing)({ url: 'http://a/', date })).toBe(chosen)
  })
})
