/** Pages of the live web, with which pages of a job are compared: one at a time, with the pause that the harvest makes between two requests. */
import { oneAtATime } from '../../contract/calls/oneAtATime.ts'
import type { NotCompared } from '../../contract/services/pageAudits.ts'
import type { Reason } from '../../contract/states/outcomes.ts'
import type { LiveRequest, LiveWeb } from '../../crawl/crawl.ts'
import type { World } from '../../world/world.ts'
import { auditWidthPx } from '../model/limits.ts'
import type { Reference } from './references.ts'
import { referenceOf } from './references.ts'
import type { Visiting } from './visiting.ts'

interface Parts {
  world: Pick<World, 'clock'>
  web: LiveWeb
  visiting: Pick<Visiting, 'visitLive'>
  signal: AbortSignal
}

/** Returns the function that visits the live page of a URL. It resolves with why there is nothing to compare. */
export function liveReferences({
  world,
  web,
  visiting,
  signal,
}: Parts): (url: string) => Promise<Reference | NotCompared> {
  const inTurn = oneAtATime()
  let isFirst = true

  async function visit(url: string): Promise<Reference | NotCompared> {
    if (!isFirst) await world.clock.sleep(web.pauseMs, signal)
    isFirst = false
    let refusal: Reason | undefined
    const answer = async (request: LiveRequest) => {
      const given = await web.answer(request)
      // While the page itself is loaded, nothing else is requested.
      if (given.is === 'refused') refusal ??= given.reason
      return given
    }
    const visited = await visiting.visitLive({ url, answer, widthPx: auditWidthPx })
    if (visited.is === 'failed') return visited.failure === 'notLoaded' ? (refusal ?? 'notLoaded') : visited.failure
    return referenceOf(visited.page)
  }

  return (url) => inTurn(() => visit(url))
}
