/** Lines out of chunks of whole lines, as `merged` gives them. */
export async function* linesIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length;) {
      const end = chunk.indexOf(lineFeed, from)
      const to = end < 0 ? chunk.length : end
      yield chunk.toString('utf8', from, to)
      from = to + 1
    }
  }
}

const lineFeed = 0x0a
