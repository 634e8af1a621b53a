/** Places of the interface as addresses in the fragment, so that back, forward and bookmarks work in both shells. */
import { planHref, planRouteOf, type PlanRoute } from './planRoutes.ts'

/** The tabs of the archive; the first is shown by default. */
export const archiveTabs = [
  'replicas',
  'files',
  'repair',
  'attic',
  'backups',
  'audit',
  'report',
  'deduplication',
  'growth',
  'batch',
] as const
export type ArchiveTab = (typeof archiveTabs)[number]

/** The tabs of a job; the first is shown by default. */
export const jobTabs = ['results', 'urls', 'files', 'log', 'definition'] as const
export type JobTab = (typeof jobTabs)[number]

/** The tabs of the harvests; the first is shown by default. */
export const harvestTabs = ['harvests', 'domains', 'schedules', 'templates', 'traps', 'jobs', 'statistics'] as const
export type HarvestTab = (typeof harvestTabs)[number]

/** The tabs of access; the first is shown by default. */
export const accessTabs = ['accounts', 'sessions', 'authorities', 'rules', 'user'] as const
export type AccessTab = (typeof accessTabs)[number]

export type Route =
  | { place: 'start' }
  /** `filter`: the filters of the tab, as a query. */
  | { place: 'harvests'; tab: HarvestTab; filter?: string }
  /** One harvest definition, by its number. */
  | { place: 'harvest'; harvest: number }
  | { place: 'domain'; domain: string }
  | { place: 'template'; template: string }
  | { place: 'jobs' }
  /** `tab` absent: the first. */
  | { place: 'job'; job: number; tab?: JobTab }
  /** The jobs and files to view; `url` is the page to open first, `at` the time of the view (ISO 8601; absent: the newest captures).
   *  `overlays`: false leaves out the overlays of the jobs. */
  | { place: 'viewer'; jobs: number[]; files?: string[]; all?: true; url?: string; at?: string; overlays?: false }
  /** Jobs whose missing URLs are shown; none: the jobs that have any. */
  | { place: 'missing'; jobs: number[] }
  /** The page audits of a job; `audit` absent: the newest. */
  | { place: 'pageAudits'; job: number; audit?: number }
  /** `filter`: the query and where it searches, in the format of `searchPlace.ts`. */
  | { place: 'search'; filter?: string }
  /** The record of a job's capture of a URL, in whichever file it is. */
  | { place: 'capture'; job: number; url: string }
  /** `filter`: the filters of the file list, in the format of `fileFilter.ts`, or of the growth, in that of `growthDraft.ts`. */
  | { place: 'archive'; tab: ArchiveTab; filter?: string }
  /** One file of the archive, with its copies and its history. */
  | { place: 'file'; file: string }
  /** The repair of one copy. */
  | { place: 'repair'; file: string; replica: string }
  /** A record of a file of the archive; `offset` null means the first. Records that share an offset are distinguished by their number. */
  | { place: 'record'; file: string; offset: number | null; number: number | null }
  /** `filter`: the report and its jobs, in the format of `historyDraft.ts`. */
  | { place: 'history'; filter?: string }
  | { place: 'schedule' }
  | PlanRoute
  /** Accounts, authorities and security rules. */
  | { place: 'access'; tab: AccessTab }
  | { place: 'system' }
  /** `setting`: the setting to show. */
  | { place: 'settings'; setting?: string }

