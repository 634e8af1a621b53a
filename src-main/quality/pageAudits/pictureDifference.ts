/** How much two screenshots differ, in pixels, with a picture of the differences. For a worker thread: it reads and writes PNG. */
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'

/** An area of the first picture, as fractions of its width and height. */
export interface Area {
  x: number
  y: number
  width: number
  height: number
}

/** What is compared. */
export interface Compared {
  screenshot: Uint8Array
  other: Uint8Array
  /** Areas that are not compared. */
  masks: readonly Area[]
  /** The other picture may show less of the page: only what both show is compared. */
  isPart: boolean
}

/** Pixels of one picture: its copies must fit in memory. */
const pixelsMax = 16_000_000

/** Returns the part of the pixels that differ, from 0 to 1, and a picture in which they are red; undefined when a picture cannot be read. */
export function pictureDifference({
  screenshot,
  other,
  masks,
  isPart,
}: Compared): { difference: number; picture: Uint8Array } | undefined {
  const [one, two] = [readPng(screenshot), readPng(other)]
  if (one === undefined || two === undefined) return undefined
  const side = isPart ? Math.min : Math.max
  const [width, height] = [side(one.width, two.width), side(one.height, two.height)]
  const drawn = new PNG({ width, height })
  const [first, second] = [fitted(one, width, height), fitted(two, width, height)]
  const ignoreMask = maskOf(masks, { width, height })
  const differing = pixelmatch(first, second, drawn.data, width, height, { ignoreMask })
  const compared = ignoreMask.reduce((sum, masked) => sum + (masked === 0 ? 1 : 0), 0)
  return { difference: compared === 0 ? 0 : differing / compared, picture: PNG.sync.write(drawn) }
}

function readPng(bytes: Uint8Array): PNG | undefined {
  const size = pngSize(bytes)
  if (size === undefined || size.width * size.height > pixelsMax) return undefined
  try {
    return onWhite(PNG.sync.read(Buffer.from(bytes)))
  } catch {
    // The bytes are those of an archive, and may be damaged: there is nothing to compare then.
    return undefined
  }
}

/** Puts a picture on white, as a browser shows a page: Browsertrix makes screenshots without the background (`omitBackground`), so that what the page
 *  does not paint is transparent. */
function onWhite(picture: PNG): PNG {
  const { data } = picture
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] ?? 255
    if (alpha === 255) continue
    for (let channel = at; channel < at + 3; channel += 1)
      data[channel] = Math.round(255 + (((data[channel] ?? 255) - 255) * alpha) / 255)
    data[at + 3] = 255
  }
  return picture
}

/** Width and height of a PNG, from its first chunk (PNG 11.2.2); undefined for other bytes. */
export function pngSize(bytes: Uint8Array): { width: number; height: number } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 24 || view.getUint32(0) !== 0x89_50_4e_47) return undefined
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

/** The pixels in a picture of this size. What a picture does not have is transparent, which differs from everything else. */
function fitted({ width: own, height: rows, data }: PNG, width: number, height: number): Uint8Array {
  if (own === width && rows === height) return data
  const pixels = new Uint8Array(width * height * 4)
  for (let row = 0; row < Math.min(rows, height); row += 1) {
    const from = row * own * 4
    pixels.set(data.subarray(from, from + Math.min(own, width) * 4), row * width * 4)
  }
  return pixels
}

function maskOf(masks: readonly Area[], { width, height }: { width: number; height: number }): Uint8Array {
  const mask = new Uint8Array(width * height)
  for (const area of masks) {
    const [left, right] = [Math.floor(area.x * width), Math.min(width, Math.ceil((area.x + area.width) * width))]
    const bottom = Math.min(height, Math.ceil((area.y + area.height) * height))
    for (let row = Math.floor(area.y * height); row < bottom; row += 1)
      mask.fill(1, row * width + left, row * width + Math.max(left, right))
  }
  return mask
}
