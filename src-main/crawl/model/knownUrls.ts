/** A cache of URLs that jobs know, so that the database is not queried for every link: most links of a site lead to known
 *  URLs. It has two halves: when the younger one is full the older one is dropped, and URLs that are asked for often stay. */

/** Whether a known URL is to be fetched or is excluded. */
export type Verdict = 'wanted' | 'excluded'

/** The known URLs of all jobs. */
export interface KnownUrls {
  /** Returns the known URLs of one job. */
  of(job: number): KnownOfJob
}

/** The known URLs of one job. */
export interface KnownOfJob {
  /** Tells whether the URL is remembered. True is certain; false only means that it is not in memory. */
  has(url: string, verdict: Verdict): boolean
  add(url: string, verdict: Verdict): void
  /** Forgets all URLs of this job. */
  forget(): void
}

/** Memory per URL in addition to its characters: the string header and the slot in a hash table, measured on V8 13. */
const bytesOfEntry = 64

/** Copies the string. A substring keeps the whole page in memory in V8 (200 MB after 10,000 pages). URLs are ASCII; any other
 *  string is returned unchanged. */
export function flatCopy(url: string): string {
  const copy = Buffer.from(url, 'latin1').toString('latin1')
  return copy === url ? copy : url
}

/** Opens the cache for about `bytesMax` bytes. */
export function knownUrls(bytesMax: number): KnownUrls {
  let elder = new Map<string, Set<string>>()
  let younger = new Map<string, Set<string>>()
  let youngerBytes = 0

  function add(name: string, url: string): void {
    const bytes = url.length + bytesOfEntry
    if (youngerBytes + bytes > bytesMax / 2) {
      elder = younger
      younger = new Map()
      youngerBytes = 0
    }
    const set = younger.get(name) ?? new Set()
    younger.set(name, set.add(flatCopy(url)))
    youngerBytes += bytes
  }

  return {
    of(job) {
      const nameOf = (verdict: Verdict) => `${job} ${verdict}`
      return {
        has(url, verdict) {
          const name = nameOf(verdict)
          if (younger.get(name)?.has(url)) return true
          if (!elder.get(name)?.has(url)) return false
          add(name, url)
          return true
        },
        add: (url, verdict) => add(nameOf(verdict), url),
        forget() {
          for (const verdict of ['wanted', 'excluded'] as const) {
            const name = nameOf(verdict)
            for (const url of younger.get(name) ?? []) youngerBytes -= url.length + bytesOfEntry
            younger.delete(name)
            elder.delete(name)
          }
        },
      }
    },
  }
}
