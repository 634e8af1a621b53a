/** Reads the index lines of one archive file, then those of others until every payload was met again or the time is up. */
import { isCdxjHeader } from '../../formats/cdx/canonicaliser.ts'
import { answeringTypes, type Capture } from '../../formats/cdx/capture.ts'
import { parseCdxjLine } from '../../formats/cdx/cdxj.ts'
import { registeredDomain } from '../../formats/links/registeredDomain.ts'
import { linesOf } from '../../files/disk/lineFile.ts'
import type { Task, World } from '../../world/world.ts'
import { domainsCountMax, payloadsCountMax } from '../model/limits.ts'

export interface AffectedInput {
  /** The lines of the file, and of others that can still be read. */
  lines: string
  others: readonly string[]
  /** On the monotonic clock of the world. */
  untilMs: number
}

export interface AffectedOutcome {
  captures: number
  /** Those of them that have a payload of their own and say which: of the others nobody can say whether it is elsewhere. */
  withPayload: number
  /** Of those with a payload, how many have it in another file too. */
  elsewhere: number
  /** By captures, most first. */
  domains: { domain: string; captures: number }[]
  domainsTotal: number
  /** Other files that were looked into. */
  othersRead: number
  /** The time was enough, and so was the memory: nothing is left out of these numbers. */
  isComplete: boolean
}

export const task: Task<AffectedInput, AffectedOutcome> = async ({ world, signal }, { lines, others, untilMs }) => {
  const own = await readOwn(world, lines, signal)
  const lost = own.payloads
  let [elsewhere, othersRead] = [0, 0]
  for (const other of others) {
    if (lost.size === 0 || world.clock.elapsed() >= untilMs) break
    await eachCapture(world, other, signal, ({ payloadDigest, recordType }) => {
      // A revisit names a payload that it does not hold.
      const captures = recordType === 'revisit' ? undefined : lost.get(payloadDigest)
      if (captures === undefined) return
      elsewhere += captures
      lost.delete(payloadDigest)
    })
    othersRead += 1
  }
  const domains = [...own.domains].map(([domain, captures]) => ({ domain, captures }))
  return {
    captures: own.captures,
    withPayload: own.withPayload,
    elsewhere,
    domains: domains.toSorted((a, b) => b.captures - a.captures || (a.domain < b.domain ? -1 : 1)),
    domainsTotal: own.domains.size,
    othersRead,
    isComplete: own.isComplete && (lost.size === 0 || othersRead === others.length),
  }
}

async function readOwn(world: World, path: string, signal: AbortSignal) {
  const own = {
    captures: 0,
    withPayload: 0,
    domains: new Map<string, number>(),
    /** How many captures each payload has. */
    payloads: new Map<string, number>(),
    isComplete: true,
  }
  await eachCapture(world, path, signal, ({ url, payloadDigest, recordType }) => {
    own.captures += 1
    const domain = domainOf(url)
    const captures = own.domains.get(domain)
    if (captures !== undefined || own.domains.size < domainsCountMax) own.domains.set(domain, (captures ?? 0) + 1)
    else own.isComplete = false
    if (recordType === 'revisit' || payloadDigest === '') return
    own.withPayload += 1
    const known = own.payloads.get(payloadDigest)
    if (known !== undefined || own.payloads.size < payloadsCountMax) own.payloads.set(payloadDigest, (known ?? 0) + 1)
    else own.isComplete = false
  })
  return own
}

async function eachCapture(world: World, path: string, signal: AbortSignal, take: (capture: Capture) => void) {
  const file = await world.disk.openRead(path)
  try {
    for await (const lines of linesOf(file)) {
      signal.throwIfAborted()
      for (const line of lines) {
        const capture = isCdxjHeader(line) ? undefined : parseCdxjLine(line)
        if (capture && answers(capture)) take(capture)
      }
    }
  } finally {
    await file.close()
  }
}

const answering: ReadonlySet<string> = new Set(answeringTypes)

function answers({ recordType }: Capture): boolean {
  return answering.has(recordType)
}

function domainOf(url: string): string {
  return URL.canParse(url) ? registeredDomain(new URL(url).hostname) || 'no host' : 'no host'
}
