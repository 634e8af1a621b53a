/** The verbs `loupe search [build|list|drop]`. */
import { Fault } from '../../../contract/calls/faults.ts'
import type { FoundUrls, SearchFound, SearchMode, SearchResult, UrlMatch } from '../../../contract/services/search.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'
import { momentText, plainText, table } from '../output/output.ts'
import { unlessStopped, type Command, type ExitCode } from '../session/command.ts'
import { exportJobs } from './export.ts'

export interface SearchOptions {
  jobs?: number[]
  limit?: number
  offset?: number
  facets?: boolean
}

export async function find(command: Command, query: string, options: SearchOptions): Promise<ExitCode> {
  const { output } = command
  return command.withSession('looks', async ({ services }) => {
    const found = await unlessStopped(command.signal, services.search.find({ query, ...options }))
    for (const finding of found.findings) output.note(textOf(finding))
    output.result(found, () => foundText(found, options.offset ?? 0))
    if (found.suggestion !== null) output.note(textFor('cli.search.suggestion', { query: plainText(found.suggestion) }))
    if (found.total === 0 && (await services.search.status({})).contents === 0)
      output.note(textFor('cli.search.emptyIndex'))
    return 0
  })
}

/** Options of a search among URLs. */
export interface UrlOptions {
  url?: string | undefined
  match?: UrlMatch | undefined
  after?: string | undefined
  jobs?: number[] | undefined
  limit?: number | undefined
}

export async function findUrls(command: Command, options: UrlOptions & { url: string }): Promise<ExitCode> {
  const { output } = command
  return command.withSession('looks', async ({ services }) => {
    const found = await unlessStopped(command.signal, services.search.urls({ ...options, untilWhole: true }))
    output.result(found, () => urlsText(found))
    if (found.filesMissing > 0) output.note(textFor('cli.search.urls.missing', { files: found.filesMissing }))
    if (found.next !== null) output.note(textFor('cli.search.urls.more', { key: plainText(found.next) }))
    return 0
  })
}

/** A search whose matches are exported. */
export interface MatchesOptions {
  mode: SearchMode
  query: string
  match: UrlMatch | undefined
  /** Absent: the whole archive. */
  jobs: number[] | undefined
  path: string
}

/** The end of the name decides the format. */
const formatOfEnd = { '.wacz': 'wacz', '.warc.gz': 'warc' } as const

/** Exports the captures that match, with what their pages need. */
export async function exportMatches(
  command: Command,
  { mode, query, match = 'prefix', jobs = [], path }: MatchesOptions,
): Promise<ExitCode> {
  const [, format] = Object.entries(formatOfEnd).find(([end]) => path.endsWith(end)) ?? []
  if (format === undefined) throw new Fault('badInput', message('cli.search.export.name', { path }))
  if (query.trim() === '') throw new Fault('badInput', message('search.query.empty'))
  const matching = { mode, query, match }
  const selection = { jobs, files: [], all: jobs.length === 0 }
  return exportJobs(command, { ...selection, format, path, matching, withOriginals: true, sign: false })
}

function urlsText({ urls }: FoundUrls): string {
  if (urls.length === 0) return textFor('cli.search.urls.none')
  const rows = urls.map(({ url, captures, hasMoreCaptures, first, last, status }) => {
    const times = [momentText(first, ''), momentText(last, '')]
    return [plainText(url), `${captures}${hasMoreCaptures ? '+' : ''}`, ...times, status ?? '']
  })
  return table(['url', '>captures', 'firstCaptured', 'lastCaptured', '>status'], rows)
}

function foundText({ total, results, facets }: SearchFound, offset: number): string {
  const shown = results.length
  const numbers = { total, shown, from: offset + 1, to: offset + shown }
  const counted = facets === null || total === 0 ? [] : [facetText(facets)]
  return [...results.map(resultText), ...counted, textFor('cli.search.total', numbers)].join('\n\n')
}

function resultText({ title, url, snippet, time, job, mediaType, captures, urls }: SearchResult): string {
  const moment = momentText(time, '')
  const place =
    job === null
      ? textFor('cli.search.place.noJob', { time: moment, mediaType })
      : textFor('cli.search.place', { time: moment, job, mediaType })
  const lines = [
    ...(title === '' ? [] : [title]),
    url,
    snippet.map(({ text }) => text).join(''),
    captures === 1 ? place : `${place} · ${textFor('cli.search.more', { captures, urls })}`,
  ]
  // Archived text may hold control characters of terminals.
  return lines.map(plainText).join('\n')
}

/** Values of a facet that are printed. */
const facetValuesMax = 10

function facetText(facets: NonNullable<SearchFound['facets']>): string {
  const rows = Object.entries(facets).flatMap(([facet, counts]) =>
    counts.slice(0, facetValuesMax).map(({ value, count }) => [facet, plainText(value), count]),
  )
  return table(['field', 'value', '>documents'], rows)
}

export async function build(command: Command, { jobs }: { jobs: number[] }): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const built = await unlessStopped(command.signal, services.search.build({ jobs }))
    const { files, documents, unreadable, filesMissing } = built
    command.output.result(built, () => textFor('cli.search.built', { files, documents, unreadable }))
    for (const { name, reason } of filesMissing)
      command.output.note(textFor('cli.dedup.fileMissing', { name, reason: textOf(reason) }))
    return filesMissing.length > 0 ? 1 : 0
  })
}

export async function listJobs(command: Command): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const status = await services.search.status({})
    command.output.result(status, () =>
      status.jobs.length === 0
        ? textFor('cli.search.emptyIndex')
        : table(
            ['>job', '>captures', '>withoutContent', '>files', '>outdated'],
            status.jobs.map(({ job, captures, capturesWithoutContent, files, filesOutdated }) => [
              ...[job ?? '', captures, capturesWithoutContent, files, filesOutdated],
            ]),
          ),
    )
    return 0
  })
}

export async function drop(command: Command, { jobs }: { jobs: number[] }): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const dropped = await services.search.drop({ jobs })
    command.output.result(dropped, () => textFor('cli.search.dropped', dropped))
    return 0
  })
}
