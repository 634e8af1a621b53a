/** A CDX server with the parameters that pywb and OutbackCDX have in common, for the view of the viewing. */
import { message } from '../../contract/words/message.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { CaptureIndex, CaptureQuery, IndexedCapture } from '../../indexes/indexes.ts'
import { isAllowed } from '../model/accessRules.ts'
import type { ChainParts } from '../replay/chainParts.ts'
import { isMistake, type Command } from './commands.ts'
import type { Question } from '../viewings/question.ts'
import { faultReply, plainReply, textReply, type Field, type Reply } from '../model/reply.ts'
import { listedAs, type Output } from './cdxOutput.ts'
import { outputOf, pagingOf, queryOf, type Paging } from './cdxParameters.ts'
import { notYetWhole } from '../links/growing.ts'
import { noView } from '../links/noView.ts'

/** The command `/cdx`. A query with `page`, `pageSize` or `showNumPages` is answered in pages; any other in one
 *  piece of at most `limit` lines, with the field `X-Resume-Key` when there are more. */
export const cdxCommand = ({ accessRules }: Pick<ChainParts, 'accessRules'>): Command => ({
  parameters: ['url'],
  optional: ['matchType', 'from', 'to', 'sort', 'closest', 'limit', 'filter', 'output', 'fields', 'fl', 'resumeKey', 'page', 'pageSize', 'showNumPages'], // prettier-ignore
  repeated: ['filter'],
  answer: async (question, given, { filter = [] }) => {
    const query = queryOf(given, filter)
    if (isMistake(query)) return plainReply(400, query)
    const output = outputOf(given)
    if (isMistake(output)) return plainReply(400, output)
    const paging = pagingOf(given)
    if (paging && isMistake(paging)) return plainReply(400, paging)
    const listing = { question, query, paging, output, accessRules }
    return (await noView.answer(question)) ?? notYetWhole(question) ?? answered(listing)
  },
})

/** A query, and the form of its answer. */
interface Listing extends Pick<ChainParts, 'accessRules'> {
  question: Question
  query: CaptureQuery
  /** Undefined: no pages, but everything up to the limit, continued with a resume key. */
  paging: Paging | undefined
  output: Output
}

async function answered({ question: { shown }, ...listing }: Listing): Promise<Reply> {
  if (shown === undefined) return listed([], listing)
  try {
    return await answerOver(shown.index, listing)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return faultReply(error)
  }
}

/** Answers a query over an index: one page, the number of pages, or everything up to the limit. */
async function answerOver(index: CaptureIndex, listing: Omit<Listing, 'question'>): Promise<Reply> {
  const { query, paging } = listing
  if (paging === undefined) {
    const { captures, next } = await index.query(query)
    return listed(captures, listing, next)
  }
  const { page, pageBlocks } = paging
  const blocks = await index.blocks(query)
  const pages = Math.ceil(blocks.length / pageBlocks)
  if (page === undefined) {
    // The same fields as for pywb's ZipNum clusters.
    const text = `${JSON.stringify({ pages, pageSize: pageBlocks, blocks: blocks.length })}\n`
    return textReply({ status: 200, mediaType: 'application/json', text })
  }
  const [after, until] = [blocks[page * pageBlocks], blocks[(page + 1) * pageBlocks]]
  if (after === undefined) {
    // The first page of an empty result is empty: clients may request it before they ask for the number of pages.
    if (page === 0) return listed([], listing)
    return plainReply(400, message('viewer.cdx.noPage', { page, pages }))
  }
  const { captures } = await index.query({ ...query, after, ...(until !== undefined && { until }) })
  return listed(captures, listing)
}

/** Formats the captures that the access rules allow. */
function listed(
  found: readonly IndexedCapture[],
  { output, accessRules }: Pick<Listing, 'output' | 'accessRules'>,
  next?: string,
): Reply {
  const rules = accessRules()
  const captures = found.filter(({ url }) => isAllowed(url, rules))
  const fields: Field[] = next === undefined ? [] : [['X-Resume-Key', next]]
  return textReply({ status: 200, ...listedAs(captures, output), fields })
}
