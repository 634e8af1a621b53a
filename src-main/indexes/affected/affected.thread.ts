/** Reads the index lines of one archive file, then those of others until all payloads were found again or time is up. */
import { isCdxjHeader } from '../../formats/cdx/canonicaliser.ts'
import { answeringTypes, type Capture } from '../../formats/cdx/capture.ts'
import { parseCdxjLine } from '../../formats/cdx/cdxj.ts'
import { registeredDomain } from '../../formats/links/registeredDomain.ts'
import { linesOf } from '../../files/disk/lineFile.ts'
import type { Task, World } from '../../world/world.ts'
import { domainsMax, payloadsMax } from '../model/limits.ts'

/** The index lines to compare. */
export interface AffectedInput {
  /** Path of the file's lines, and paths of those of other readable files. */
  lines: string
  others: readonly string[]
  /** Time limit on the monotonic clock of `world`. */
  untilMs: number
}

/** What would be lost with the file, as far as it was counted. */
export interface AffectedOutcome {
  captures: number
  /** Captures with a payload digest of their own. For the others it is unknown whether the payload exists in another file. */
  withPayload: number
  /** Captures whose payload exists in another file too. */
  elsewhere: number
  /** Sorted by number of captures, descending. */
  domains: { domain: string; captures: number }[]
  domainsTotal: number
  /** Number of other files that were read. */
  othersRead: number
  /** Neither the time limit nor a memory limit was reached: the numbers are exact. */
  isComplete: boolean
}

export const task: Task<AffectedInput, AffectedOutcome> = async ({ world, signal }, { lines, others, untilMs }) => {
  const own = await readOwn(world, lines, signal)
  const lost = own.payloads
  let [elsewhere, othersRead] = [0, 0]
  for (const other of others) {
    if (lost.size === 0 || world.clock.elapsed() >= untilMs) break
    await eachCapture(world, other, signal, ({ payloadDigest, recordType }) => {
      // A revisit refers to a payload that it does not contain.
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
    /** Number of captures per payload. */
    payloads: new Map<string, number>(),
    isComplete: true,
  }
  await eachCapture(world, path, signal, ({ url, payloadDigest, recordType }) => {
    own.captures += 1
    const domain = domainOf(url)
    const captures = own.domains.get(domain)
    if (captures !== undefined || own.domains.size < domainsMax) own.domains.set(domain, (captures ?? 0) + 1)
    else own.isComplete = false
    if (recordType === 'revisit' || payloadDigest === '') return
    own.withPayload += 1
    const known = own.payloads.get(payloadDigest)
    if (known !== undefined || own.payloads.size < payloadsMax) own.payloads.set(payloadDigest, (known ?? 0) + 1)
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
