/** Generates captures by number that resemble those of a Web archive: pages, style sheets and pictures with log-normally distributed
 *  sizes, 24 kB on average, compressible texts and incompressible pictures. The same number gives the same bytes. */
import type { Answered } from './capturedFiles.ts'

/** Number of host names, over which the captures are spread evenly. */
const hosts = 500
/** Mean size of the bodies. */
const meanBytes = 24_000
/** Standard deviation of the logarithm of the sizes; half of all bodies are smaller than 13 kB. */
const deviation = 1.1
/** Longer bodies are cut, so that a single one does not dominate a short run. */
const bodyBytesMax = 1024 * 1024

/** The kinds of captures; each entry is equally frequent. */
const kinds = [
  { ending: 'html', mediaType: 'text/html; charset=utf-8', make: text },
  { ending: 'html', mediaType: 'text/html; charset=utf-8', make: text },
  { ending: 'css', mediaType: 'text/css', make: text },
  { ending: 'jpg', mediaType: 'image/jpeg', make: noise },
] as const

type Chance = () => number

/** The capture of this number. Each capture has an address of its own. */
export function archivedPage(number: number): Answered {
  const chance = chanceFrom(number)
  const { ending, mediaType, make } = kinds[number % kinds.length] ?? kinds[0]
  const size = Math.exp(Math.log(meanBytes) - deviation ** 2 / 2 + deviation * normal(chance))
  return {
    url: `http://www.host-${number % hosts}.example/folder-${number % 7}/item-${number}.${ending}?version=${number}`,
    atMs: Date.UTC(2020, 0, 1) + number * 60_000,
    mediaType,
    body: make(Math.min(bodyBytesMax, Math.ceil(size)), chance),
  }
}

/** Marsaglia's xorshift with 32 bits: fast, the same on every platform, and good enough to fill bodies. */
function chanceFrom(seed: number): Chance {
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/** A normally distributed number, by the Box–Muller transform. */
function normal(chance: Chance): number {
  return Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance())
}

/** Paragraphs of some hundred bytes each, of words with a skewed frequency, as in natural languages. */
const paragraphs = Array.from({ length: 3_000 }, (_, number) => {
  const chance = chanceFrom(number)
  const words = Array.from({ length: 20 + Math.floor(chance() * 60) }, () => word(Math.floor(4_000 * chance() ** 3)))
  return Buffer.from(
    `<p class="c${number % 40}"><a href="/folder-${number % 7}/item-${number}.html">${words.join(' ')}</a></p>\n`,
  )
})

/** The word of this number, the same in every page. */
function word(number: number): string {
  const chance = chanceFrom(number)
  const letters = Array.from({ length: 2 + Math.floor(chance() * 8) }, () => 97 + Math.floor(26 * chance() ** 2))
  return String.fromCharCode(...letters)
}

/** Paragraphs in random order, cut at the size. */
function text(bytes: number, chance: Chance): Buffer {
  const body = Buffer.alloc(bytes)
  for (let at = 0; at < bytes;) at += paragraphs[Math.floor(chance() * paragraphs.length)]?.copy(body, at) ?? bytes
  return body
}

/** Random bytes, which do not compress. */
function noise(bytes: number, chance: Chance): Buffer {
  const body = Buffer.allocUnsafe(bytes)
  for (let at = 0; at < bytes; at += 1) body[at] = Math.floor(chance() * 256)
  return body
}
