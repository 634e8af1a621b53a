/** Finds the proxy's answer that is the page in a frame. A frame of another origin does not reveal its URL, so it is derived from its
 *  requests since it last finished loading: frames inside a page also request with `navigation`, links are followed without the
 *  interface, and redirects arrive as several answers. */
import type { Answer } from '../../src-main/contract/services/viewer.ts'

export interface Known {
  /** URL that the interface requested; null when the page moved by itself (a link, a script). */
  asked: string | null
  /** URL of the page before. */
  previous: string | null
}

/** The responses of one page: the page itself and what it requested. */
export interface SettledPage {
  page: Answer
  resources: Answer[]
}

/** Undefined when no page was requested: it came from the browser's cache, or is about:blank. */
export function pageOfAnswers(answers: readonly Answer[], known: Known): SettledPage | undefined {
  const inOrder = sinceLastAsked(
    answers.toSorted((one, other) => one.id - other.id),
    known.asked,
  )
  const chains = redirectChains(inOrder.filter(({ navigation }) => navigation))
  let best: { page: Answer; score: number } | undefined
  for (const chain of chains) {
    const score = likelihood(chain, chains, inOrder, known)
    // Of two equal scores the later wins: a frame that the previous page opened late comes before the page that replaced it.
    if (!best || score >= best.score) best = { page: chain.end, score }
  }
  if (!best) return undefined
  return { page: best.page, resources: resourcesOf(best.page, inOrder, known) }
}

/** A request for a new page cancels the one that is loading, however much of it has arrived. */
function sinceLastAsked(inOrder: readonly Answer[], asked: string | null): readonly Answer[] {
  // Our requests have no referrer. A frame in a page has one, unless the page forbids it.
  const last = inOrder.findLast(
    ({ navigation, referrer, url }) => navigation && referrer === '' && sameAddress(url, asked),
  )
  return last ? inOrder.filter(({ id }) => id >= last.id) : inOrder
}

/** The requested response when it is nothing that a frame shows; no browser reports its arrival. */
export function unshownOf(answers: readonly Answer[], asked: string): SettledPage | undefined {
  const chains = redirectChains(answers.filter(({ navigation }) => navigation))
  const found = chains.findLast(({ start, end }) => sameAddress(start.url, asked) && !isShowable(end))
  return found && { page: found.end, resources: [found.end] }
}

/** Decided by status and media type: Chromium saves what it cannot show in a frame without plugins, including PDF. */
export function isShowable({ mediaType, isAttachment, status }: Answer): boolean {
  if (isRedirect({ status })) return true
  return (
    !hasNoContent({ status }) &&
    !isAttachment &&
    (mediaType === null || (shownTypes.test(mediaType) && !savedTypes.test(mediaType)))
  )
}

/** A browser stays on its page then (RFC 9110, 15.3.5 and 15.3.6). */
export function hasNoContent({ status }: Pick<Answer, 'status'>): boolean {
  return status === 204 || status === 205
}

const shownTypes =
  /^(text\/|audio\/|video\/|multipart\/|image\/(png|apng|jpe?g|pjpeg|gif|webp|avif|bmp|svg\+xml|x-icon|vnd\.microsoft\.icon|x-xbitmap|x-png)$|application\/(json|javascript|x-javascript|ecmascript|xml|ogg)$|application\/.+\+(xml|json)$)/
const savedTypes =
  /^(text\/(csv|x-csv|comma-separated-values|tab-separated-values|tsv|calendar|x-vcard|vcard|rtf)$|video\/(x-flv|x-msvideo|x-ms-|mpeg$|avi$)|audio\/(x-ms-|x-pn-|midi$))/

/** The response for a known address (a view that reports its URL), and what followed it. */
export function pageAt(answers: readonly Answer[], address: string): SettledPage | undefined {
  const inOrder = answers.toSorted((one, other) => one.id - other.id)
  const page = inOrder.findLast(({ navigation, url }) => navigation && sameAddress(url, address))
  return page && { page, resources: inOrder.filter(({ id }) => id >= page.id) }
}

interface Chain {
  start: Answer
  end: Answer
}

/** A browser repeats the referrer through a redirect and asks for the target next (Fetch, HTTP-redirect fetch). */
function redirectChains(navigations: readonly Answer[]): Chain[] {
  const open: Chain[] = []
  for (const answer of navigations) {
    const before = open.findLast(({ end }) => isRedirect(end) && end.referrer === answer.referrer)
    if (before) before.end = answer
    else open.push({ start: answer, end: answer })
  }
  return open
}

function isRedirect({ status }: Pick<Answer, 'status'>): boolean {
  return status >= 300 && status < 400
}

function likelihood({ start, end }: Chain, chains: readonly Chain[], answers: readonly Answer[], known: Known): number {
  let score = 0
  if (known.asked !== null) {
    if (sameAddress(start.url, known.asked)) score += 8
    if (start.referrer === '') score += 2
  } else if (known.previous !== null) {
    score += 3 * naming(start.referrer, known.previous)
  }
  const namedBy = answers.reduce(
    (most, { id, referrer }) => Math.max(most, id > end.id ? naming(referrer, end.url) : 0),
    0,
  )
  score += 2 * namedBy
  const isFrameOfAnother = chains.some(
    (other) =>
      other.end.id < start.id &&
      !sameAddress(other.end.url, known.previous) &&
      naming(start.referrer, other.end.url) === 1,
  )
  return isFrameOfAnother ? score - 6 : score
}

/** How well a Referer names a URL: completely, by its origin only (the browser's default towards other origins), or not at all. */
function naming(referrer: string, address: string): 0 | 0.5 | 1 {
  if (referrer === '') return 0
  if (sameAddress(referrer, address)) return 1
  return sameAddress(referrer, `${originOf(address)}/`) ? 0.5 : 0
}

/** All responses since the page was requested, except what the previous page still requested while it was being left. */
function resourcesOf(page: Answer, answers: readonly Answer[], { previous }: Known): Answer[] {
  const left = previous !== null && !sameAddress(previous, page.url) ? previous : null
  return answers.filter(
    (answer) =>
      answer.id === page.id ||
      (left === null ? answer.id >= page.id : answer.navigation || !sameAddress(answer.initiator, left)),
  )
}

/** Whether two URLs are equal except for the fragment, which is never sent. */
export function sameAddress(one: string, other: string | null): boolean {
  return other !== null && withoutFragment(one) === withoutFragment(other)
}

function withoutFragment(address: string): string {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  url.hash = ''
  return url.href
}

export function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address
}
