/** From captures that may answer to the one that does. Shared by the links that look captures up. */
import type { Asked, IndexedCapture } from '../indexes/indexes.ts'
import type { ChainParts } from './chainParts.ts'
import { linksOf } from './mementos.ts'
import type { Question } from './question.ts'
import { replayCapture } from './replay.ts'
import type { Reply } from './resolvers.ts'
import { Unreadable } from './unreadable.ts'

/** What the index is asked for; undefined when what the browser sent is too much to be looked up. */
export async function askedOf({ url, method, fields, content, moment, shown }: Question): Promise<Asked | undefined> {
  const withinMs = moment.kind === 'nearest' ? shown?.view.withinMs : undefined
  const asked: Asked = { url, moment, ...(withinMs !== undefined && { withinMs }) }
  if (method === 'GET' || method === 'HEAD') return asked
  const sent = await content()
  return sent && { ...asked, sent: { method, mediaType: fields['content-type'] ?? '', content: sent } }
}

export async function firstThatAnswers(
  { files, onProblem }: Pick<ChainParts, 'files' | 'onProblem'>,
  question: Question,
  captures: readonly IndexedCapture[],
): Promise<Reply | undefined> {
  const { shown, trace, unreadable } = question
  if (shown === undefined) return undefined
  let answered: Reply | undefined
  for (const capture of captures) {
    const isUsed = answered === undefined
    let why: string | null = null
    if (isUsed)
      try {
        answered = withLinks(await replayCapture({ files, index: shown.index, request: question }, capture))
        if (answered === undefined)
          why = 'it is no answer to this request: a 304, a redirect to itself, or another part'
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error
        unreadable.push({ capture, error })
        why = error.message
        if (!trace) onProblem(error, `showing ${question.url}`)
      }
    trace?.candidates.push({ capture, isUsed: isUsed && answered !== undefined, why })
    if (answered !== undefined && !trace) return answered
  }
  return answered
}

/** RFC 7089 2.2: a capture says what it is one of, and where others are. */
function withLinks(reply: Reply | undefined): Reply | undefined {
  return reply?.capture && { ...reply, fields: [...reply.fields, ['Link', linksOf(reply.capture.url)]] }
}
