/** Makes distinguishable pictures in code: a PNG (ISO/IEC 15948) with 8 bits per channel and without filters. */
import { crc32, deflateSync } from 'node:zlib'

type Colour = readonly [red: number, green: number, blue: number]

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

/** A gradient from one corner to the opposite one, with a frame that shows whether the picture is complete. */
export function gradient(width: number, height: number, from: Colour, to: Colour): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3))
  let at = 0
  for (let y = 0; y < height; y++) {
    at++ // filter type of the row: none
    for (let x = 0; x < width; x++) {
      const framed = x < 4 || y < 4 || x >= width - 4 || y >= height - 4
      const share = (x / width + y / height) / 2
      for (const channel of [0, 1, 2] as const) {
        rows[at++] = framed ? 40 : Math.round(from[channel] + (to[channel] - from[channel]) * share)
      }
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8) // bit depth 8, colour type 2 (RGB)
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const whole = Buffer.alloc(named.length + 8)
  whole.writeUInt32BE(content.length, 0)
  named.copy(whole, 4)
  whole.writeUInt32BE(crc32(named), named.length + 4)
  return whole
}
