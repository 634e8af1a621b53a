/** What Node allows: the same archive, answered by the least that could answer it. Whoever starts it (`replay.ts`) gets its port as a
 *  message. The place of every address lies in memory; a record is read in place, unpacked, cut behind its two heads, and sent with a
 *  length. Nothing is checked, chosen, shown otherwise or noted down. `fork('bareServer.ts', [archive, job's index])`. */
import Database from 'better-sqlite3'
import { openSync, readSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

interface Place {
  url: string
  name: string
  offset: number
  length: number
}

const [replica = '', index = ''] = process.argv.slice(2)
const files = new Map<string, number>()
const places = new Map<string, Place>()
const blank = Buffer.from('\r\n\r\n')

const rows = new Database(index, { readonly: true }).prepare<[], Place>(
  `SELECT url, name, offset, length FROM capture JOIN file ON file.id = capture.file`,
)
for (const place of rows.iterate()) {
  places.set(place.url, place)
  if (!files.has(place.name)) files.set(place.name, openSync(join(replica, place.name), 'r'))
}

const server = createServer({ noDelay: true }, (request, response) => {
  const place = places.get(request.url ?? '')
  const file = place && files.get(place.name)
  if (place === undefined || file === undefined) return void response.writeHead(404).end()
  const packed = Buffer.allocUnsafe(place.length)
  readSync(file, packed, 0, place.length, place.offset)
  const record: Buffer = gunzipSync(packed, { chunkSize: packed.readUInt32LE(place.length - 4) + 64 })
  const block = record.indexOf(blank) + blank.length
  const body = record.subarray(record.indexOf(blank, block) + blank.length, record.length - blank.length)
  response.writeHead(200, { 'content-type': 'text/html', 'content-length': body.length }).end(body)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
