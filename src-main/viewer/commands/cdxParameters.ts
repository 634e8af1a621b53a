/** Parses the parameters of the CDX server into query, page and output. Returns a message if one of them is invalid. Pure. */
import { message, type Message } from '../../contract/words/message.ts'
import { parseTimestamp } from '../../formats/cdx/timestamp.ts'
import { captureFields, pageBlocksMax, type CaptureFilter, type CaptureQuery } from '../../indexes/indexes.ts'
import { isMistake, wholeNumber, type Parameters } from './commands.ts'
import { cdxLinesMax } from '../model/limits.ts'
import { chooses, listedFields, outputs, type Output } from './cdxOutput.ts'

const matchTypes = ['exact', 'prefix', 'host', 'domain'] as const

/** Pages of `pageBlocks` blocks. `page` undefined: only the number of pages is requested. */
export interface Paging {
  page: number | undefined
  pageBlocks: number
}

/** Parses what is searched for: URL, period, order, filters and limit. */
export function queryOf(given: Parameters, filterTexts: readonly string[]): CaptureQuery | Message {
  const which = addressesOf(given)
  if (isMistake(which)) return which
  const limit = wholeNumber(given['limit'] ?? String(cdxLinesMax))
  if (limit === undefined || limit === 0)
    return message('viewer.parameter.aboveZero', { name: 'limit', value: given['limit'] ?? '' })
  const [fromMs, toMs] = [momentOf(given['from']), endOf(given['to'])]
  if (fromMs === null || toMs === null) return message('viewer.parameter.period')
  const sort = sortOf(given)
  if (isMistake(sort)) return sort
  const filters = filterTexts.map(filterOf)
  const odd = filters.findIndex((filter) => filter === undefined)
  if (odd >= 0)
    return message('viewer.cdx.filter', { filter: filterTexts[odd] ?? '', fields: captureFields.join(', ') })
  const after = given['resumeKey']
  return {
    ...{ ...which, limit: Math.min(limit, cdxLinesMax), sort },
    filters: filters.filter((filter) => filter !== undefined),
    ...(fromMs !== undefined && { fromMs }),
    ...(toMs !== undefined && { toMs }),
    ...(after !== undefined && { after }),
  }
}

/** URL and match type. Without matchType a star selects it, as in pywb: `example.com/*` and `*.example.com`. */
function addressesOf({ url = '', matchType }: Parameters): Pick<CaptureQuery, 'url' | 'matchType'> | Message {
  if (matchType !== undefined) {
    const type = chosen(matchTypes, matchType)
    return type === undefined ? wrong('matchType', matchType, matchTypes) : { url, matchType: type }
  }
  if (/^(?:\*\.?)+$/.test(url)) return message('viewer.cdx.star', { url })
  if (url.startsWith('*.')) return { url: url.slice(2), matchType: 'domain' }
  return url.endsWith('*') ? { url: url.slice(0, -1), matchType: 'prefix' } : { url, matchType: 'exact' }
}

/** Output format and fields. `fl` is the name of `fields` in older servers. */
export function outputOf({ output = 'cdxj', fields, fl }: Parameters): Output | Message {
  const kind = chosen(outputs, output)
  if (kind === undefined) return wrong('output', output, outputs)
  if (fields !== undefined && fl !== undefined) return message('viewer.cdx.fieldsTwice')
  const names = fields ?? fl
  if (names === undefined) return { kind, fields: undefined }
  if (!chooses(kind))
    return message('viewer.cdx.fixedFields', { output: kind, outputs: outputs.filter(chooses).join(', ') })
  const wanted = names.split(',').map((name) => chosen(listedFields, name.trim()))
  const found = wanted.filter((name) => name !== undefined)
  return found.length === wanted.length ? { kind, fields: found } : wrong('fields', names, listedFields)
}

function sortOf({ sort = 'ascending', closest }: Parameters): NonNullable<CaptureQuery['sort']> | Message {
  const atMs = momentOf(closest)
  if (atMs === null) return message('viewer.parameter.time', { name: 'closest', value: closest ?? '' })
  if (sort === 'closest' || atMs !== undefined)
    return atMs === undefined ? message('viewer.cdx.closest') : { kind: 'closest', atMs }
  return sort === 'ascending' || sort === 'reverse'
    ? { kind: sort }
    : wrong('sort', sort, ['ascending', 'reverse', 'closest'])
}

/** Parses a filter: `status:200` contains, `=` equals, `~` matches a regular expression, and a leading `!` negates. */
function filterOf(text: string): CaptureFilter | undefined {
  const [, not, how, name, wanted] = /^(!?)([=~]?)(\w+):(.*)$/s.exec(text) ?? []
  const field = chosen(captureFields, name ?? '')
  if (field === undefined || wanted === undefined) return undefined
  return { field, text: wanted, negated: not === '!', how: how === '=' ? 'is' : how === '~' ? 'matches' : 'contains' }
}

/** Parses a time. Undefined: not given. Null: invalid. */
function momentOf(digits: string | undefined): number | undefined | null {
  if (digits === undefined) return undefined
  return /^\d{4,17}$/.test(digits) ? (parseTimestamp(digits) ?? null) : null
}

/** The last millisecond of a period: of the year for `2021`, of the month for `202102`. */
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

function wrong(name: string, value: string, names: readonly string[]): Message {
  return message('viewer.parameter.oneOf', { name, known: names.join(', '), value })
}

/** Undefined: the parameters do not ask for pages. */
export function pagingOf({
  page,
  pageSize,
  showNumPages,
  resumeKey,
  sort,
  closest,
}: Parameters): Paging | Message | undefined {
  if (page === undefined && pageSize === undefined && showNumPages === undefined) return undefined
  if (resumeKey !== undefined) return message('viewer.cdx.pageAndResume')
  if (closest !== undefined || (sort !== undefined && sort !== 'ascending')) return message('viewer.cdx.pageAndSort')
  if (showNumPages !== undefined && !['true', 'false'].includes(showNumPages))
    return message('viewer.parameter.boolean', { name: 'showNumPages', value: showNumPages })
  const pageBlocks = wholeNumber(pageSize ?? '1')
  if (pageBlocks === undefined || pageBlocks === 0 || pageBlocks > pageBlocksMax)
    return message('viewer.parameter.upTo', { name: 'pageSize', max: pageBlocksMax, value: pageSize ?? '' })
  const number = wholeNumber(page ?? '0')
  if (number === undefined) return message('viewer.parameter.number', { name: 'page', value: page ?? '' })
  return { page: showNumPages === 'true' ? undefined : number, pageBlocks }
}
