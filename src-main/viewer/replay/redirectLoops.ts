/** Detects redirects that loop through other URLs. On the live site a cookie or the time made the difference; at the single
 *  moment of a view they would never end. */
import { locationOf } from '../../formats/http/http.ts'
import { isAllowed } from '../model/accessRules.ts'
import type { ChainParts } from './chainParts.ts'
import { closeContent } from '../model/content.ts'
import { redirectHopsMax } from '../model/limits.ts'
import type { Question } from '../viewings/question.ts'
import { requestedUrl, replayCapture } from './replay.ts'
import type { Reply } from '../model/reply.ts'
import { Unreadable } from '../model/unreadable.ts'
import type { Shown } from '../viewings/viewings.ts'

/** The request, and what is needed to look the targets up. */
interface LoopCheck extends Pick<ChainParts, 'files' | 'accessRules'> {
  question: Question
  shown: Shown
}

/** Whether following this reply leads back to the requested URL through nothing but redirects. A loop that begins at a later
 *  URL is detected when that URL is requested. */
export async function isRedirectLoop({ question, shown, ...parts }: LoopCheck, reply: Reply): Promise<boolean> {
  const asked = requestedUrl(URL.parse(question.url))
  const passed = new Set<string>()
  let next = targetOf(reply, question.url)
  while (next !== undefined && passed.size < redirectHopsMax) {
    const place = requestedUrl(URL.parse(next))
    if (place === undefined || passed.has(place)) return false
    if (place === asked) return true
    passed.add(place)
    next = await targetAt(next, { question, shown, ...parts })
  }
  return false
}

/** The redirect target of the capture of a URL that would be shown. Undefined: it is not a redirect. */
async function targetAt(url: string, { question, shown, files, accessRules }: LoopCheck): Promise<string | undefined> {
  const { moment } = question
  const withinMs = moment.kind === 'nearest' ? shown.view.withinMs : undefined
  const capture = shown.index.nearest({ url, moment, ...(withinMs !== undefined && { withinMs }) })
  if (!isRedirect(capture?.status) || !capture || !isAllowed(capture.url, accessRules())) return undefined
  try {
    const request = { ...question, method: 'GET', url, fields: {} }
    const reply = await replayCapture({ files, index: shown.index, request }, capture)
    if (reply === undefined) return undefined
    await closeContent(reply.body)
    return targetOf(reply, url)
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

/** The absolute target of a redirect; undefined for any other reply. */
function targetOf({ status, fields }: Reply, url: string): string | undefined {
  return isRedirect(status) ? locationOf({ fields }, url)?.href : undefined
}

function isRedirect(status: number | undefined): boolean {
  return status !== undefined && status >= 300 && status < 400
}
