/** Never answers. A request that gets this far is missing from the view and is added to the findings if the viewing records
 *  them. */
import { message } from '../../contract/words/message.ts'
import { isBrowsersOwn } from '../model/browserRequests.ts'
import { isHidden } from '../replay/captures.ts'
import type { ChainParts } from '../replay/chainParts.ts'
import type { Link } from '../viewings/question.ts'
import { requesterOf } from './recordAnswer.ts'

export const notice = ({ findings, answers }: ChainParts): Link => ({
  name: 'notice',
  whyPassed: () => message('viewer.step.notice'),
  async answer(question) {
    const { shown, viewing, trace, unreadable, url, method, fields } = question
    if (!shown || !viewing.isRecording || trace || isBrowsersOwn(new URL(url), fields)) return undefined
    // Unreadable captures are recorded one by one in `recordAnswer.ts`.
    if (unreadable.length > 0) return undefined
    // For others it is there.
    if (await isHidden(question)) return undefined
    const where = { status: null, file: null, offset: null, detail: null }
    findings.note({ view: shown.view.view, kind: 'missing', url, method, ...requesterOf(answers, question), ...where })
    return undefined
  },
})
