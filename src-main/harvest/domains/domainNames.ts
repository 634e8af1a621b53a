/** Names of domains as users write them. */
import { message, type Message } from '../../contract/words/message.ts'
import { registeredDomain } from '../../formats/links/registeredDomain.ts'

/** Returns the registered domain of a domain, host or URL; undefined if the text is none. */
export function domainIn(text: string): string | undefined {
  const written = text.trim()
  if (written === '' || /\s/.test(written)) return undefined
  const host = URL.parse(written.includes('://') ? written : `http://${written}`)?.hostname
  if (!host || !/^[a-z0-9.-]+$|^\[[0-9a-f:.]+\]$/.test(host)) return undefined
  return registeredDomain(host)
}

/** A line that is no domain. */
export interface RefusedLine {
  /** From 1. */
  line: number
  text: string
  problem: Message
}

/** Characters of a refused line that are shown. */
const shownCharactersMax = 200

/** Reads a list with one domain per line. Blank lines and lines that begin with # are none. Returns each domain once. */
export function domainsIn(text: string): { domains: string[]; repeated: number; refused: RefusedLine[] } {
  const domains = new Set<string>()
  const refused: RefusedLine[] = []
  let repeated = 0
  text.split(/\r?\n/).forEach((written, at) => {
    const line = written.trim()
    if (line === '' || line.startsWith('#')) return
    const domain = domainIn(line)
    if (domain === undefined) {
      const problem = message('domain.invalid', { text: line.slice(0, shownCharactersMax) })
      refused.push({ line: at + 1, text: line.slice(0, shownCharactersMax), problem })
    } else if (domains.has(domain)) repeated += 1
    else domains.add(domain)
  })
  return { domains: [...domains], repeated, refused }
}
