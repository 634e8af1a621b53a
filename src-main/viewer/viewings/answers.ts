/** The last answers of the proxy, for an interface that opens after the page did: a ring, each with a number that only grows. */
import { pageTypes, type Answer } from '../../contract/services/viewer.ts'
import { answersMax } from '../model/limits.ts'

export interface Answers {
  /** Its number. */
  note(answer: Omit<Answer, 'id'>): number
  /** Behind number `after`, oldest first. */
  after(after: number): Answer[]
  /** The page on behalf of which a part of a page was asked for: what refers to it may be a style sheet of the page. '' when nobody
   *  can tell. */
  initiatorOf(asked: Pick<Answer, 'viewing' | 'view' | 'url' | 'referrer'>): string
  onAnswer(listener: (answer: Answer) => void): () => void
}

/** A style sheet that imports a style sheet that imports … */
const hopsMax = 8

interface Request {
  /** Of its answer. */
  id: number
  url: string
  referrer: string
  initiator: string
  /** It was asked for as a page. */
  isPage: boolean
  /** It is a page that is shown, as far as anybody can tell: it may ask for more. */
  isShown: boolean
  /** It fills a frame of another page. */
  isFrame: boolean
  isStyleSheet: boolean
  /** The number of the last answer to something that it certainly asked for itself; of a page that has asked for nothing its own. */
  lastActiveId: number
}

export function openAnswers(): Answers {
  const kept: Answer[] = []
  /** viewing, view, address → what is known of that address's own last request, the oldest first. */
  const requests = new Map<string, Request>()
  const listeners = new Set<(answer: Answer) => void>()
  let last = 0

  /** A page that asks for a part is shown; one from which another of its origin is opened in its place is not. */
  function noteAsker(answer: Answer): void {
    const { url, referrer, initiator, navigation, resourceType } = answer
    const asker = requests.get(keyOf({ ...answer, url: initiator }))
    if (!asker?.isPage) return
    if (!navigation || isFrame(resourceType)) asker.isShown = true
    else if (originOf(url) === originOf(initiator)) asker.isShown = false
    // Where the browser told the origin only, the initiator is a conclusion and no evidence.
    if (!navigation && !isOriginOnly(referrer, url)) asker.lastActiveId = answer.id
  }

  function lastOf(origin: string, who: Who, isWanted: (request: Request) => boolean): Request | undefined {
    const beginning = keyOf({ ...who, url: origin })
    let found: Request | undefined
    for (const [key, request] of requests) if (key.startsWith(beginning) && isWanted(request)) found = request
    return found
  }

  /** The page of an origin that came last, among those that are shown. When that is a frame in another page of the origin, either may
   *  have asked: the one that asked for something last is taken, and the page around the frame until the frame has asked for anything. */
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

  /** A style sheet out of the browser's cache asks for its pictures under an address that another page, shown before, had asked for. */
  function pageUsingStyleSheetOf(page: Request, who: Who): Request {
    const isLater = ({ id, isShown, isFrame, referrer }: Request) =>
      isShown && !isFrame && id > page.id && (referrer === '' || !page.isShown)
    return lastOf(`${originOf(page.url)}/`, who, isLater) ?? page
  }

  return {
    note(noted) {
      const answer = { id: ++last, ...noted }
      kept.push(answer)
      // Cut in large steps: taking one off the front of a long array at each request costs more than the request.
      if (kept.length > 2 * answersMax) kept.splice(0, kept.length - answersMax)
      noteAsker(answer)
      const key = keyOf(answer)
      // A page whose own address a script asks for is a page still.
      if (answer.navigation || !requests.get(key)?.isShown) {
        requests.delete(key)
        requests.set(key, requestOf(answer))
      }
      const [oldest] = requests.size > answersMax ? requests.keys() : []
      if (oldest !== undefined) requests.delete(oldest)
      for (const listener of listeners) listener(answer)
      return answer.id
    },
    after: (after) => kept.slice(-answersMax).filter(({ id }) => id > after),
    initiatorOf({ viewing, view, url, referrer }) {
      const who = { viewing, view }
      let [of, at] = [url, referrer]
      for (let hops = 0; hops < hopsMax; hops += 1) {
        const isCut = isOriginOnly(at, of)
        const known = isCut
          ? (pageShownOf(at, who) ?? lastOf(at, who, ({ isStyleSheet }) => isStyleSheet))
          : requests.get(keyOf({ ...who, url: at }))
        if (!known && isCut) return ''
        if (!known) break
        if (known.isPage) return (hops === 0 ? known : pageUsingStyleSheetOf(known, who)).url
        if (known.referrer === '' || known.referrer === at) break
        ;[of, at] = [known.url, known.referrer]
      }
      return at
    },
    onAnswer(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Whose requests are looked at. */
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

/** A redirect, and what Loupe says of a page that it does not have, ask for nothing. */
function isShown({ found, status }: Answer): boolean {
  return found && (status < 300 || status >= 400)
}

/** Over http the browser does not say so, and a frame is taken for a page that came in the place of the other, until that asks again. */
function isFrame(resourceType: string): boolean {
  return pageTypes.includes(resourceType) && resourceType !== 'document'
}

/** Towards another origin browsers tell no more than their own (Referrer Policy 3.7): that is no page. */
function isOriginOnly(referrer: string, url: string): boolean {
  return referrer === `${originOf(referrer)}/` && originOf(url) !== originOf(referrer)
}

function originOf(url: string): string | undefined {
  return URL.parse(url)?.origin
}
