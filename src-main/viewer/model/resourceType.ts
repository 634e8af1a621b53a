/** What a browser wants an answer for, in the words of Fetch Metadata (2.1). Pure. */
import type { IncomingHttpHeaders } from 'node:http'
import { isNavigation } from './browserRequests.ts'

interface Asked {
  url: string
  method: string
  fields: IncomingHttpHeaders
}

/** Endings of paths, by what browsers ask for under them when they do not say. */
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

/** Over https the browser says so. Over http it says no more than its Accept field, and that of scripts, fonts, media and what scripts
 *  ask for is the same: there the request's other signs and the ending of the path are what can be told. '' when nobody can tell. */
export function resourceTypeOf({ url, method, fields }: Asked): string {
  const said = fields['sec-fetch-dest']
  if (typeof said === 'string') return frameTypes.has(said) && isOpenedByUser(fields) ? 'document' : said
  if (isNavigation(fields)) return 'document'
  const accept = fields.accept ?? ''
  if (accept.startsWith('image/')) return 'image'
  if (accept.startsWith('text/css')) return 'style'
  if (isByScript(method, fields)) return 'empty'
  return byEnding.get(endingOf(url)) ?? ''
}

const frameTypes = new Set(['iframe', 'frame'])

/** The interface shows pages in a frame of its own, so the browser asks for every page as for a frame (Fetch Metadata 2.1). A page that
 *  the interface opens has no Referer and comes from another site, the interface's; a link that was followed says that a person did
 *  it (2.4). A page's own frames have neither, unless the page forbids the Referer. */
function isOpenedByUser(fields: IncomingHttpHeaders): boolean {
  return (
    fields['sec-fetch-user'] === '?1' || (fields.referer === undefined && fields['sec-fetch-site'] === 'cross-site')
  )
}

/** Nothing else sends content or its own names for what it accepts; the last field is that of the libraries of the time. */
function isByScript(method: string, fields: IncomingHttpHeaders): boolean {
  const { accept = '' } = fields
  const isOwnAccept = /\bapplication\/(json|javascript)\b|\btext\/(javascript|event-stream)\b/i.test(accept)
  return (method !== 'GET' && method !== 'HEAD') || isOwnAccept || 'x-requested-with' in fields
}

function endingOf(url: string): string {
  const path = URL.parse(url)?.pathname ?? ''
  return /\.([a-z0-9]{2,5})$/i.exec(path)?.[1]?.toLowerCase() ?? ''
}
