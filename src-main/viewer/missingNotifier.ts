/** The link of the chain that only watches: every answer goes into the ring of last answers, every request that the view
 *  has no capture for into the list of misses. It changes no reply. */
import { isBrowsersOwn, isNavigation } from './background.ts'
import type { BrowserRequest, Field, Reply, Resolver } from './resolvers.ts'
import type { View, Views } from './views.ts'

export interface Watched {
  views: Views
  current: () => View | undefined
  nowMs: () => number
}

export function missingNotifier({ views, current, nowMs }: Watched, next: Resolver): Resolver {
  return async (request) => {
    // The view may change while the archive is read: what is missing is missing from the one that was asked.
    const view = current()
    const reply = await next(request)
    if (view === undefined || (reply.capture === undefined && isBrowsersOwn(new URL(request.url), request.fields)))
      return reply
    const referrer = request.fields.referer ?? ''
    if (reply.missing) views.noteMiss(view, { url: request.url, referrer, method: request.method })
    views.noteAnswer({ view: view.view, at: new Date(nowMs()).toISOString(), referrer, ...described(request, reply) })
    return reply
  }
}

function described({ method, url, fields }: BrowserRequest, { status, fields: answered, capture }: Reply) {
  const bytes = fieldIn(answered, 'content-length')
  return {
    method,
    url,
    navigation: isNavigation(fields),
    found: capture !== undefined,
    status,
    mediaType: fieldIn(answered, 'content-type')?.split(';')[0]?.trim().toLowerCase() ?? null,
    bytes: bytes === undefined ? null : Number(bytes),
    captured: capture === undefined ? null : new Date(capture.timestampMs).toISOString(),
    job: capture?.job ?? null,
    file: capture?.filename ?? null,
    offset: capture?.offset ?? null,
  }
}

function fieldIn(fields: readonly Field[], wanted: string): string | undefined {
  return fields.find(([name]) => name.toLowerCase() === wanted)?.[1]
}