export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [place, argument, further] = path.split('/')
  switch (place) {
    case 'jobs': {
      const job = idOf(argument)
      if (job === undefined) return { place: 'jobs' }
      const url = further === 'capture' ? new URLSearchParams(query).get('url') : null
      return url === null ? inJob(job, further) : { place: 'capture', job, url }
    }
    case 'harvests':
      return inHarvests(argument, further ?? '', query)
    case 'viewer': {
      const asked = new URLSearchParams(query)
      const jobs = idsOf(asked.get('jobs'))
      const files = asked.getAll('file')
      const [url, at] = [asked.get('url'), timeOf(asked.get('at'))]
      return {
        ...{ place: 'viewer', jobs },
        ...(files.length > 0 && { files }),
        ...(asked.get('all') === 'true' && { all: true }),
        ...(at !== undefined && { at }),
        ...(asked.get('overlays') === 'off' && { overlays: false }),
        ...(url !== null && { url }),
      }
    }
    case 'missing':
      return { place: 'missing', jobs: idsOf(new URLSearchParams(query).get('jobs')) }
    case 'pageAudits':
      return pageAuditsOf(idOf(argument), idOf(further))
    case 'search':
      return query === '' ? { place: 'search' } : { place: 'search', filter: query }
    case 'archive':
      return inArchive(argument, further ?? '', query)
    case 'files':
      return recordIn(argument, new URLSearchParams(query))
    case 'history':
      return query === '' ? { place: 'history' } : { place: 'history', filter: query }
    case 'schedule':
      return { place: 'schedule' }
    case 'plans':
      return planRouteOf(decoded(argument ?? '') || (argument ?? ''), further, query)
    case 'newPlan':
      return { place: 'newPlan' }
    case 'access':
      return { place: 'access', tab: accessTabs.find((known) => known === argument) ?? accessTabs[0] }
    case 'system':
      return { place: 'system' }
    case 'settings':
      return argument ? { place: 'settings', setting: decoded(argument) } : { place: 'settings' }
    default:
      return { place: 'start' }
  }
}

export function hrefOf(route: Route): string {
  switch (route.place) {
    case 'start':
      return '#/'
    case 'job':
      return route.tab === undefined || route.tab === jobTabs[0]
        ? `#/jobs/${route.job}`
        : `#/jobs/${route.job}/${route.tab}`
    case 'harvests':
      return harvestsHref(route)
    case 'harvest':
      return `#/harvests/${route.harvest}`
    case 'domain':
      return `#/harvests/domains/${encodeURIComponent(route.domain)}`
    case 'template':
      return `#/harvests/templates/${encodeURIComponent(route.template)}`
    case 'viewer':
      return viewerHref(route)
    case 'missing':
      return route.jobs.length === 0 ? '#/missing' : `#/missing?jobs=${route.jobs.join(',')}`
    case 'pageAudits':
      return `#/pageAudits/${route.job}${route.audit === undefined ? '' : `/${route.audit}`}`
    case 'capture':
      return `#/jobs/${route.job}/capture${urlQuery('?', route.url)}`
    case 'history':
      return route.filter ? `#/history?${route.filter}` : '#/history'
    case 'search':
      return route.filter ? `#/search?${route.filter}` : '#/search'
    case 'archive':
      if (route.tab === archiveTabs[0]) return '#/archive'
      return route.filter ? `#/archive/${route.tab}?${route.filter}` : `#/archive/${route.tab}`
    case 'file':
      return `#/archive/files/${encodeURIComponent(route.file)}`
    case 'repair':
      return `#/archive/repair/${encodeURIComponent(route.file)}?replica=${encodeURIComponent(route.replica)}`
    case 'plan':
    case 'planEditor':
      return planHref(route)
    case 'record':
      return `#/files/${encodeURIComponent(route.file)}${queryOf(route)}`
    case 'access':
      return route.tab === accessTabs[0] ? '#/access' : `#/access/${route.tab}`
    case 'settings':
      return route.setting === undefined ? '#/settings' : `#/settings/${encodeURIComponent(route.setting)}`
    default:
      return `#/${route.place}`
  }
}

function harvestsHref({ tab, filter }: Extract<Route, { place: 'harvests' }>): string {
  const query = filter ? `?${filter}` : ''
  return tab === harvestTabs[0] && query === '' ? '#/harvests' : `#/harvests/${tab}${query}`
}

