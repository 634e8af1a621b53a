/** What the titles of captured pages say, read out of their records: some tens of them at a time. */
import { extractLinks } from '../formats/links/links.ts'
import type { CaptureIndex } from '../indexes/indexes.ts'
import { titleBytesMax } from './limits.ts'
import type { OpenFiles } from './openFiles.ts'
import { replayCapture } from './replay.ts'
import type { BrowserRequest, Reply } from './resolvers.ts'
import { Unreadable } from './unreadable.ts'

/** One capture of a page. */
export interface Titled {
  url: string
  timestampMs: number
}

interface From {
  files: OpenFiles
  index: CaptureIndex | undefined
  isShown: (url: string) => boolean
}

/** Null: the page has none, it cannot be read, or it must not be shown. */
export async function titlesOf(
  { files, index, isShown }: From,
  captures: readonly Titled[],
): Promise<(string | null)[]> {
  const titles: (string | null)[] = []
  for (const one of captures)
    titles.push(index === undefined || !isShown(one.url) ? null : await titleOf(files, index, one))
  return titles
}

async function titleOf(files: OpenFiles, index: CaptureIndex, { url, timestampMs }: Titled): Promise<string | null> {
  const capture = index.nearest({ url, moment: { kind: 'nearest', atMs: timestampMs } })
  if (capture === undefined) return null
  try {
    const reply = await replayCapture({ files, index, request: plainRequest(url) }, capture)
    if (reply === undefined) return null
    const mediaType = reply.fields.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
    const charset = /charset="?([\w-]+)/i.exec(mediaType)?.[1]
    return extractLinks({ url, mediaType, charset, body: await beginningOf(reply), linksMax: 1 }).title ?? null
  } catch (error) {
    if (error instanceof Unreadable) return null
    throw error
  }
}

/** Of a browser that takes nothing coded. */
function plainRequest(url: string): BrowserRequest {
  return {
    ...{ method: 'GET', url, fields: { 'accept-encoding': 'identity' }, credentials: undefined },
    content: async () => undefined,
    signal: new AbortController().signal,
  }
}

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
