/** Captures of an address that differs only in what says nothing about its content (`fuzzyRules.ts`). Such an answer is marked, and
 *  nobody is answered with another page than the one that was asked. */
import { isNavigation } from '../background.ts'
import { firstThatAnswers } from '../captures.ts'
import type { ChainParts } from '../chainParts.ts'
import { fuzzyMatch, type FuzzyMatch } from '../fuzzyRules.ts'
import { fuzzyCapturesMax } from '../limits.ts'
import type { Link, Question } from '../question.ts'
import type { IndexedCapture } from '../../indexes/indexes.ts'

export const fuzzyCapture = (parts: ChainParts): Link => ({
  name: 'fuzzyCapture',
  passed: () => 'No captured address differs from it only in what says nothing about its content.',
  async answer(question) {
    const { method, unreadable } = question
    if ((method !== 'GET' && method !== 'HEAD') || unreadable.length > 0) return undefined
    for (const { captures, match } of alike(question)) {
      const reply = await firstThatAnswers(parts, question, captures)
      if (reply === undefined) continue
      question.inexact = match.rules
      return { ...reply, fields: [...reply.fields, ['X-Loupe-Inexact', match.rules.join(', ')]] }
    }
    return undefined
  },
})

/** The most alike first; of each address the capture nearest to the moment first. */
function alike({ url, fields, shown, moment }: Question): { captures: IndexedCapture[]; match: FuzzyMatch }[] {
  const asked = { url: new URL(url), isPage: isNavigation(fields) }
  const found = shown?.index.underPath(url, fuzzyCapturesMax) ?? []
  return found
    .flatMap(({ url: captured, mediaType }) => {
      const match = fuzzyMatch(asked, { url: captured, mediaType })
      return match ? [{ captured, match }] : []
    })
    .toSorted((a, b) => a.match.distance - b.match.distance)
    .map(({ captured, match }) => ({ match, captures: shown?.index.candidates({ url: captured, moment }, 1) ?? [] }))
}
