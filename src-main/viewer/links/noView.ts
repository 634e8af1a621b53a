/** Nobody has chosen what to look at. */
import type { Link } from '../viewings/question.ts'
import { plainReply } from '../model/reply.ts'

export const noView: Link = {
  name: 'noView',
  whyPassed: () => 'Jobs have been chosen.',
  async answer({ shown }) {
    if (shown !== undefined) return undefined
    return plainReply(503, 'Nothing has been chosen for viewing: open jobs or files in Loupe first.', [
      ['X-Loupe', 'no-view'],
    ])
  },
}
