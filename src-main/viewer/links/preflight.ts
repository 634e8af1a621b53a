/** A page asks leave before it reads another site's answer (Fetch 3.3.2). Such questions are seldom captured; they are granted where
 *  the answer itself is here, which then says the same (`crossOrigin.ts`). What else it will send is not known yet, and decides whether there is an
 *  answer: other methods are always granted, so that what is missing is the request itself. */
import { corsFields } from '../replay/crossOrigin.ts'
import type { Link, Question } from '../viewings/question.ts'
import { plainReply, type Field } from '../model/reply.ts'

export const preflight: Link = {
  name: 'preflight',
  whyPassed: () => 'It is no question of a page about another site.',
  async answer(question) {
    const { method, url, fields, shown, moment } = question
    const wanted = fields['access-control-request-method']
    const { origin } = fields
    if (method !== 'OPTIONS' || origin === undefined || wanted === undefined || !shown) return undefined
    const isReading = wanted === 'GET' || wanted === 'HEAD'
    if (isReading && shown.index.nearest({ url, moment }) === undefined) return undefined
    return plainReply(204, '', granted(question, origin, wanted))
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
