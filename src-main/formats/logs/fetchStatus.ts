/** Describes the outcome for a URL by its line in a crawl log: the status codes of Heritrix that are used without an
 *  HTTP status, and the annotations that add to them. Loupe's harvests add their reason as an annotation, which is
 *  more exact than the code. */
import { isReason, reasonMessage, truncationMessage, type Truncation } from '../../contract/states/outcomes.ts'
import { textOf } from '../../contract/words/render.ts'
import type { CrawlLogLine } from './crawlLog.ts'
import { annotationMeaning } from './crawlLogText.ts'
import { duplicateOriginIn } from './duplicates.ts'
import { truncationAnnotations } from './harvestStatus.ts'

/** Outcome for a URL, with a description in words. */
export interface Fate {
  outcome: 'fetched' | 'failed' | 'excluded'
  text: string
}

/** Returns the outcome for a line of a crawl log. */
export function fateOf({ status, annotations }: Pick<CrawlLogLine, 'status' | 'annotations'>): Fate {
  const own = ownReason(status, annotations)
  if (own) return own
  if (status > 0) return { outcome: 'fetched', text: fetchedText(status, annotations) }
  const { outcome, text } = statuses[status] ?? {
    outcome: 'failed',
    text: 'for a reason that only its harvester knows',
  }
  return { outcome, text: status === quotaStatus ? text + quotaText(annotations) : text }
}

const quotaStatus = -5003
const statuses: Readonly<Record<number, Fate>> = {
  0: { outcome: 'excluded', text: 'it was never tried, as with kinds of addresses that are not fetched' },
  [-1]: { outcome: 'failed', text: 'the host name is not known' },
  [-2]: { outcome: 'failed', text: 'no connection to the server could be made' },
  [-3]: { outcome: 'failed', text: 'the server broke the connection' },
  [-4]: { outcome: 'failed', text: 'the server did not answer in time' },
  [-5]: { outcome: 'failed', text: 'the harvester made a mistake with it' },
  [-6]: { outcome: 'failed', text: 'the host name could not be looked up first' },
  [-7]: { outcome: 'excluded', text: 'not an address that the harvester can fetch' },
  [-8]: { outcome: 'failed', text: 'it was tried as often as the harvest allows' },
  [-50]: { outcome: 'excluded', text: 'it still waited for the host name or robots.txt when the harvest ended' },
  [-60]: { outcome: 'excluded', text: 'the queue did not take it' },
  [-61]: { outcome: 'failed', text: 'robots.txt could not be read, so the host was left alone' },
  [-62]: { outcome: 'failed', text: 'what had to be fetched before it, as a login, was not to be had' },
  [-63]: { outcome: 'failed', text: 'what had to be fetched before it could not be queued' },
  [-404]: { outcome: 'failed', text: 'the server sent nothing, which the harvester took for "not found"' },
  [-3000]: { outcome: 'failed', text: 'the harvester broke down over it, as when memory runs out' },
  [-4000]: { outcome: 'excluded', text: 'it was taken for a trap, or for nothing worth keeping' },
  [-4001]: { outcome: 'excluded', text: 'too many links from a seed' },
  [-4002]: { outcome: 'excluded', text: 'too many embeds or redirects from the last page in scope' },
  [-5000]: { outcome: 'excluded', text: 'outside the scope of the harvest when its turn came' },
  [-5001]: { outcome: 'excluded', text: 'a setting of the harvest blocks it' },
  [-5002]: { outcome: 'excluded', text: 'a step that was added to the harvest blocks it' },
  [quotaStatus]: { outcome: 'excluded', text: 'its quota was used up' },
  [-5004]: { outcome: 'excluded', text: 'the time of the harvest was over' },
  [-6000]: { outcome: 'excluded', text: 'a person deleted it from the queue' },
  [-7000]: { outcome: 'failed', text: 'the worker that fetched it was ended' },
  [-9998]: { outcome: 'excluded', text: 'disallowed by robots.txt' },
}

/** Descriptions of annotations about truncated content. Heritrix uses the first two, and one for headers. */
const truncationTexts: Readonly<Record<string, string>> = {
  headerTrunc: 'its header was cut off',
  ...Object.fromEntries(
    Object.entries(truncationAnnotations).map(([kind, annotation]) => [
      annotation,
      textOf(truncationMessage(kind as Truncation)),
    ]),
  ),
}

/** Describes a fetched URL. `duplicate:"…"` and `warcRevisit:…` are the annotations for deduplication of
 *  NetarchiveSuite and Heritrix 3. */
function fetchedText(status: number, annotations: string): string {
  const isDuplicate = /(^|,)(duplicate:|warcRevisit:)/i.test(annotations)
  const isUnwritten = /(^|,)unwritten:/i.test(annotations)
  const origin = duplicateOriginIn(annotations)
  const more = isDuplicate
    ? `, and its content was not stored again, since it had not changed${origin ? `: it is the record at ${origin.offset} of ${origin.filename}` : ''}`
    : isUnwritten
      ? ', and not stored'
      : ''
  const cut = Object.entries(truncationTexts).find(([annotation]) => hasAnnotation(annotations, annotation))?.[1]
  return `the server answered ${status}${more}${cut === undefined ? '' : `; ${cut}`}`
}

function hasAnnotation(annotations: string, wanted: string): boolean {
  return annotations.split(',').includes(wanted)
}

/** Describes the quota that was used up: its holder, and what it counts. Annotations are `Q:groupMaxAllKb` in
 *  Heritrix 3, `Q:group-max-all-kb` in Heritrix 1, and `sourceQuota:novelKb` in its additions. The amount is only in
 *  the settings of the harvest. */
function quotaText(annotations: string): string {
  const [, added, annotation] = /(?:^|,)(?:Q|(source|host)Quota):([\w-]+)/.exec(annotations) ?? []
  if (annotation === undefined) return ''
  const key = annotation.replaceAll('-', '').toLowerCase()
  const whose = quotaHolders.find(([name]) => (added ?? key).startsWith(name))?.[1] ?? 'harvest'
  const counted =
    key.endsWith('kb') || key.endsWith('bytes') ? 'bytes' : key.endsWith('responses') ? 'answers' : 'objects'
  return `: the ${counted} of its ${whose}, ${annotation}`
}

/** Holders of quotas. A group is a queue of Heritrix; NetarchiveSuite has one for each domain. */
const quotaHolders = [
  ['server', 'server'],
  ['host', 'host'],
  ['group', 'queue'],
  ['source', 'seed'],
] as const

/** Returns the reason that Loupe wrote as an annotation, such as `excluded:robots:line%203:%20Disallow:%20/x`
 *  (`crawl/finish/crawlLog.ts`). Earlier versions wrote it alone, with the status 0 and `_` for blanks. */
function ownReason(status: number, annotations: string): Fate | undefined {
  for (const annotation of status === 0 ? [annotations] : annotations.split(',')) {
    const [, outcome, reason = '', detail = ''] = /^(failed|excluded):([A-Za-z]+)(?::(.*))?$/.exec(annotation) ?? []
    if (outcome === undefined || !isReason(reason)) continue
    const text = textOf(reasonMessage(reason))
    const more = status === 0 ? detail.replaceAll('_', ' ') : annotationMeaning(detail)
    return { outcome: outcome as 'failed' | 'excluded', text: more === '' ? text : `${text}: ${more}` }
  }
  return undefined
}
