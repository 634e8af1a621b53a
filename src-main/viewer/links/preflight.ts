/** Answers CORS preflight requests (Fetch 3.3.2), which are seldom captured. They are allowed if the response itself is in the
 *  view, which then allows the same (`crossOrigin.ts`). For methods with content it is not known yet whether there is a
 *  response, so they are always allowed, and the request itself becomes the finding. */
import { message } from '../../contract/words/message.ts'
import { corsFields } from '../replay/crossOrigin.ts'
import type { Link, Question } from '../viewings/question.ts'
import { emptyReply, type Field } from '../model/reply.ts'

export const preflight: Link = {
  name: 'preflight',
  whyPassed: () => message('viewer.step.preflight'),
  async answer(question) {
    const { method, url, fields, shown, moment } = question
    const wanted = fields['access-control-request-method']
    const { origin } = fields
    if (method !== 'OPTIONS' || origin === undefined || wanted === undefined || !shown) return undefined
    const isReading = wanted === 'GET' || wanted === 'HEAD'
    if (isReading && shown.index.nearest({ url, moment }) === undefined) return undefined
    return emptyReply(204, granted(question, origin, wanted))
  },
}

function granted({ fields }: Question, origin: string, method: string): Field[] {
  const headers = fields['access-control-request-headers']
  return [
    ...corsFields(origin),
    ['Access-Control-Allow-Methods', method],
    ...(headers === undefined ? [] : [['Access-Control-Allow-Headers', headers] as const]),
  ]
}
