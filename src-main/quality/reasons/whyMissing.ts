/** Explanations for the user why the present view has no capture of a URL, both for the list of missing URLs and
 *  for a single one. A harvested job knows the outcome of each URL that it found; for an imported job its crawl
 *  log is used, if it has one, and for a deleted job the crawl log in its metadata file. Nothing is known about
 *  files that belong to no job. */

import type { Jobs } from '../../crawl/crawl.ts'
import { outcomeOfLine } from '../../formats/logs/fetchStatus.ts'
import { joined, listed } from '../../contract/words/joined.ts'
import { message, type Message, type MessageCode } from '../../contract/words/message.ts'
import type { Indexes, LoggedLine, UrlInLogs, Source } from '../../indexes/indexes.ts'

/** What the explanations are made from. */
export interface WhyMissingParts {
  jobs: Pick<Jobs, 'whyMissing' | 'known'>
  indexes: Pick<Indexes, 'crawlLogs'>
}

/** A request that the archive could not answer. */
export interface Missed {
  url: string
  method: string
}

/** Explains each URL, in the given order. `viewed` are the sources that were searched; of several jobs, the first
 *  that knows the URL gives the reason. */
export async function whyMissing(
  { jobs, indexes }: WhyMissingParts,
  viewed: readonly Source[],
  missed: readonly Missed[],
): Promise<Message[]> {
  const misses = missed.map(({ url, method }) => ({ url, known: refusedMessage(method), silent: [] as Silence[] }))
  const withLogs = logsToRead({ jobs }, viewed)
  const logs = await indexes.crawlLogs([...withLogs.values()])

  async function answersOf(source: Source, urls: readonly string[]): Promise<Answer[]> {
    if (source === null) return urls.map(() => ({ kind: 'noJob' }))
    const asked = withLogs.get(source)
    if (asked === undefined) return urls.map((url) => ownKnowledge(jobs.whyMissing(source, url)))
    return (await logs.lookUp(source, urls)).map((answer) => (asked.isDeleted ? ofDeleted(answer) : answer))
  }

  try {
    for (const source of viewed) {
      const open = misses.filter(({ known }) => known === undefined)
      const answers = await answersOf(
        source,
        open.map(({ url }) => url),
      )
      for (const [at, each] of open.entries()) {
        const answer = answers[at]
        if (answer?.kind === 'known') each.known = answer.message
        else if (answer?.kind === 'line') each.known = lineMessage(answer.line, each.url)
        else if (answer) each.silent.push({ source, reason: answer })
      }
      // A view may cover the whole archive: other calls are answered between two jobs.
      await new Promise((others) => setImmediate(others))
    }
  } finally {
    logs.close()
  }
  return misses.map(({ known, silent }) => known ?? silentMessage(silent))
}

