/** Answers if no view is open. */
import { message } from '../../contract/words/message.ts'
import type { Link } from '../viewings/question.ts'
import { plainReply } from '../model/reply.ts'

export const noView: Link = {
  name: 'noView',
  whyPassed: () => message('viewer.step.view'),
  async answer({ shown }) {
    if (shown !== undefined) return undefined
    return plainReply(503, message('viewer.noView'), [['X-Loupe', 'no-view']])
  },
}
