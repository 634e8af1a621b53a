/** The upper limit for a server in Node.js: serves the same archive with the least possible work. `fork('bareServer.ts', [replica,
 *  index])` starts it; its parent (`replay.ts`) receives the port as a message. The positions of all addresses are in memory; a
 *  record is read at its position, decompressed, stripped of its two heads, and sent with its length. Nothing is validated, selected,
 *  rewritten or logged. */
import Database from 'better-sqlite3'
import { openSync, readSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** Where the record of an address is: file, and offset and length of its member in bytes. */
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
