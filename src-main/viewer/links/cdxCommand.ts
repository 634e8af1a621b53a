/** Captures as a CDX server lists them, with the parameters that pywb and OutbackCDX share, of what the asker's viewing shows. */
import { Fault, faults } from '../../contract/faults.ts'
import { parseTimestamp } from '../../formats/cdx/timestamp.ts'
import { captureFields, type CaptureFilter, type CaptureQuery } from '../../indexes/indexes.ts'
import { isAllowed } from '../accessRules.ts'
import type { ChainParts } from '../chainParts.ts'
import { wholeNumber, type Command, type Parameters } from '../commands.ts'
import { cdxLinesMax } from '../limits.ts'
import type { Question } from '../question.ts'
import { plainReply, textReply, type Field, type Reply } from '../resolvers.ts'
import { chooses, listedAs, listedFields, outputs, type Output } from './cdxOutput.ts'
import { notYetWhole } from './growing.ts'
import { noView } from './noView.ts'

const matchTypes = ['exact', 'prefix', 'host', 'domain'] as const

export const cdxCommand = ({ accessRules }: Pick<ChainParts, 'accessRules'>): Command => ({
  parameters: ['url'],
  optional: ['matchType', 'from', 'to', 'sort', 'closest', 'limit', 'filter', 'output', 'fields', 'fl', 'resumeKey'],
  repeated: ['filter'],
  answer: async (question, given, { filter = [] }) => {
    const query = queryOf(given, filter)
    if (typeof query === 'string') return plainReply(400, query)
    const output = outputOf(given)
    if (typeof output === 'string') return plainReply(400, output)
    return (await noView.answer(question)) ?? notYetWhole(question) ?? listed({ question, query, output, accessRules })
  },
})

interface Listing extends Pick<ChainParts, 'accessRules'> {
  question: Question
  query: CaptureQuery
  output: Output
}

async function listed({ question: { shown }, query, output, accessRules }: Listing): Promise<Reply> {
  try {
    const page = await shown?.index.query(query)
    const { next } = page ?? {}
    const rules = accessRules()
    const captures = (page?.captures ?? []).filter(({ url }) => isAllowed(url, rules))
    const fields: Field[] = next === undefined ? [] : [['X-Resume-Key', next]]
    return textReply({ status: 200, ...listedAs(captures, output), fields })
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return plainReply(faults[error.code].status, `${error.message}.`)
  }
}

/** Or a sentence that says what is wrong. */
function queryOf(given: Parameters, filterTexts: readonly string[]): CaptureQuery | string {
  const which = addressesOf(given)
  if (typeof which === 'string') return which
  const limit = wholeNumber(given['limit'] ?? String(cdxLinesMax))
  if (limit === undefined || limit === 0) return `The parameter limit is no number above 0: ${given['limit']}.`
  const [fromMs, toMs] = [momentOf(given['from']), endOf(given['to'])]
  if (fromMs === null || toMs === null)
    return 'The parameters from and to are moments: YYYYMMDDhhmmss, or its beginning.'
  const sort = sortOf(given)
  if (typeof sort === 'string') return sort
  const filters = filterTexts.map(filterOf)
  const odd = filters.findIndex((filter) => filter === undefined)
  if (odd >= 0)
    return `This is no filter: ${filterTexts[odd]}. One is [!][=|~]FIELD:TEXT, with ${captureFields.join(', ')}.`
  const after = given['resumeKey']
  return {
    ...{ ...which, limit: Math.min(limit, cdxLinesMax), sort },
    filters: filters.filter((filter) => filter !== undefined),
    ...(fromMs !== undefined && { fromMs }),
    ...(toMs !== undefined && { toMs }),
    ...(after !== undefined && { after }),
  }
}

/** Where no matchType says it a star does, as in pywb: `example.com/*` and `*.example.com`. */
function addressesOf({ url = '', matchType }: Parameters): Pick<CaptureQuery, 'url' | 'matchType'> | string {
  if (matchType !== undefined) {
    const type = chosen(matchTypes, matchType)
    return type === undefined ? wrong('matchType', matchType, matchTypes) : { url, matchType: type }
  }
  if (/^(?:\*\.?)+$/.test(url)) return `The parameter url is a star and no address: ${url}.`
  if (url.startsWith('*.')) return { url: url.slice(2), matchType: 'domain' }
  return url.endsWith('*') ? { url: url.slice(0, -1), matchType: 'prefix' } : { url, matchType: 'exact' }
}

/** `fl` is what older servers call the fields. */
function outputOf({ output = 'cdxj', fields, fl }: Parameters): Output | string {
  const kind = chosen(outputs, output)
  if (kind === undefined) return wrong('output', output, outputs)
  if (fields !== undefined && fl !== undefined) return 'The parameters fields and fl are the same; one may be there.'
  const names = fields ?? fl
  if (names === undefined) return { kind, fields: undefined }
  if (!chooses(kind))
    return `The output ${kind} has fields of its own; they are chosen of ${outputs.filter(chooses).join(', ')}.`
  const wanted = names.split(',').map((name) => chosen(listedFields, name.trim()))
  const found = wanted.filter((name) => name !== undefined)
  return found.length === wanted.length ? { kind, fields: found } : wrong('fields', names, listedFields)
}

function sortOf({ sort = 'ascending', closest }: Parameters): NonNullable<CaptureQuery['sort']> | string {
  const atMs = momentOf(closest)
  if (atMs === null) return `The parameter closest is no moment: ${closest}.`
  if (sort === 'closest' || atMs !== undefined)
    return atMs === undefined ? 'To sort by closest the parameter closest says to what.' : { kind: 'closest', atMs }
  return sort === 'ascending' || sort === 'reverse'
    ? { kind: sort }
    : wrong('sort', sort, ['ascending', 'reverse', 'closest'])
}

/** `status:200` contains, `=` is, `~` matches an expression, `!` before any of them turns it round. */
function filterOf(text: string): CaptureFilter | undefined {
  const [, not, how, name, wanted] = /^(!?)([=~]?)(\w+):(.*)$/s.exec(text) ?? []
  const field = chosen(captureFields, name ?? '')
  if (field === undefined || wanted === undefined) return undefined
  return { field, text: wanted, negated: not === '!', how: how === '=' ? 'is' : how === '~' ? 'matches' : 'contains' }
}

/** Undefined: not said. Null: no moment. */
function momentOf(digits: string | undefined): number | undefined | null {
  if (digits === undefined) return undefined
  return /^\d{4,17}$/.test(digits) ? (parseTimestamp(digits) ?? null) : null
}

/** Of `2021` the last moment of that year is meant, of `202102` that of the month: one before what follows. */
function endOf(digits: string | undefined): number | undefined | null {
  const atMs = momentOf(digits)
  if (atMs === undefined || atMs === null || digits === undefined) return atMs
  const end = new Date(atMs)
  if (digits.length < 6) end.setUTCFullYear(end.getUTCFullYear() + 1)
  else if (digits.length < 8) end.setUTCMonth(end.getUTCMonth() + 1)
  else
    return (
      atMs +
      (digits.length < 10 ? 86_400_000 : digits.length < 12 ? 3_600_000 : digits.length < 14 ? 60_000 : 1_000) -
      1
    )
  return end.getTime() - 1
}

function chosen<Name extends string>(names: readonly Name[], text: string): Name | undefined {
  return names.find((name) => name === text)
}

function wrong(parameter: string, text: string | undefined, names: readonly string[]): string {
  return `The parameter ${parameter} is none of ${names.join(', ')}: ${text}.`
}
