/** The last answers of the proxy, numbered in order, for an interface that is opened after the page. */
import { pageTypes, type Answer } from '../../contract/services/viewer.ts'
import { answersMax } from '../model/limits.ts'
import { emitter } from '../../contract/calls/emitter.ts'

/** The last answers, at most `answersMax`. */
export interface Answers {
  /** Adds an answer and returns its number. */
  note(answer: Omit<Answer, 'id'>): number
  /** Answers with numbers greater than `after`, oldest first. */
  after(after: number): Answer[]
  /** The page that caused a request. The Referer may be a style sheet of that page. '' if it cannot be determined. */
  initiatorOf(asked: Pick<Answer, 'viewing' | 'view' | 'url' | 'referrer'>): string
  onAnswer(listener: (answer: Answer) => void): () => void
}

/** Maximum number of style sheets that import each other, followed from a resource to its page. */
const styleSheetsMax = 8

/** What is remembered of a request, to find the page that caused a later one. */
interface Request {
  /** Number of its answer. */
  id: number
  url: string
  referrer: string
  initiator: string
  /** It was requested as a document. */
  isPage: boolean
  /** It is a document that is probably shown, so it may request more. */
  isShown: boolean
  /** It fills a frame of another document. */
  isFrame: boolean
  isStyleSheet: boolean
  /** Number of the last answer to a request that it certainly made. Its own number if it made none. */
  lastActiveId: number
}

/** Makes an empty list. It holds at most `answersMax` answers. */
export function openAnswers(): Answers {
  const kept: Answer[] = []
  /** Last request per viewing, view and URL, oldest first. */
  const requests = new Map<string, Request>()
  const changes = emitter<Answer>()
  let last = 0

  /** A page that requests a resource is shown. A page that another page of its origin has replaced is not. */
  function noteInitiator(answer: Answer): void {
    const { url, referrer, initiator, navigation, resourceType } = answer
    const page = requests.get(keyOf({ ...answer, url: initiator }))
    if (!page?.isPage) return
    if (!navigation || isFrame(resourceType)) page.isShown = true
    else if (originOf(url) === originOf(initiator)) page.isShown = false
    // If the Referer is only an origin, the initiator was inferred and proves nothing.
    if (!navigation && !isOriginOnly(referrer, url)) page.lastActiveId = answer.id
  }

  /** The last request to an origin, or to URLs that begin with it, for which `isWanted` is true. */
  function lastOf(origin: string, who: Who, isWanted: (request: Request) => boolean): Request | undefined {
    const beginning = keyOf({ ...who, url: origin })
    let found: Request | undefined
    for (const [key, request] of requests) if (key.startsWith(beginning) && isWanted(request)) found = request
    return found
  }

  /** The page of an origin that was opened last among those shown. If it is a frame inside another page of the origin, either
   *  may have made the request: the one with the last certain request is taken, and the outer page until the frame has
   *  requested anything. */
  function pageShownOf(origin: string, who: Who): Request | undefined {
    let page = lastOf(origin, who, ({ isShown }) => isShown)
    while (page?.isFrame) {
      const outer = requests.get(keyOf({ ...who, url: page.initiator }))
      if (!outer?.isShown || originOf(outer.url) !== originOf(page.url)) break
      const hasAsked = page.lastActiveId > page.id
      if (hasAsked && outer.lastActiveId <= page.lastActiveId) break
      page = outer
    }
    return page
  }

  /** A cached style sheet requests its images with its own URL as Referer, which an earlier page had requested. The page shown
   *  last is taken. */
  function pageUsingStyleSheetOf(page: Request, who: Who): Request {
    const isLater = ({ id, isShown, isFrame, referrer }: Request) =>
      isShown && !isFrame && id > page.id && (referrer === '' || !page.isShown)
    return lastOf(`${originOf(page.url)}/`, who, isLater) ?? page
  }

  return {
    note(noted) {
      const answer = { id: ++last, ...noted }
      kept.push(answer)
      // Cut in large steps, because removing the first element of a long array per request costs more than the request.
      if (kept.length > 2 * answersMax) kept.splice(0, kept.length - answersMax)
      noteInitiator(answer)
      const key = keyOf(answer)
      // A page stays a page when a script requests its URL.
      if (answer.navigation || !requests.get(key)?.isShown) {
        requests.delete(key)
        requests.set(key, requestOf(answer))
      }
      const [oldest] = requests.size > answersMax ? requests.keys() : []
      if (oldest !== undefined) requests.delete(oldest)
      changes.emit(answer)
      return answer.id
    },
    after: (after) => kept.slice(-answersMax).filter(({ id }) => id > after),
    initiatorOf({ viewing, view, url, referrer }) {
      const who = { viewing, view }
      let [requested, referring] = [url, referrer]
      for (let hops = 0; hops < styleSheetsMax; hops += 1) {
        const isOrigin = isOriginOnly(referring, requested)
        const known = isOrigin
          ? (pageShownOf(referring, who) ?? lastOf(referring, who, ({ isStyleSheet }) => isStyleSheet))
          : requests.get(keyOf({ ...who, url: referring }))
        if (!known) return isOrigin ? '' : referring
        if (known.isPage) return (hops === 0 ? known : pageUsingStyleSheetOf(known, who)).url
        if (known.referrer === '' || known.referrer === referring) break
        ;[requested, referring] = [known.url, known.referrer]
      }
      return referring
    },
    onAnswer: changes.on,
  }
}

/** Identifies one viewing and view. */
type Who = Pick<Answer, 'viewing' | 'view'>

function requestOf(answer: Answer): Request {
  const { id, url, referrer, initiator, navigation: isPage, resourceType, mediaType } = answer
  return {
    ...{ id, url, referrer, initiator, isPage, lastActiveId: id },
    isShown: isPage && isShown(answer),
    isFrame: isPage && isFrame(resourceType),
    isStyleSheet: resourceType === 'style' || mediaType === 'text/css',
  }
}

function keyOf({ viewing, view, url }: Who & Pick<Answer, 'url'>): string {
  return `${viewing} ${view} ${url}`
}

/** Redirects and Loupe's own pages do not request anything. */
function isShown({ found, status }: Answer): boolean {
  return found && (status < 300 || status >= 400)
}

/** Over http frames cannot be recognised: a frame counts as a page that replaced the other, until that one makes a request. */
function isFrame(resourceType: string): boolean {
  return pageTypes.includes(resourceType) && resourceType !== 'document'
}

/** For cross-origin requests the Referer is only the origin (Referrer Policy 3.7), which is not a page. */
function isOriginOnly(referrer: string, url: string): boolean {
  return referrer === `${originOf(referrer)}/` && originOf(url) !== originOf(referrer)
}

function originOf(url: string): string | undefined {
  return URL.parse(url)?.origin
}
