/** Never answers: what comes this far is missing from the view, or cannot be read, and is written down while the viewing records. */
import { isBrowsersOwn } from '../model/browserRequests.ts'
import type { ChainParts } from '../replay/chainParts.ts'
import type { Link } from '../viewings/question.ts'
import { requesterOf } from './recordAnswer.ts'

export const notice = ({ findings, answers }: ChainParts): Link => ({
  name: 'notice',
  whyPassed: () => 'A viewing would write it down as missing, or as what cannot be read.',
  async answer(question) {
    const { shown, viewing, trace, unreadable, url, method, fields } = question
    if (!shown || !viewing.isRecording || trace || isBrowsersOwn(new URL(url), fields)) return undefined
    // What cannot be read is written down capture by capture.
    if (unreadable.length > 0) return undefined
    const where = { status: null, file: null, offset: null, detail: null }
    findings.note({ view: shown.view.view, kind: 'missing', url, method, ...requesterOf(answers, question), ...where })
    return undefined
  },
})
