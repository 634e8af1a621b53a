import { expect, it } from 'vitest'
import { streamOf } from '../model/content.ts'
import { partialReply } from './partialReplies.ts'
import { rangesOf } from './range.ts'

const bytes = Buffer.from('0123456789')
const reply = { status: 200, reason: 'OK', fields: [], capture: undefined, missing: false }
async function* inPieces() {
  for (const byte of bytes) yield Uint8Array.of(byte)
}

const check = (field: string, form: string, body: () => Parameters<typeof partialReply>[1], expected: string[]) =>
  it(`${field} of ${form} returns ${expected.join(', ')}`, async () => {
    const asked = rangesOf(field, bytes.length)
    if (asked.kind !== 'parts') throw new Error('the field does not request several ranges')
    const { body: made, fields } = partialReply(reply, body(), { ...asked, total: bytes.length })
    const pieces: Uint8Array[] = []
    if (made instanceof Uint8Array) pieces.push(made)
    else for await (const piece of made) pieces.push(piece)
    const sent = Buffer.concat(pieces)
    expect(fields).toContainEqual(['Content-Length', String(sent.length)])
    const parts = sent.toString().matchAll(/Content-Range: bytes (\S+)\/10\r\n\r\n(\d+)/g)
    expect([...parts].map(([, range, digits]) => `${range} ${digits}`)).toEqual(expected)
  })

const whole = () => bytes
const stream = () => streamOf(inPieces(), async () => undefined)
check('bytes=8-,4-5,0-1,5-6', 'a body in memory', whole, ['8-9 89', '4-6 456', '0-1 01'])
check('bytes=8-,4-5,0-1,5-6', 'a stream', stream, ['0-1 01', '4-6 456', '8-9 89'])
check('bytes=0-1,4-5', 'a body in memory', whole, ['0-1 01', '4-5 45'])
