/** What a disturbed harvest may have captured, and what it must have, beside an undisturbed one of the same site. A person who
 *  changes the queue takes some of it away: that, and what only leads on from it, may be missing, and nothing else. */
import { unlike, surplusOf, type Ending } from './invariants.ts'
import type { Manner, Plan } from './plan.ts'
import type { Site } from './site.ts'

export interface Told extends Pick<Ending, 'urls' | 'refusedUrls' | 'outsideUrls' | 'runs'> {
  wasAborted: boolean
}

export function comparison(
  { site, manner, plan }: { site: Site; manner: Manner; plan: Plan },
  stormy: Told,
  calm: Told,
): string[] {
  // Which of all it is that a limit lets in depends on the order.
  if (manner.maxObjects !== undefined) return beyondLimit(stormy, manner.maxObjects)
  if (manner.maxSeconds !== undefined) return twiceInARun(stormy)
  const takes = plan.changes.some(({ change }) => ['reject', 'drop', 'budget'].includes(change.kind))
  const repeats = manner.continuous ? Infinity : manner.schedule ? stormy.runs : undefined
  const surplus = repeats === undefined ? tooMuch(stormy.urls, calm.urls) : oftener(stormy.urls, calm.urls, repeats)
  if (stormy.wasAborted) return surplus
  // A run that came before or after the change has them, another has not.
  if (takes && stormy.runs > 1) return surplus
  if (takes) return [...surplus, ...missing(site, stormy, calm)]
  return repeats === undefined ? likeUndisturbed(stormy.urls, calm.urls) : [...surplus, ...missing(site, stormy, calm)]
}

/** The same addresses, none of them twice. */
export function likeUndisturbed(urls: readonly string[], undisturbedUrls: readonly string[]): string[] {
  return unlike('captures of an undisturbed run', undisturbedUrls, urls)
}

function tooMuch(urls: readonly string[], undisturbedUrls: readonly string[]): string[] {
  return [...surplusOf(urls, undisturbedUrls)].flatMap(([url, surplus]) =>
    surplus > 0 ? [`${url} was captured ${surplus} times more than in an undisturbed run.`] : [],
  )
}

/** Where it is not known how often each is looked at. */
function oftener(urls: readonly string[], undisturbedUrls: readonly string[], timesMax: number): string[] {
  const known = new Set(undisturbedUrls)
  return [...surplusOf(urls, [])].flatMap(([url, times]) => {
    if (!known.has(url)) return [`${url} was captured, and in an undisturbed run it was not.`]
    return times > timesMax ? [`${url} was captured ${times} times in ${timesMax} runs.`] : []
  })
}

function missing(site: Site, { urls, refusedUrls, outsideUrls }: Told, calm: Told): string[] {
  const [captured, refused, outside] = [
    new Set(urls),
    new Set(refusedUrls),
    new Set(refusedUrls.length > 0 ? outsideUrls : []),
  ]
  const found = new Set([...site.seeds.map((url) => new URL(url).href), ...urls.flatMap((url) => linksOf(site, url))])
  return [...new Set(calm.urls)]
    .filter((url) => found.has(url) && !captured.has(url) && !refused.has(url) && !outside.has(url))
    .map((url) => `${url} was found and is not there, and nobody refused it.`)
}

const link = /(?:href|src)="([^"]+)"|url\(([^)]+)\)|<loc>([^<]+)|Sitemap: (\S+)/g

function linksOf(site: Site, url: string): string[] {
  const { origin, pathname, search } = new URL(url)
  const page = site.hosts.find((host) => host.origin === origin)?.pages.get(`${pathname}${search}`)
  if (!page) return []
  const links = [...page.body.matchAll(link)].map(([, ...groups]) => groups.find((group) => group !== undefined) ?? '')
  // Beside any other status a Location leads nowhere (RFC 9110 section 10.2.2).
  const target = page.status >= 300 && page.status < 400 ? page.location : undefined
  return [...links, ...(target === undefined ? [] : [target])].flatMap((text) => URL.parse(text, url)?.href ?? [])
}

function twiceInARun({ urls, runs }: Told): string[] {
  return [...surplusOf(urls, [])].flatMap(([url, times]) =>
    times > runs ? [`${url} was captured ${times} times in ${runs} runs.`] : [],
  )
}

function beyondLimit({ urls, runs }: Told, maxObjects: number): string[] {
  return urls.length > maxObjects * runs
    ? [`${urls.length} objects were captured, and the limit is ${maxObjects}.`]
    : []
}
