/** Explanations of the viewer in the form of the contract, with what the jobs know about a missing URL. */
import type { Archive } from '../../archive/store/archive.ts'
import type { Explanation } from '../../contract/services/viewer.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Explained, Located } from '../../viewer/viewer.ts'
import { sourcesOf } from './selecting.ts'
import { whyMissing, type WhyMissingParts } from '../../quality/quality.ts'

/** Number of jobs up to which each gets its own reason; with more, the reasons are combined. */
const reasonsMax = 20

/** Returns why no job of the view has a capture. Empty for a URL that is not missing. */
export async function reasonsOf(
  parts: WhyMissingParts & { archive: Archive },
  { view, isMissing }: Explained,
  missed: { url: string; method: string },
): Promise<Explanation['reasons']> {
  const viewed = isMissing ? sourcesOf(parts, view) : []
  const groups = viewed.length > reasonsMax ? [viewed] : viewed.map((source) => [source])
  const reasons = groups.map(async (sources) => {
    const found = await whyMissing(parts, sources, [missed])
    const job = sources.length === 1 ? (sources[0] ?? null) : null
    return found.map((why) => ({ job, message: why }))
  })
  return (await Promise.all(reasons)).flat()
}

/** Converts an explanation of the viewer to the form of the contract. `reasons` comes from `reasonsOf`. */
export function explanationOf(explained: Explained, reasons: Explanation['reasons']): Explanation {
  const { view, candidates, inexact, revisitHops, elsewhere, truncated, archived, sent, ...rest } = explained
  const { steps, url, method, key, answeredBy } = rest
  const { moment } = view
  return {
    ...{ view: view.view, url, method, key, steps, answeredBy, reasons },
    candidates: candidates.map(({ capture, isUsed, why }) => ({
      ...rowOf(capture),
      distanceMs: moment.kind === 'nearest' ? capture.timestampMs - moment.atMs : null,
      ...{ isUsed, why },
    })),
    inexact: inexact.map((rule) => ({ rule, meaning: meaningOf(rule) })),
    revisitHops: revisitHops.map(({ capture, isUsed, why }) => ({ ...rowOf(capture), isUsed, why })),
    truncated,
    archived: archived && httpMessageOf(archived),
    sent: httpMessageOf(sent),
    elsewhere: elsewhere.map(rowOf),
  }
}

function httpMessageOf({ status, reason, fields }: Explained['sent']): Explanation['sent'] {
  return { status, reason, fields: fields.map(([name, value]) => [name, value]) }
}

function rowOf({ url, timestampMs, job, filename, offset, status, recordType }: Located) {
  const captured = new Date(timestampMs).toISOString()
  return { url, captured, job, file: filename, offset, status: status ?? null, recordType }
}

/** Describes what a rule of `viewer/links/fuzzyRules.ts` ignores. */
function meaningOf(rule: string): Message {
  if (rule === 'cacheBuster') return message('view.rule.cacheBuster')
  if (rule === 'campaign') return message('view.rule.campaign')
  if (rule === 'callback') return message('view.rule.callback')
  return rule === 'stream' ? message('view.rule.stream') : message('view.rule.file')
}
