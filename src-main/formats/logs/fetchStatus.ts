/** Describes the outcome for a URL by its line in a crawl log: the status codes of Heritrix that are used without an
 *  HTTP status, and the annotations that add to them. Loupe's harvests add their reason as an annotation, which is
 *  more exact than the code. */
import { isReason, reasonMessage, truncationMessage, type Truncation } from '../../contract/states/outcomes.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { CrawlLogLine } from './crawlLog.ts'
import { annotationMeaning } from './crawlLogText.ts'
import { duplicateOriginIn } from './duplicates.ts'
import { truncationAnnotations } from './harvestStatus.ts'

/** Outcome for a URL, with a description in words. */
export interface LoggedOutcome {
  outcome: 'fetched' | 'failed' | 'excluded'
  /** A part of a sentence, without a capital or a period. */
  message: Message
}

/** Returns the outcome for a line of a crawl log. */
export function outcomeOfLine({ status, annotations }: Pick<CrawlLogLine, 'status' | 'annotations'>): LoggedOutcome {
  const own = ownReason(status, annotations)
  if (own) return own
  if (status > 0) return { outcome: 'fetched', message: fetchedMessage(status, annotations) }
  const quota = status === quotaStatus ? quotaMessage(annotations) : undefined
  if (quota) return { outcome: 'excluded', message: quota }
  return statuses[status] ?? { outcome: 'failed', message: message('crawlStatus.unknown') }
}

/** Heritrix's code for a URL over a quota. */
const quotaStatus = -5003
/** Heritrix's codes without an HTTP status ("Status codes" in its documentation). */
const statuses: Readonly<Record<number, LoggedOutcome>> = {
  0: { outcome: 'excluded', message: message('crawlStatus.untried') },
  [-1]: { outcome: 'failed', message: reasonMessage('unknownHost') },
  [-2]: { outcome: 'failed', message: message('crawlStatus.noConnection') },
  [-3]: { outcome: 'failed', message: message('crawlStatus.connectionLost') },
  [-4]: { outcome: 'failed', message: reasonMessage('timeout') },
  [-5]: { outcome: 'failed', message: message('crawlStatus.crawlerError') },
  [-6]: { outcome: 'failed', message: message('crawlStatus.lookupFailed') },
  [-7]: { outcome: 'excluded', message: message('crawlStatus.unsupported') },
  [-8]: { outcome: 'failed', message: message('crawlStatus.tooManyRetries') },
  [-50]: { outcome: 'excluded', message: message('crawlStatus.unfinished') },
  [-60]: { outcome: 'excluded', message: message('crawlStatus.notQueued') },
  [-61]: { outcome: 'failed', message: message('crawlStatus.robotsUnreachable') },
  [-62]: { outcome: 'failed', message: message('crawlStatus.prerequisiteFailed') },
  [-63]: { outcome: 'failed', message: message('crawlStatus.prerequisiteNotQueued') },
  [-404]: { outcome: 'failed', message: message('crawlStatus.empty') },
  [-3000]: { outcome: 'failed', message: message('crawlStatus.crawlerFailed') },
  [-4000]: { outcome: 'excluded', message: message('crawlStatus.trap') },
  [-4001]: { outcome: 'excluded', message: message('crawlStatus.tooManyLinks') },
  [-4002]: { outcome: 'excluded', message: message('crawlStatus.tooManyEmbeds') },
  [-5000]: { outcome: 'excluded', message: message('crawlStatus.outOfScope') },
  [-5001]: { outcome: 'excluded', message: message('crawlStatus.blockedBySetting') },
  [-5002]: { outcome: 'excluded', message: message('crawlStatus.blockedByProcessor') },
  [quotaStatus]: { outcome: 'excluded', message: message('crawlStatus.quota') },
  [-5004]: { outcome: 'excluded', message: message('crawlStatus.timeLimit') },
  [-6000]: { outcome: 'excluded', message: message('crawlStatus.deleted') },
  [-7000]: { outcome: 'failed', message: message('crawlStatus.workerEnded') },
  [-9998]: { outcome: 'excluded', message: reasonMessage('robots') },
}

