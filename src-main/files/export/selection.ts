/** The records that an export is narrowed to: by URL, by time, or not at all. Pure. A URL selects the site, or
 *  the part of a site, that it names. `example.org/museum` includes `/museum`, `/museum/opening.html` and
 *  `/museum?hall=2`, not `/museums`; http and https are equal, with or without `www.`, and so are other spellings
 *  that the keys of capture indexes fold together (surt.ts). `*.example.org` includes all its hosts. */

import { message, type Message } from '../../contract/words/message.ts'
import { surt } from '../../formats/cdx/surt.ts'
import { parseTimestamp } from '../../formats/cdx/timestamp.ts'

/** What records have to match. */
export interface Narrowing {
  url?: string | undefined
  /** Both ends are included. */
  fromMs?: number | undefined
  toMs?: number | undefined
  /** Captures at these offsets, by the name of their file, and no others. */
  places?: ReadonlyMap<string, ReadonlySet<number>> | undefined
}

/** The fields of a record that are examined. */
export interface Dated {
  url: string | undefined
  date: string
}

/** Whether anything is left out. */
export function isNarrowed({ url, fromMs, toMs, places }: Narrowing): boolean {
  return url !== undefined || fromMs !== undefined || toMs !== undefined || places !== undefined
}

/** Makes a function that tells whether a record's own URL and date belong to the selection. A record without a
 *  readable URL or date does not belong to a selection narrowed by it. */
export function selector({ url, fromMs = -Infinity, toMs = Infinity }: Narrowing): (record: Dated) => boolean {
  const under = url === undefined ? () => true : underUrl(url)
  const isTimed = fromMs !== -Infinity || toMs !== Infinity
  return (record) => {
    if (isTimed) {
      const dateMs = parseTimestamp(record.date)
      if (dateMs === undefined || dateMs < fromMs || dateMs > toMs) return false
    }
    return url === undefined || (record.url !== undefined && under(record.url))
  }
}

/** Returns why nothing can be selected by this text; undefined when something can. */
export function urlProblem(url: string): Message | undefined {
  const { host } = partsOf(url)
  if (host === '' || /[\s<>"]/.test(url)) return message('export.url', { url })
  return undefined
}

/** Makes a function that tells whether a URL belongs to the site or part of a site. */
function underUrl(url: string): (candidate: string) => boolean {
  const { domain, host, scheme } = partsOf(url)
  if (scheme !== '') {
    // `urn:`, `dns:` and the like have no hosts: their prefix is compared.
    const beginning = surt(url)
    return (candidate) => surt(candidate).startsWith(beginning)
  }
  if (domain) {
    const labels = surt(`http://${host}`).replace(/\).*$/s, '')
    return (candidate) => {
      const key = surt(candidate)
      return key.startsWith(labels) && /^[,):]/.test(key.slice(labels.length)) && hasHost(candidate)
    }
  }
  // Without a scheme `localhost:8080` would be parsed as one.
  const prefix = surt(/^[a-z]+:\/\//i.test(url) ? url : `http://${url}`)
  // A path must end at a segment, a query at a parameter.
  const next = prefix.endsWith('/') ? /^/ : prefix.includes('?') ? /^(&|$)/ : /^([/?]|$)/
  return (candidate) => {
    const key = surt(candidate)
    return key.startsWith(prefix) && next.test(key.slice(prefix.length)) && hasHost(candidate)
  }
}

/** `metadata://example.org/…` has the key of `http://example.org/…` and is not part of that site. */
function hasHost(url: string): boolean {
  return /^(https?|ftp|wss?):\/\//i.test(url)
}

/** Splits the text into its parts; `scheme` is set only for URLs without a host. */
function partsOf(url: string): { domain: boolean; host: string; scheme: string } {
  const scheme = /^(?!(?:https?|ftp|wss?):)([a-z][a-z0-9+.-]*:)(?!\d+(?:\/|$))/i.exec(url)?.[1] ?? ''
  const [, star = '', host = ''] = /^(?:[a-z]+:\/\/)?(?:[^/?#]*@)?(\*\.)?([^/?#]*)/i.exec(url) ?? []
  return { domain: star !== '', host: scheme === '' ? host : url.slice(scheme.length), scheme }
}
