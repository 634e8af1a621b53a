/**
 * Explanations for the user why the present view has no capture of an address, both for the list of missing addresses and for a single one.
 * A harvested job knows the outcome of each address that it found; for an imported job its crawl log is used, if it has one, and for a
 * deleted job the crawl log in its metadata file. Nothing is known about files that belong to no job.
 */
import { textOf } from '../../contract/words/render.ts'
import type { Jobs } from '../../crawl/crawl.ts'
import { fateOf } from '../../formats/logs/fetchStatus.ts'
import type { Indexes, LoggedFate, UrlInLogs, Source } from '../../indexes/indexes.ts'

export interface WhyMissingParts {
  jobs: Pick<Jobs, 'whyMissing' | 'known'>
  indexes: Pick<Indexes, 'crawlLogs'>
}

/** A request that the archive could not answer. */
export interface Missed {
  url: string
  method: string
}

/**
 * Explains each address, in the given order. `viewed` are the sources that were searched; of several jobs, the first that knows the address
 * gives the reason.
 */
export async function whyMissing(
  { jobs, indexes }: WhyMissingParts,
  viewed: readonly Source[],
  missed: readonly Missed[],
): Promise<string[]> {
  const misses = missed.map(({ url, method }) => ({ url, words: refusedText(method), silent: [] as Silence[] }))
  const withLogs = logsToRead({ jobs }, viewed)
  const logs = await indexes.crawlLogs([...withLogs.values()])

  async function saidBy(source: Source, urls: readonly string[]): Promise<Said[]> {
    if (source === null) return urls.map(() => ({ kind: 'noJob' }))
    const asked = withLogs.get(source)
    if (asked === undefined) return urls.map((url) => ownWords(jobs.whyMissing(source, url)))
    return (await logs.lookUp(source, urls)).map((said) => (asked.isDeleted ? ofDeleted(said) : said))
  }

  try {
    for (const source of viewed) {
      const open = misses.filter(({ words }) => words === undefined)
      const said = await saidBy(
        source,
        open.map(({ url }) => url),
      )
      for (const [at, each] of open.entries()) {
        const one = said[at]
        if (one?.kind === 'words') each.words = one.words
        else if (one?.kind === 'line') each.words = lineText(one.line, each.url)
        else if (one) each.silent.push({ source, said: one })
      }
      // A view may cover the whole archive: other calls are answered between two jobs.
      await new Promise((others) => setImmediate(others))
    }
  } finally {
    logs.close()
  }
  return misses.map(({ words, silent }) => words ?? silentText(silent))
}

function refusedText(method: string): string | undefined {
  return method === 'GET' || method === 'HEAD' ? undefined : `asked with ${method}, which is not harvested`
}

/** Sources whose only information is a crawl log: imported jobs and deleted jobs. */
function logsToRead({ jobs }: Pick<WhyMissingParts, 'jobs'>, viewed: readonly Source[]) {
  const read = new Map<number, { job: number; isDeleted: boolean }>()
  for (const job of viewed) {
    const known = job === null ? undefined : jobs.known(job)
    if (job !== null && known?.kind !== 'event') read.set(job, { job, isDeleted: known === undefined })
  }
  return read
}

/** Why a source knows nothing about the URL. */
type Silent =
  | Exclude<UrlInLogs, { kind: 'line' }>
  | { kind: 'neverFound' }
  | { kind: 'noJob' }
  | { kind: 'deleted'; filesUnread: string[] }
type Said = Silent | Extract<UrlInLogs, { kind: 'line' }> | { kind: 'words'; words: string }

interface Silence {
  source: Source
  said: Silent
}

function ownWords(words: string | undefined): Said {
  return words === undefined ? { kind: 'neverFound' } : { kind: 'words', words }
}

function ofDeleted(said: UrlInLogs): Said {
  return said.kind === 'noLog' ? { kind: 'deleted', filesUnread: said.filesUnread } : said
}

function lineText(line: LoggedFate, asked: string): string {
  const { outcome, message } = fateOf(line)
  const text = textOf(message)
  const evidence = [
    `status ${line.status}`,
    ...(line.loggedMs === undefined ? [] : [`${new Date(line.loggedMs).toISOString().slice(0, 19)}Z`]),
    ...(line.url === asked ? [] : [`of ${line.url}`]),
    ...foundText(line),
  ]
  return `${outcomeText[outcome]}${text}${outcome === 'fetched' ? ', but its capture is not in this view' : ''} (its crawl log: ${evidence.join(', ')})`
}

const outcomeText = { fetched: 'fetched: ', failed: 'failed: ', excluded: 'not fetched: ' } as const

function foundText({ via, hopPath }: LoggedFate): string[] {
  if (via === undefined) return hopPath === '' ? ['a seed'] : []
  return [`${hopText[hopPath.at(-1) ?? ''] ?? 'found on'} ${via}`]
}

/** Letters of a discovery path, the same as Heritrix uses. */
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

/** Combines jobs with the same reason into one phrase. */
function silentText(silent: readonly Silence[]): string {
  const groups = [...Map.groupBy(silent, ({ said }) => JSON.stringify(said)).values()]
  const texts = groups.flatMap((alike) => {
    const [first] = alike
    const jobs = alike.flatMap(({ source }) => source ?? [])
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
    case 'deleted':
      return said.filesUnread.length > 0
        ? `whether a crawl log of ${which}, now deleted, is archived is not known: ${firstOf(said.filesUnread)} cannot be read`
        : `${which} ${isMany ? 'were' : 'was'} deleted, and no crawl log of ${isMany ? 'them' : 'it'} is archived`
    case 'noJob':
      return 'not known: files without a job come with no list of what their harvest tried'
    case 'reading':
      return `the crawl log of ${which} is still being read: look again in a moment`
    case 'failed':
      return `the crawl log of ${which} could not be read: ${said.why}`
  }
}

function lackText({ linesUnread, filesUnread }: Extract<UrlInLogs, { kind: 'unnamed' }>): string {
  const lacks = [
    ...(linesUnread > 0 ? [`${linesUnread} of its lines ${linesUnread === 1 ? 'is' : 'are'} none`] : []),
    ...(filesUnread.length > 0 ? [`${firstOf(filesUnread)} cannot be read to the end`] : []),
  ]
  return lacks.length === 0 ? '' : `, but ${lacks.join(', and ')}`
}

/** Number of jobs named; users would not read more. */
const namedMax = 3

function firstOf(names: readonly string[]): string {
  const more = names.length - namedMax
  return names.slice(0, namedMax).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
