/** Why what is viewed has no capture of an address, in a person's words: the one place, for the list of what is missing and for an
 *  explanation. A harvested job knows what became of each address that it found; of an imported one its crawl log says so, where it
 *  brought one along. */
import type { Jobs } from '../crawl/crawl.ts'
import type { CrawlLogLine } from '../formats/logs/crawlLog.ts'
import { fateOf } from '../formats/logs/fetchStatus.ts'
import type { Indexes, SaidOfUrl } from '../indexes/indexes.ts'

export interface WhyMissingParts {
  jobs: Pick<Jobs, 'whyMissing' | 'known'>
  indexes: Pick<Indexes, 'crawlLogs'>
}

export interface Missed {
  url: string
  method: string
}

/** Of each, in their order. `viewed`: the jobs that were looked at; of several the first that knows something of an address speaks. */
export async function whyMissing(
  { jobs, indexes }: WhyMissingParts,
  viewed: readonly number[],
  missed: readonly Missed[],
): Promise<string[]> {
  const misses = missed.map(({ url, method }) => ({ url, words: refusedText(method), silent: [] as Silence[] }))
  const imported = new Set(viewed.filter((job) => jobs.known(job)?.kind === 'import'))
  const logs = await indexes.crawlLogs([...imported])
  try {
    for (const job of viewed) {
      const open = misses.filter(({ words }) => words === undefined)
      const urls = open.map(({ url }) => url)
      const said = imported.has(job)
        ? await logs.said(job, urls)
        : urls.map((url) => ownWords(jobs.whyMissing(job, url)))
      for (const [at, each] of open.entries()) {
        const one = said[at]
        if (one?.kind === 'words') each.words = one.words
        else if (one?.kind === 'line') each.words = lineText(one.line, each.url)
        else if (one) each.silent.push({ job, said: one })
      }
    }
  } finally {
    logs.close()
  }
  return misses.map(({ words, silent }) => words ?? silentText(silent))
}

function refusedText(method: string): string | undefined {
  return method === 'GET' || method === 'HEAD' ? undefined : `asked with ${method}, which is not harvested`
}

/** Who knows nothing of the address, and why. */
type Silent = Exclude<SaidOfUrl, { kind: 'line' }> | { kind: 'neverFound' }

interface Silence {
  job: number
  said: Silent
}

function ownWords(words: string | undefined): { kind: 'words'; words: string } | { kind: 'neverFound' } {
  return words === undefined ? { kind: 'neverFound' } : { kind: 'words', words }
}

function lineText(line: CrawlLogLine, asked: string): string {
  const { outcome, text } = fateOf(line)
  const evidence = [
    `status ${line.status}`,
    ...(line.loggedMs === undefined ? [] : [`${new Date(line.loggedMs).toISOString().slice(0, 19)}Z`]),
    ...(line.url === asked ? [] : [`of ${line.url}`]),
    ...foundText(line),
  ]
  return `${outcomeText[outcome]}${text}${outcome === 'fetched' ? ', but its capture is not in this view' : ''} (its crawl log: ${evidence.join(', ')})`
}

const outcomeText = { fetched: 'fetched: ', failed: 'failed: ', excluded: 'not fetched: ' } as const

function foundText({ via, hopPath }: CrawlLogLine): string[] {
  if (via === undefined) return hopPath === '' ? ['a seed'] : []
  return [`${hopText[hopPath.at(-1) ?? ''] ?? 'found on'} ${via}`]
}

/** The letters of Heritrix, which ours are too. */
const hopText: Readonly<Record<string, string>> = {
  L: 'a link on',
  E: 'a part of',
  X: 'guessed from',
  R: 'redirected to from',
  P: 'needed for',
  I: 'inferred from',
  S: 'a form on',
  M: 'listed in',
}

/** What is the same of several jobs is said once. */
function silentText(silent: readonly Silence[]): string {
  const groups = [...Map.groupBy(silent, ({ said }) => JSON.stringify(said)).values()]
  const texts = groups.flatMap((alike) => {
    const [first] = alike
    const jobs = alike.map(({ job }) => job)
    return first ? [wordsOf(first.said, { isMany: jobs.length > 1, which: whichText(jobs, groups.length === 1) })] : []
  })
  return texts.join('; ')
}

function whichText(jobs: readonly number[], areAll: boolean): string {
  const isMany = jobs.length > 1
  if (areAll) return isMany ? 'these jobs' : 'this job'
  return `${isMany ? 'jobs' : 'job'} ${firstOf(jobs.map(String))}`
}

function wordsOf(said: Silent, { which, isMany }: { which: string; isMany: boolean }): string {
  switch (said.kind) {
    case 'neverFound':
      return `never found by ${which}: no page that was fetched links to it in a way that is read`
    case 'unnamed':
      return `never queued: the crawl log of ${which} does not name it${lackText(said)}`
    case 'noLog':
      return said.filesUnread.length > 0
        ? `whether ${which} brought a crawl log along is not known: ${firstOf(said.filesUnread)} cannot be read`
        : `${which} ${isMany ? 'were' : 'was'} imported without a crawl log, which would say why`
    case 'reading':
      return `the crawl log of ${which} is still being read: look again in a moment`
    case 'failed':
      return `the crawl log of ${which} could not be read: ${said.why}`
  }
}

function lackText({ linesUnread, filesUnread }: Extract<SaidOfUrl, { kind: 'unnamed' }>): string {
  const lacks = [
    ...(linesUnread > 0 ? [`${linesUnread} of its lines ${linesUnread === 1 ? 'is' : 'are'} none`] : []),
    ...(filesUnread.length > 0 ? [`${firstOf(filesUnread)} cannot be read to the end`] : []),
  ]
  return lacks.length === 0 ? '' : `, but ${lacks.join(', and ')}`
}

/** To be named: more would not be read. */
const namedMax = 3

function firstOf(names: readonly string[]): string {
  const more = names.length - namedMax
  return names.slice(0, namedMax).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