/** Annotations about truncated content with their meaning. Heritrix uses the first two, and one for headers. */
const truncations: readonly [annotation: string, meaning: Message][] = [
  ['headerTrunc', message('crawlStatus.headerCut')],
  ...Object.entries(truncationAnnotations).map(([kind, annotation]): [string, Message] => [
    annotation,
    truncationMessage(kind as Truncation),
  ]),
]

/** Describes a fetched URL, with what is missing of it. */
function fetchedMessage(status: number, annotations: string): Message {
  const answered = answeredMessage(status, annotations)
  const cut = truncations.find(([annotation]) => hasAnnotation(annotations, annotation))?.[1]
  return cut ? message('crawlStatus.answered.cut', { answered, cut }) : answered
}

/** `duplicate:"…"` and `warcRevisit:…` are the annotations for deduplication of NetarchiveSuite and Heritrix 3. */
function answeredMessage(status: number, annotations: string): Message {
  if (/(^|,)(duplicate:|warcRevisit:)/i.test(annotations)) {
    const origin = duplicateOriginIn(annotations)
    if (!origin) return message('crawlStatus.answered.unchanged', { status })
    const { offset, filename: file } = origin
    return message('crawlStatus.answered.duplicate', { status, offset, file })
  }
  const isUnwritten = /(^|,)unwritten:/i.test(annotations)
  return message(isUnwritten ? 'crawlStatus.answered.notStored' : 'capture.answered', { status })
}

function hasAnnotation(annotations: string, wanted: string): boolean {
  return annotations.split(',').includes(wanted)
}

/** Describes the quota that was used up: its holder, and what it counts. Annotations are `Q:groupMaxAllKb` in
 *  Heritrix 3, `Q:group-max-all-kb` in Heritrix 1, and `sourceQuota:novelKb` in its additions. The amount is only in
 *  the settings of the harvest. */
function quotaMessage(annotations: string): Message | undefined {
  const [, added, annotation] = /(?:^|,)(?:Q|(source|host)Quota):([\w-]+)/.exec(annotations) ?? []
  if (annotation === undefined) return undefined
  const key = annotation.replaceAll('-', '').toLowerCase()
  const code = quotaHolders.find(([name]) => (added ?? key).startsWith(name))?.[1] ?? 'crawlStatus.quota.crawl'
  return message(code, { counted: message(countedBy(key)), annotation })
}

/** What a quota counts, by the end of its name. */
function countedBy(key: string) {
  if (key.endsWith('kb') || key.endsWith('bytes')) return 'crawlStatus.quota.bytes'
  return key.endsWith('responses') ? 'crawlStatus.quota.responses' : 'crawlStatus.quota.urls'
}

/** Holders of quotas. A group is a queue of Heritrix; NetarchiveSuite has one for each domain. */
const quotaHolders = [
  ['server', 'crawlStatus.quota.server'],
  ['host', 'crawlStatus.quota.host'],
  ['group', 'crawlStatus.quota.queue'],
  ['source', 'crawlStatus.quota.seed'],
] as const

/** Returns the reason that Loupe wrote as an annotation, such as `excluded:robots:line%203:%20Disallow:%20/x`
 *  (`crawl/finish/crawlLog.ts`). Earlier versions wrote it alone, with the status 0 and `_` for blanks. */
function ownReason(status: number, annotations: string): LoggedOutcome | undefined {
  for (const annotation of status === 0 ? [annotations] : annotations.split(',')) {
    const [, outcome, reason = '', detail = ''] = /^(failed|excluded):([A-Za-z]+)(?::(.*))?$/.exec(annotation) ?? []
    if (outcome === undefined || !isReason(reason)) continue
    const more = status === 0 ? detail.replaceAll('_', ' ') : annotationMeaning(detail)
    const known = reasonMessage(reason)
    return {
      outcome: outcome as 'failed' | 'excluded',
      message: more === '' ? known : message('reason.because', { reason: known, detail: more }),
    }
  }
  return undefined
}
