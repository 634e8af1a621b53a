/** Answers if no view is open. */
import type { Link } from '../viewings/question.ts'
import { plainReply } from '../model/reply.ts'

export const noView: Link = {
  name: 'noView',
  whyPassed: () => 'A view is open.',
  async answer({ shown }) {
    if (shown !== undefined) return undefined
    return plainReply(503, 'No view is open. Open jobs or files in Loupe first.', [['X-Loupe', 'no-view']])
  },
}