function refusedMessage(method: string): Message | undefined {
  return method === 'GET' || method === 'HEAD' ? undefined : message('missing.method', { method })
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
/** What a source knows about the URL. */
type Answer = Silent | Extract<UrlInLogs, { kind: 'line' }> | { kind: 'known'; message: Message }

interface Silence {
  source: Source
  reason: Silent
}

function ownKnowledge(why: Message | undefined): Answer {
  return why === undefined ? { kind: 'neverFound' } : { kind: 'known', message: why }
}

function ofDeleted(answer: UrlInLogs): Answer {
  return answer.kind === 'noLog' ? { kind: 'deleted', filesUnread: answer.filesUnread } : answer
}

/** Describes the line of a crawl log. Its URL may differ from the requested one, but has the same key. */
function lineMessage(line: LoggedLine, asked: string): Message {
  const { outcome, message: reason } = outcomeOfLine(line)
  const facts = [
    message('missing.log.status', { status: line.status }),
    ...(line.loggedMs === undefined ? [] : [plain(`${new Date(line.loggedMs).toISOString().slice(0, 19)}Z`)]),
    ...(line.url === asked ? [] : [message('missing.log.url', { url: line.url })]),
    ...foundMessages(line),
  ]
  return message(lineCode[outcome], { reason, facts: listed(facts) })
}

const lineCode = {
  fetched: 'missing.log.fetched',
  failed: 'missing.log.failed',
  excluded: 'missing.log.excluded',
} as const

function foundMessages({ via, hopPath }: LoggedLine): Message[] {
  if (via === undefined) return hopPath === '' ? [message('missing.log.seed')] : []
  return [message(viaCode[hopPath.at(-1) ?? ''] ?? 'missing.via.other', { via })]
}

type ViaCode = Extract<MessageCode, `missing.via.${string}`>

/** By the last letter of the discovery path, with the letters of Heritrix. */
const viaCode: Readonly<Record<string, ViaCode>> = {
  L: 'missing.via.link',
  E: 'missing.via.embed',
  X: 'missing.via.guess',
  R: 'missing.via.redirect',
  P: 'missing.via.prerequisite',
  I: 'missing.via.inferred',
  S: 'missing.via.form',
  M: 'missing.via.sitemap',
}

/** Combines jobs with the same reason into one sentence. */
function silentMessage(silent: readonly Silence[]): Message {
  const groups = [...Map.groupBy(silent, ({ reason }) => JSON.stringify(reason)).values()]
  const sentences = groups.flatMap((alike) => {
    const [first] = alike
    const jobs = alike.flatMap(({ source }) => source ?? [])
    if (first === undefined) return []
    const named = first.reason.kind === 'deleted' ? deletedJobsMessage : jobsMessage
    return [silenceMessage(first.reason, named(jobs, groups.length === 1))]
  })
  // A view that was deleted meanwhile has no sources.
  return sentences.length === 0 ? plain('') : joined(sentences)
}

function jobsMessage(jobs: readonly number[], areAll: boolean): Message {
  const count = jobs.length
  return areAll
    ? message('missing.jobs.all', { count })
    : message('list.jobs', { count, jobs: firstOf(jobs.map(String)) })
}

function deletedJobsMessage(jobs: readonly number[], areAll: boolean): Message {
  const count = jobs.length
  return areAll
    ? message('missing.jobs.deleted.all', { count })
    : message('missing.jobs.deleted', { count, jobs: firstOf(jobs.map(String)) })
}

function silenceMessage(reason: Silent, jobs: Message): Message {
  switch (reason.kind) {
    case 'neverFound':
      return message('missing.neverFound', { jobs })
    case 'unnamed':
      return joined([message('missing.unnamed', { jobs }), ...unsearched(reason)])
    case 'noLog':
      return reason.filesUnread.length > 0
        ? message('missing.log.unread', { jobs, files: firstOf(reason.filesUnread) })
        : message('missing.noLog', { jobs })
    case 'deleted':
      return reason.filesUnread.length > 0
        ? message('missing.log.unread', { jobs, files: firstOf(reason.filesUnread) })
        : message('missing.deleted', { jobs })
    case 'noJob':
      return message('missing.noJob')
    case 'reading':
      return message('missing.reading', { jobs })
    case 'failed':
      return message('missing.failed', { jobs, problem: reason.why })
  }
}

/** Names the parts of the crawl log that could not be searched: the URL may be in them. */
function unsearched({ linesUnread, filesUnread }: Extract<UrlInLogs, { kind: 'unnamed' }>): Message[] {
  return [
    ...(linesUnread > 0 ? [message('missing.unnamed.lines', { count: linesUnread })] : []),
    ...(filesUnread.length > 0 ? [message('missing.unnamed.files', { files: firstOf(filesUnread) })] : []),
  ]
}

function plain(text: string): Message {
  return message('text', { text })
}

/** Number of jobs or files that are named; users would not read more. */
const namedMax = 3

function firstOf(all: readonly string[]): Message {
  const names = all.slice(0, namedMax).join(', ')
  const count = all.length - namedMax
  return count > 0 ? message('list.more', { names, count }) : plain(names)
}
