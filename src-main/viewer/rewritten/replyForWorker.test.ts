import { expect, test } from 'vitest'
import type { Field, Reply } from '../model/reply.ts'
import { replyForWorker } from './replyForWorker.ts'

const url = 'http://site.example/folder/page'
const html: Field = ['Content-Type', 'text/html']

function replied(status: number, fields: readonly Field[]): Reply {
  return { status, reason: 'Archived', fields, body: Buffer.from('body'), capture: undefined, missing: false }
}

const inert = { 'Content-Security-Policy': "sandbox; default-src 'none'", 'Cache-Control': 'no-store' }
const disguised = (status: string) => ({ 'X-Redirect-Status': status, 'X-Redirect-StatusText': 'Archived' })

const rows: [string, Reply, { status: number; fields: Record<string, string> }][] = [
  ['a page', replied(200, [html]), { status: 200, fields: { 'Content-Type': 'text/html' } }],
  [
    'a part',
    replied(206, [['Content-Range', 'bytes 0-1/9']]),
    { status: 206, fields: { 'Content-Range': 'bytes 0-1/9' } },
  ],
  ['what is missing', replied(404, []), { status: 404, fields: {} }],
  [
    'a redirect to a relative URL',
    replied(302, [['Location', '../other']]),
    { status: 200, fields: { 'X-Orig-Location': 'http://site.example/other', ...disguised('302') } },
  ],
  ['a redirect without a target', replied(301, []), { status: 200, fields: disguised('301') }],
  [
    'an archived error',
    replied(503, [html]),
    { status: 200, fields: { 'Content-Type': 'text/html', ...disguised('503') } },
  ],
  ['a status that is none', replied(999, []), { status: 200, fields: disguised('500') }],
  [
    'cookies',
    replied(200, [
      ['Set-Cookie', 'a=1; path=/'],
      ['set-cookie', 'b=2'],
    ]),
    { status: 200, fields: { 'X-Proxy-Set-Cookie': 'a=1; path=/, b=2' } },
  ],
  [
    'fields that the worker replaces',
    replied(200, [
      ['Content-Security-Policy', "script-src 'none'"],
      ['ETag', '"1"'],
      ['Cache-Control', 'no-cache'],
    ]),
    { status: 200, fields: {} },
  ],
]
for (const [what, reply, { status, fields }] of rows)
  test(`for the worker: ${what}`, () => {
    const made = replyForWorker(reply, url)
    expect(made.status).toBe(status)
    expect(Object.fromEntries(made.fields)).toEqual({ ...fields, ...inert })
    expect(made.body).toBe(reply.body)
  })
