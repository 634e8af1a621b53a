/** Captures of an address, or of what was sent to it, that differs only in what says nothing about its content (`fuzzyRules.ts`). Such
 *  an answer is marked, and nobody is answered with another page than the one that was asked. */
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
    shown?.view.isExact
      ? 'What is viewed shows nothing inexact.'
      : 'No captured request differs from it only in what says nothing about its content.',
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

/** The most alike first, of equals those of the scheme that was asked; of each the capture nearest to the moment first. */
function alike(
  { url, fields, shown }: Question,
  asked: CaptureLookup,
): { captures: IndexedCapture[]; match: FuzzyMatch }[] {
  const wanted = { url: new URL(url), isPage: isNavigation(fields) }
  const { key: askedKey, method } = lookupKeyOf(asked)
  const isOther = (captured: string) => Number(URL.parse(captured)?.protocol !== wanted.url.protocol)
  // Of a path with very many addresses those first that only have more.
  const keys = new Set([countedKey(askedKey), askedKey.split('?', 1)[0] ?? ''])
  const found = [...keys].flatMap((key) => shown?.index.addressesFrom({ key, method }, fuzzyCapturesMax) ?? [])
  const distinct = new Map(found.map((each) => [`${each.key} ${each.url}`, each]))
  return [...distinct.values()]
    .flatMap(({ key, url: captured, mediaType }) => {
      const match = asked.sent ? fuzzyMatchSent(askedKey, key) : fuzzyMatch(wanted, { url: captured, mediaType })
      // Without a rule it is the very address, which has been looked up.
      return match && match.rules.length > 0 ? [{ key, captured, match }] : []
    })
    .toSorted((a, b) => a.match.distance - b.match.distance || isOther(a.captured) - isOther(b.captured))
    .map(({ key, captured, match }) => ({
      match,
      captures: shown?.index.candidates({ ...asked, url: captured, key }, 1) ?? [],
    }))
}
