/** What a job fetched of each domain, counted from its crawl log (NetarchiveSuite 7, `HeritrixDomainHarvestReport`). Pure. */
import { parseCrawlLogLine, type CrawlLogLine } from '../../formats/logs/crawlLog.ts'
import { registeredDomain } from '../../formats/links/registeredDomain.ts'
import type { StopReason } from '../model/stopReasons.ts'

/** What was fetched of a domain. */
export interface DomainCount {
  objects: number
  bytes: number
  stopReason: StopReason
}

/** What was counted so far, and the quota that stopped the domain. */
interface Counted {
  objects: number
  bytes: number
  quota: StopReason | undefined
}

/** Counts the lines of a log. */
export interface DomainCounter {
  /** Takes a line; one that is no line of a crawl log is left out. */
  add(line: string): void
  /** A domain that no quota stopped has the `usual` reason: how the job as a whole ended. */
  counts(usual: StopReason): Map<string, DomainCount>
  /** Lines that were left out. */
  invalid(): number
}

/** Status that Heritrix logs for URLs beyond a quota (documentation of Heritrix 3, "Status codes"). */
const beyondQuota = -5003
/** Annotations by which its QuotaEnforcer names the quota, with the stop reasons that NetarchiveSuite derives. */
const quotaReasons: readonly [annotation: string, reason: StopReason][] = [
  ['Q:groupMaxAllKb', 'SIZE_LIMIT'],
  ['Q:groupMaxFetchSuccesses', 'OBJECT_LIMIT'],
]

/** Begins a count. */
export function domainCounter(): DomainCounter {
  const counts = new Map<string, Counted>()
  let invalid = 0

  function countOf(domain: string): Counted {
    const known = counts.get(domain) ?? { objects: 0, bytes: 0, quota: undefined }
    counts.set(domain, known)
    return known
  }

  return {
    add(text) {
      const { line } = parseCrawlLogLine(text)
      const domain = line && domainOf(line)
      if (line === undefined || domain === undefined) {
        invalid += 1
        return
      }
      const count = countOf(domain)
      if (line.status >= 0) {
        count.objects += 1
        count.bytes += contentBytesIn(line.annotations)
      }
      // The first reason stays.
      count.quota ??= quotaReasonOf(line)
    },
    counts: (usual) =>
      new Map([...counts].map(([domain, { quota, ...count }]) => [domain, { ...count, stopReason: quota ?? usual }])),
    invalid: () => invalid,
  }
}

/** The domain of the seed, or of the URL where the log names no seed. */
function domainOf({ source, url }: CrawlLogLine): string | undefined {
  const host = hostOf(source ?? '') ?? hostOf(url)
  return host === undefined ? undefined : registeredDomain(host)
}

function hostOf(url: string): string | undefined {
  // Lookups of names are logged as `dns:host`.
  const dns = /^dns:(?:\/\/)?([^/?]+)/.exec(url)?.[1]
  return dns ?? (URL.parse(url)?.hostname || undefined)
}

function contentBytesIn(annotations: string): number {
  const bytes = /(?:^|,)content-size:(\d+)/.exec(annotations)?.[1]
  return bytes === undefined ? 0 : Number(bytes)
}

function quotaReasonOf({ status, annotations }: CrawlLogLine): StopReason | undefined {
  if (status !== beyondQuota) return undefined
  return quotaReasons.find(([annotation]) => annotations.split(',').includes(annotation))?.[1]
}

/** Returns how a crawl ended by the last line of its progress-statistics log (`StopReason` of NetarchiveSuite's
 *  `HeritrixDomainHarvestReport`); `lastLine` is undefined without such a log. */
export function usualReasonOf(lastLine: string | undefined): StopReason {
  if (lastLine === undefined || !lastLine.includes('CRAWL ENDED')) return 'DOWNLOAD_UNFINISHED'
  if (/Ended by operator/.test(lastLine)) return 'DOWNLOAD_UNFINISHED'
  return /Timelimit hit/.test(lastLine) ? 'TIME_LIMIT' : 'DOWNLOAD_COMPLETE'
}
