/** Answers from captures whose URL or request content differs only in parameters that do not change the content
 *  (`fuzzyRules.ts`). Such replies are marked, and a page is never replaced by another page. */
import { message } from '../../contract/words/message.ts'
import { isNavigation } from '../model/browserRequests.ts'
import { askedOf, firstThatAnswers } from '../replay/captures.ts'
import type { ChainParts } from '../replay/chainParts.ts'
import { countedKey, fuzzyMatch, fuzzyMatchSent, type FuzzyMatch } from './fuzzyRules.ts'
import { fuzzyCapturesMax } from '../model/limits.ts'
import type { Link, Question } from '../viewings/question.ts'
import { lookupKeyOf, type CaptureLookup, type IndexedCapture } from '../../indexes/indexes.ts'

export const fuzzyCapture = (parts: ChainParts): Link => ({
  name: 'fuzzyCapture',
  whyPassed: ({ shown }) =>
    shown?.view.isExact ? message('viewer.step.inexact.off') : message('viewer.step.inexact.none'),
  async answer(question) {
    const { unreadable, shown } = question
    if (shown?.view.isExact || unreadable.length > 0) return undefined
    const asked = await askedOf(question)
    for (const { captures, match } of asked ? alike(question, asked) : []) {
      const reply = await firstThatAnswers(parts, question, captures)
      if (reply === undefined) continue
      question.inexact = match.rules
      return { ...reply, fields: [...reply.fields, ['X-Loupe-Inexact', match.rules.join(', ')]] }
    }
    return undefined
  },
})

/** Similar captures, most similar first; among equals those of the requested scheme. Of each URL, the capture nearest to the
 *  moment. */
function alike(
  { url, fields, shown }: Question,
  asked: CaptureLookup,
): { captures: IndexedCapture[]; match: FuzzyMatch }[] {
  const wanted = { url: new URL(url), isPage: isNavigation(fields) }
  const { key: askedKey, method } = lookupKeyOf(asked)
  const isOther = (captured: string) => Number(URL.parse(captured)?.protocol !== wanted.url.protocol)
  // First the keys that only have additional parameters, for paths with very many URLs.
  const keys = new Set([countedKey(askedKey), askedKey.split('?', 1)[0] ?? ''])
  const found = [...keys].flatMap((key) => shown?.index.addressesFrom({ key, method }, fuzzyCapturesMax) ?? [])
  const distinct = new Map(found.map((each) => [`${each.key} ${each.url}`, each]))
  return [...distinct.values()]
    .flatMap(({ key, url: captured, mediaType }) => {
      const match = asked.sent ? fuzzyMatchSent(askedKey, key) : fuzzyMatch(wanted, { url: captured, mediaType })
      // Without a rule it is the same URL, which `exactCapture` has looked up.
      return match && match.rules.length > 0 ? [{ key, captured, match }] : []
    })
    .toSorted((a, b) => a.match.distance - b.match.distance || isOther(a.captured) - isOther(b.captured))
    .map(({ key, captured, match }) => ({
      match,
      captures: shown?.index.candidates({ ...asked, url: captured, key }, 1) ?? [],
    }))
}