function viewerHref({ jobs, files = [], all, url, at, overlays }: Extract<Route, { place: 'viewer' }>): string {
  const selection = [
    ...(jobs.length > 0 ? [`jobs=${jobs.join(',')}`] : []),
    ...files.map((name) => `file=${encodeURIComponent(name)}`),
    ...(all ? ['all=true'] : []),
  ]
  if (selection.length === 0) return '#/viewer'
  const moment = at === undefined ? '' : `&at=${encodeURIComponent(at)}`
  return `#/viewer?${selection.join('&')}${moment}${overlays === false ? '&overlays=off' : ''}${urlQuery('&', url)}`
}

function urlQuery(before: '?' | '&', url: string | undefined): string {
  return url === undefined ? '' : `${before}url=${encodeURIComponent(url)}`
}

function inJob(job: number, part: string | undefined): Route {
  const tab = jobTabs.find((known) => known === part)
  return tab === undefined || tab === jobTabs[0] ? { place: 'job', job } : { place: 'job', job, tab }
}

function pageAuditsOf(job: number | undefined, audit: number | undefined): Route {
  if (job === undefined) return { place: 'jobs' }
  return { place: 'pageAudits', job, ...(audit !== undefined && { audit }) }
}

function inHarvests(part: string | undefined, name: string, query: string): Route {
  const harvest = idOf(part)
  if (harvest !== undefined) return { place: 'harvest', harvest }
  const tab = harvestTabs.find((known) => known === part) ?? harvestTabs[0]
  // A name that cannot be decoded is used as it is; the page says that there is nothing with this name.
  const named = decoded(name) || name
  if (tab === 'domains' && named !== '') return { place: 'domain', domain: named }
  if (tab === 'templates' && named !== '') return { place: 'template', template: named }
  return query === '' ? { place: 'harvests', tab } : { place: 'harvests', tab, filter: query }
}

function inArchive(part: string | undefined, name: string, query: string): Route {
  const tab = archiveTabs.find((known) => known === part) ?? archiveTabs[0]
  // A name that cannot be decoded is used as it is; the page of the file says that there is no such file.
  const file = decoded(name) || name
  const replica = new URLSearchParams(query).get('replica') ?? ''
  if (tab === 'repair' && file !== '' && replica !== '') return { place: 'repair', file, replica }
  if (tab !== 'files' && tab !== 'growth') return { place: 'archive', tab }
  if (tab === 'files' && file !== '') return { place: 'file', file }
  return query === '' ? { place: 'archive', tab } : { place: 'archive', tab, filter: query }
}

function recordIn(name: string | undefined, query: URLSearchParams): Route {
  const file = name === undefined ? '' : decoded(name)
  if (file === '') return { place: 'archive', tab: 'files' }
  const offset = query.get('offset') === '0' ? 0 : (idOf(query.get('offset') ?? undefined) ?? null)
  return {
    place: 'record',
    file,
    offset,
    number: offset === null ? null : (idOf(query.get('number') ?? undefined) ?? null),
  }
}

function queryOf({ offset, number }: Extract<Route, { place: 'record' }>): string {
  if (offset === null) return ''
  return number === null ? `?offset=${offset}` : `?offset=${offset}&number=${number}`
}

/** Empty when the text is not valid percent-encoding, since an address may be typed by hand. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return ''
    throw error
  }
}

/** `replace`: the window's history gets no entry for the place that is left. */
export function goTo(route: Route, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') window.location.hash = hrefOf(route)
  else window.location.replace(hrefOf(route))
}

/** Whether the current URL was just opened. False when the user returned to it through the window's history, or reloaded the window. The
 *  call marks the history entry, so only the first one returns true. */
export function isNewlyOpened(): boolean {
  const state: unknown = window.history.state
  if (typeof state === 'object' && state !== null && 'wasOpened' in state) return false
  window.history.replaceState({ wasOpened: true }, '')
  return true
}

/** A time in a URL, which may be typed by hand; undefined if it is none. */
function timeOf(text: string | null): string | undefined {
  return text === null || Number.isNaN(Date.parse(text)) ? undefined : new Date(text).toISOString()
}

/** Numbers separated by commas. */
function idsOf(text: string | null): number[] {
  return (text ?? '').split(',').flatMap((id) => idOf(id) ?? [])
}

function idOf(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}
