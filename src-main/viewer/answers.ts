/** The last answers of the proxy, for an interface that opens after the page did: a ring, each with a number that only grows. */
import { pageTypes, type Answer } from '../contract/viewer.ts'
import { answersMax } from './limits.ts'

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
  url: string
  referrer: string
  /** It was asked for as a page. */
  isPage: boolean
  /** It is a page that is shown, as far as anybody can tell: it may ask for more. */
  isShown: boolean
}

export function openAnswers(): Answers {
  const kept: Answer[] = []
  /** viewing, view, address → what is known of that address's own last request. */
  const requests = new Map<string, Request>()
  const listeners = new Set<(answer: Answer) => void>()
  let last = 0

  /** A page that asks for a part is shown; one from which another of its origin is opened in its place is not. */
  function noteAsker({ viewing, view, url, initiator, navigation, resourceType }: Answer): void {
    const asker = requests.get(keyOf({ viewing, view, url: initiator }))
    if (!asker?.isPage) return
    if (!navigation || isFrame(resourceType)) asker.isShown = true
    else if (originOf(url) === originOf(initiator)) asker.isShown = false
  }

  /** '' where several are shown, or none. */
  function pageShownOf(origin: string, who: Pick<Answer, 'viewing' | 'view'>): string {
    const beginning = keyOf({ ...who, url: origin })
    let found = ''
    for (const [key, { url, isShown }] of requests) {
      if (!isShown || !key.startsWith(beginning)) continue
      if (found !== '') return ''
      found = url
    }
    return found
  }

  return {
    note(noted) {
      const answer = { id: ++last, ...noted }
      kept.push(answer)
      // Cut in large steps: taking one off the front of a long array at each request costs more than the request.
      if (kept.length > 2 * answersMax) kept.splice(0, kept.length - answersMax)
      noteAsker(answer)
      const { url, referrer, navigation: isPage } = answer
      const key = keyOf(answer)
      requests.delete(key)
      requests.set(key, { url, referrer, isPage, isShown: isPage && isShown(answer) })
      const [oldest] = requests.size > answersMax ? requests.keys() : []
      if (oldest !== undefined) requests.delete(oldest)
      for (const listener of listeners) listener(answer)
      return answer.id
    },
    after: (after) => kept.slice(-answersMax).filter(({ id }) => id > after),
    initiatorOf({ viewing, view, url, referrer }) {
      let [of, at] = [url, referrer]
      for (let hops = 0; hops < hopsMax; hops += 1) {
        // Towards another origin browsers tell no more than their own (Referrer Policy 3.7): that is no page.
        if (at === `${originOf(at)}/` && originOf(of) !== originOf(at)) return pageShownOf(at, { viewing, view })
        const known = requests.get(keyOf({ viewing, view, url: at }))
        if (!known || known.isPage || known.referrer === '' || known.referrer === at) break
        ;[of, at] = [at, known.referrer]
      }
      return at
    },
    onAnswer(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function keyOf({ viewing, view, url }: Pick<Answer, 'viewing' | 'view' | 'url'>): string {
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

function originOf(url: string): string | undefined {
  return URL.parse(url)?.origin
}
