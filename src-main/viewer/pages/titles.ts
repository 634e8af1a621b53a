/** Reads the title of a captured page from its record. */
import { extractLinks } from '../../formats/links/links.ts'
import type { CaptureIndex, IndexedCapture } from '../../indexes/indexes.ts'
import { titleBytesMax, titleCharactersMax } from '../model/limits.ts'
import type { OpenFiles } from '../records/openFiles.ts'
import { replayCapture } from '../replay/replay.ts'
import type { BrowserRequest, Reply } from '../model/reply.ts'
import { Unreadable } from '../model/unreadable.ts'

interface From {
  files: OpenFiles
  index: Pick<CaptureIndex, 'originals'>
}

/** The title. Null if the page has none or cannot be read. */
export async function titleOf(from: From, capture: IndexedCapture): Promise<string | null> {
  const { url } = capture
  try {
    const reply = await replayCapture({ ...from, request: plainRequest(url) }, capture)
    if (reply === undefined) return null
    const mediaType = reply.fields.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
    const charset = /charset="?([\w-]+)/i.exec(mediaType)?.[1]
    const { title } = extractLinks({ url, mediaType, charset, body: await beginningOf(reply), linksMax: 1 })
    return title?.slice(0, titleCharactersMax) ?? null
  } catch (error) {
    if (error instanceof Unreadable) return null
    throw error
  }
}

/** A request as of a browser that accepts no content coding. */
function plainRequest(url: string): BrowserRequest {
  return {
    ...{ method: 'GET', url, fields: { 'accept-encoding': 'identity' }, credentials: undefined },
    content: async () => undefined,
    signal: new AbortController().signal,
  }
}

/** Reads the first `titleBytesMax` bytes of a body, and closes it. */
async function beginningOf({ body }: Reply): Promise<Uint8Array> {
  if (body instanceof Uint8Array) return body.subarray(0, titleBytesMax)
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= titleBytesMax) break
    }
  } finally {
    await body.close()
  }
  return Buffer.concat(chunks).subarray(0, titleBytesMax)
}
