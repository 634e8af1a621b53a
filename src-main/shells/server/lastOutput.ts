/** The end of what a program prints, in bounded memory: programs print many problems, and the last ones concern the
 *  reason for their end. */
import type { Readable } from 'node:stream'

/** Characters that are kept. */
const lastOutputCharactersMax = 4_000

/** Collects the output of streams in the order of its arrival. The returned function gives the end of the text so far,
 *  without white space around it. */
export function lastOutputOf(...streams: Readable[]): () => string {
  let text = ''
  for (const stream of streams)
    stream.setEncoding('utf8').on('data', (part: string) => {
      text = (text + part).slice(-lastOutputCharactersMax)
    })
  return () => text.trim()
}
