/** The last link of the chain: answers from the captures of the present view, best first, and says plainly when there is
 *  none. A capture that cannot be read gives way to the next; if only such ones are left the answer says that, because
 *  what was harvested and cannot be read is not missing from the harvest. */
import { momentAt, type CaptureIndex } from '../indexes/indexes.ts'
import { candidatesMax } from './limits.ts'
import type { OpenFiles } from './openFiles.ts'
import { replayCapture } from './replay.ts'
import {
  escapedHtml,
  plainReply,
  textReply,
  withoutBody,
  type BrowserRequest,
  type Field,
  type Reply,
  type Resolver,
} from './resolvers.ts'
import { Unreadable } from './unreadable.ts'

/** The index of the present view, held open until it is released: the view may change while a record is read. */
export interface Shown {
  index: CaptureIndex
  atMs: number | undefined
  release: () => void
}

export interface ArchiveAccess {
  files: OpenFiles
  borrow: () => Shown | undefined
  /** A capture that the index lists and the archive does not give. */
  onUnreadable: (error: Unreadable, url: string) => void
}

export function archiveAccess({ files, borrow, onUnreadable }: ArchiveAccess): Resolver {
  async function fromCaptures({ index, atMs }: Shown, request: BrowserRequest): Promise<Reply> {
    let unreadable: Unreadable | undefined
    for (const capture of index.candidates({ url: request.url, moment: momentAt(atMs) }, candidatesMax)) {
      try {
        const reply = await replayCapture({ files, index, request }, capture)
        if (reply !== undefined) return reply
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error
        onUnreadable(error, request.url)
        unreadable ??= error
      }
    }
    return unreadable === undefined ? notInArchive(request) : cannotBeRead(request, unreadable)
  }

  async function fromView(shown: Shown, request: BrowserRequest): Promise<Reply> {
    if (request.method === 'GET' || request.method === 'HEAD') return fromCaptures(shown, request)
    const preflight = preflightReply(request)
    const wouldAnswer =
      preflight && shown.index.nearest({ url: request.url, moment: momentAt(shown.atMs) }) !== undefined
    return wouldAnswer ? preflight : notInArchive(request)
  }

  return async (request) => {
    // A script that answers for the archive, and a socket, were never captured: refused cleanly, a page does without.
    if (request.fields['service-worker'] === 'script') return refused('Service workers are not replayed.')
    if (/\bwebsocket\b/i.test(request.fields.upgrade ?? '')) return refused('WebSockets are not replayed.')
    const shown = borrow()
    if (shown === undefined) return noView()
    try {
      return await fromView(shown, request)
    } finally {
      shown.release()
    }
  }
}

function refused(sentence: string): Reply {
  return plainReply(404, sentence, [['X-Loupe', 'refused']])
}

function noView(): Reply {
  return plainReply(503, 'No jobs have been chosen for viewing: open some in Loupe first.', [['X-Loupe', 'no-view']])
}

/** A page asks leave before it reads another site's answer (Fetch 3.3.2). Such questions are not captured; they are granted
 *  where the answer itself is here, whose own fields then decide. */
function preflightReply({ method, fields }: BrowserRequest): Reply | undefined {
  const wanted = fields['access-control-request-method']
  const { origin } = fields
  if (method !== 'OPTIONS' || origin === undefined || (wanted !== 'GET' && wanted !== 'HEAD')) return undefined
  const headers = fields['access-control-request-headers']
  const granted: Field[] = [
    ['Access-Control-Allow-Origin', origin],
    ['Access-Control-Allow-Methods', 'GET, HEAD'],
    ['Access-Control-Allow-Credentials', 'true'],
    ...(headers === undefined ? [] : [['Access-Control-Allow-Headers', headers] as const]),
  ]
  return plainReply(204, '', granted)
}

function notInArchive(request: BrowserRequest): Promise<Reply> {
  const what = request.method === 'GET' || request.method === 'HEAD' ? 'This address' : `An answer to ${request.method}`
  const page = htmlPage({
    title: 'Not in the archive',
    text: `${what} was not captured by the jobs that are shown.`,
    url: request.url,
  })
  const reply = textReply({ status: 404, text: page, mediaType: 'text/html', fields: [['X-Loupe', 'not-in-archive']] })
  return sized(request, { ...reply, missing: true })
}

function cannotBeRead(request: BrowserRequest, { message }: Unreadable): Promise<Reply> {
  const text = `This address was captured, but the archive cannot give it now: ${message}.`
  const page = htmlPage({ title: 'Captured, but not readable', text, url: request.url })
  return sized(
    request,
    textReply({ status: 503, text: page, mediaType: 'text/html', fields: [['X-Loupe', 'unreadable']] }),
  )
}

async function sized({ method }: BrowserRequest, reply: Reply): Promise<Reply> {
  return method === 'HEAD' ? withoutBody(reply) : reply
}

function htmlPage({ title, text, url }: { title: string; text: string; url: string }): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${escapedHtml(title)}</title>
<meta name="color-scheme" content="light dark">
<body style="font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:3em auto;padding:0 1em">
<h1 style="font-size:1.3em">${escapedHtml(title)}</h1><p>${escapedHtml(text)}</p><p style="overflow-wrap:anywhere"><code>${escapedHtml(url)}</code></p>
</html>
`
}
