/** Compares what a disturbed harvest captured with an undisturbed harvest of the same site. Changes of the queue may remove some URLs and
 *  those that only these lead to; nothing else may be missing. */
import { unlike, surplusOf, type Ending } from './invariants.ts'
import type { HarvestOptions, Plan } from './plan.ts'
import type { Site } from './site.ts'

/** What a harvest captured, and whether the simulated user aborted it. */
export interface Outcome extends Pick<Ending, 'urls' | 'refusedUrls' | 'outsideUrls' | 'runs'> {
  wasAborted: boolean
}

/** Returns the violations as sentences. What may differ depends on the course: a limit, further runs, a schedule,
 *  or changes that remove URLs. */
export function comparison(
  { site, options, plan }: { site: Site; options: HarvestOptions; plan: Plan },
  disturbed: Outcome,
  reference: Outcome,
): string[] {
  // Which URLs a limit lets in depends on the order of discovery.
  if (options.maxObjects !== undefined) return beyondLimit(disturbed, options.maxObjects)
  if (options.maxSeconds !== undefined) return twiceInARun(disturbed)
  const takes = plan.changes.some(({ change }) => ['reject', 'drop', 'budget'].includes(change.kind))
  const repeats = options.continuous ? Infinity : options.schedule ? disturbed.runs : undefined
  const surplus =
    repeats === undefined ? tooMuch(disturbed.urls, reference.urls) : oftener(disturbed.urls, reference.urls, repeats)
  if (disturbed.wasAborted) return surplus
  // A run before or after the change has these URLs, another one does not.
  if (takes && disturbed.runs > 1) return surplus
  if (takes) return [...surplus, ...missing(site, disturbed, reference)]
  return repeats === undefined
    ? likeUndisturbed(disturbed.urls, reference.urls)
    : [...surplus, ...missing(site, disturbed, reference)]
}

/** Compares as sets; a URL that occurs twice is a violation. */
export function likeUndisturbed(urls: readonly string[], undisturbedUrls: readonly string[]): string[] {
  return unlike('captures of an undisturbed run', undisturbedUrls, urls)
}

/** Reports URLs that were captured more often than in an undisturbed run. */
function tooMuch(urls: readonly string[], undisturbedUrls: readonly string[]): string[] {
  return [...surplusOf(urls, undisturbedUrls)].flatMap(([url, surplus]) =>
    surplus > 0 ? [`${url} was captured ${surplus} times more than in an undisturbed run.`] : [],
  )
}

/** Compares as sets, for jobs that may visit each URL any number of times. */
function oftener(urls: readonly string[], undisturbedUrls: readonly string[], timesMax: number): string[] {
  const known = new Set(undisturbedUrls)
  return [...surplusOf(urls, [])].flatMap(([url, times]) => {
    if (!known.has(url)) return [`${url} was captured, and in an undisturbed run it was not.`]
    return times > timesMax ? [`${url} was captured ${times} times in ${timesMax} runs.`] : []
  })
}

/** Reports URLs that were found and neither captured nor refused. */
function missing(site: Site, { urls, refusedUrls, outsideUrls }: Outcome, reference: Outcome): string[] {
  const [captured, refused, outside] = [
    new Set(urls),
    new Set(refusedUrls),
    new Set(refusedUrls.length > 0 ? outsideUrls : []),
  ]
  const found = new Set([...site.seeds.map((url) => new URL(url).href), ...urls.flatMap((url) => linksOf(site, url))])
  return [...new Set(reference.urls)]
    .filter((url) => found.has(url) && !captured.has(url) && !refused.has(url) && !outside.has(url))
    .map((url) => `${url} was found and is not there, and no rule or limit refused it.`)
}

/** The forms of links that `site.ts` generates. */
const link = /(?:href|src)="([^"]+)"|url\(([^)]+)\)|<loc>([^<]+)|Sitemap: (\S+)/g

/** URLs to which a page of the site leads, with its redirect. */
function linksOf(site: Site, url: string): string[] {
  const { origin, pathname, search } = new URL(url)
  const page = site.hosts.find((host) => host.origin === origin)?.pages.get(`${pathname}${search}`)
  if (!page) return []
  const links = [...page.body.matchAll(link)].map(([, ...groups]) => groups.find((group) => group !== undefined) ?? '')
  // With any other status, Location is not a redirect (RFC 9110 section 10.2.2).
  const target = page.status >= 300 && page.status < 400 ? page.location : undefined
  return [...links, ...(target === undefined ? [] : [target])].flatMap((text) => URL.parse(text, url)?.href ?? [])
}

function twiceInARun({ urls, runs }: Outcome): string[] {
  return [...surplusOf(urls, [])].flatMap(([url, times]) =>
    times > runs ? [`${url} was captured ${times} times in ${runs} runs.`] : [],
  )
}

function beyondLimit({ urls, runs }: Outcome, maxObjects: number): string[] {
  return urls.length > maxObjects * runs
    ? [`${urls.length} objects were captured, and the limit is ${maxObjects}.`]
    : []
}
