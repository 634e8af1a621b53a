/** The type of resource that a request is for, in the terms of Fetch Metadata (2.1). Pure. */
import type { IncomingHttpHeaders } from 'node:http'
import { isNavigation } from './browserRequests.ts'

/** The request that is looked at. */
interface Asked {
  url: string
  method: string
  fields: IncomingHttpHeaders
}

/** File extensions by resource type, for requests that do not state their type. */
const endings: Readonly<Record<string, string>> = {
  script: 'js mjs',
  style: 'css',
  font: 'woff woff2 ttf otf eot',
  image: 'png jpg jpeg jpe gif svg webp avif bmp ico',
  video: 'mp4 m4v webm ogv mov avi mpg mpeg flv',
  audio: 'mp3 m4a ogg oga opus wav flac aac',
  track: 'vtt',
}
const byEnding = new Map(
  Object.entries(endings).flatMap(([type, all]) => all.split(' ').map((ending) => [ending, type] as const)),
)

/** The resource type, or '' if it cannot be determined. Over https the browser states it. Over http there is only the Accept
 *  field, which is the same for scripts, fonts, media and fetch(), so other fields and the file extension decide. */
export function resourceTypeOf({ url, method, fields }: Asked): string {
  const stated = fields['sec-fetch-dest']
  if (typeof stated === 'string') return frameTypes.has(stated) && isOpenedByUser(fields) ? 'document' : stated
  if (isNavigation(fields)) return 'document'
  const accept = fields.accept ?? ''
  if (accept.startsWith('image/')) return 'image'
  if (accept.startsWith('text/css')) return 'style'
  if (isByScript(method, fields)) return 'empty'
  return byEnding.get(endingOf(url)) ?? ''
}

/** Destinations of documents in frames (Fetch Metadata 2.1). */
const frameTypes = new Set(['iframe', 'frame'])

/** Whether the user opened this document. The interface shows pages in a frame, so browsers request every page as for a frame
 *  (Fetch Metadata 2.1). A page that the interface opens has no Referer and comes from another site; a followed link has
 *  Sec-Fetch-User (2.4). Frames inside the page have neither, unless the page forbids the Referer. */
function isOpenedByUser(fields: IncomingHttpHeaders): boolean {
  return (
    fields['sec-fetch-user'] === '?1' || (fields.referer === undefined && fields['sec-fetch-site'] === 'cross-site')
  )
}

/** Only scripts send content or their own Accept values. X-Requested-With is set by older JavaScript libraries. */
function isByScript(method: string, fields: IncomingHttpHeaders): boolean {
  const { accept = '' } = fields
  const isOwnAccept = /\bapplication\/(json|javascript)\b|\btext\/(javascript|event-stream)\b/i.test(accept)
  return (method !== 'GET' && method !== 'HEAD') || isOwnAccept || 'x-requested-with' in fields
}

/** Returns the file extension of a URL's path in lower case, without its dot; '' if there is none. */
function endingOf(url: string): string {
  const path = URL.parse(url)?.pathname ?? ''
  return /\.([a-z0-9]{2,5})$/i.exec(path)?.[1]?.toLowerCase() ?? ''
}
