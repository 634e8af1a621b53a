/** Captures as a CDX server lists them, with the parameters that pywb and OutbackCDX share, of what the asker's viewing shows. */
import { Fault, faults } from '../../contract/faults.ts'
import { cdxHeaders, cdxLine } from '../../formats/cdx/cdxColumns.ts'
import { cdxjLine } from '../../formats/cdx/cdxj.ts'
import { parseTimestamp } from '../../formats/cdx/timestamp.ts'
import { captureFields, type CaptureFilter, type CaptureQuery, type IndexedCapture } from '../../indexes/indexes.ts'
import { isAllowed } from '../accessRules.ts'
import type { ChainParts } from '../chainParts.ts'
import { wholeNumber, type Command, type Parameters } from '../commands.ts'
import { cdxLinesMax } from '../limits.ts'
import type { Question } from '../question.ts'
import { plainReply, textReply, type Field, type Reply } from '../resolvers.ts'
import { notYetWhole } from './growing.ts'
import { noView } from './noView.ts'

const matchTypes = ['exact', 'prefix', 'host', 'domain'] as const
const outputs = ['cdxj', 'json', 'cdx11', 'cdx9'] as const

export const cdxCommand = ({ accessRules }: Pick<ChainParts, 'accessRules'>): Command => ({
  parameters: ['url'],
  optional: ['matchType', 'from', 'to', 'sort', 'closest', 'limit', 'filter', 'output', 'resumeKey'],
  repeated: ['filter'],
  answer: async (question, given, { filter = [] }) => {
    const query = queryOf(given, filter)
    if (typeof query === 'string') return plainReply(400, query)
    const output = chosen(outputs, given['output'] ?? 'cdxj')
    if (output === undefined) return plainReply(400, wrong('output', given['output'], outputs))
    return (await noView.answer(question)) ?? notYetWhole(question) ?? listed({ question, query, output, accessRules })
  },
})

interface Listing extends Pick<ChainParts, 'accessRules'> {
  question: Question
  query: CaptureQuery
  output: (typeof outputs)[number]
}

async function listed({ question: { shown }, query, output, accessRules }: Listing): Promise<Reply> {
  try {
    const page = await shown?.index.query(query)
    const { next } = page ?? {}
    const captures = (page?.captures ?? []).filter(({ url }) => isAllowed(url, accessRules))
    const fields: Field[] = next === undefined ? [] : [['X-Resume-Key', next]]
    const mediaType = output === 'json' ? 'application/x-ndjson' : 'text/plain'
    return textReply({ status: 200, text: linesOf(captures, output).join(''), mediaType, fields })
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return plainReply(faults[error.code].status, `${error.message}.`)
  }
}

function linesOf(captures: readonly IndexedCapture[], output: (typeof outputs)[number]): string[] {
  if (output === 'cdxj') return captures.map((capture) => `${cdxjLine(capture)}\n`)
  if (output === 'json') return captures.map((capture) => `${JSON.stringify(jsonOf(capture))}\n`)
  return [`${cdxHeaders[output]}\n`, ...captures.map((capture) => `${cdxLine(capture, output)}\n`)]
}

/** A line of CDXJ, its key and moment among the other fields, as pywb has it. */
function jsonOf(capture: IndexedCapture): object {
  const [urlkey, timestamp, ...json] = cdxjLine(capture).split(' ')
  return { urlkey, timestamp, ...(JSON.parse(json.join(' ')) as object), job: capture.job }
}

/** Or a sentence that says what is wrong. */
function queryOf(given: Parameters, filterTexts: readonly string[]): CaptureQuery | string {
  const matchType = chosen(matchTypes, given['matchType'] ?? 'exact')
  if (matchType === undefined) return wrong('matchType', given['matchType'], matchTypes)
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
    ...{ url: given['url'] ?? '', matchType, limit: Math.min(limit, cdxLinesMax), sort },
    filters: filters.filter((filter) => filter !== undefined),
    ...(fromMs !== undefined && { fromMs }),
    ...(toMs !== undefined && { toMs }),
    ...(after !== undefined && { after }),
  }
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
