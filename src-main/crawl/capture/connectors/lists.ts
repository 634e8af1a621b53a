/** Connectors for lists: the pages that a sitemap or a feed lists are fetched with their embedded resources, and nothing beyond.
 *  The lists themselves are documents too; they are fetched like pages, with robots.txt and politeness applied. */
import { message } from '../../../contract/words/message.ts'
import type { RepositorySettings } from '../../../contract/services/connectors.ts'
import type { HarvestDefinition } from '../../../contract/services/definition.ts'
import { decodeContent, payloadOf } from '../../../formats/http/http.ts'
import { listEntries, type ListEntries, type ListEntry } from '../../../formats/links/listEntries.ts'
import { isGzip } from '../../../formats/packing/gzipMembers.ts'
import { contentTypeOf, linksOf } from '../fetch/outlinks.ts'
import type { DocumentToFetch } from '../../model/document.ts'
import { extractBytesMax, linksMax } from '../../model/limits.ts'
import type { EarlierCapture } from '../fetch/earlierCapture.ts'
import { judge, scopeOf, type Found, type Scope, type Verdict } from '../../model/scope.ts'
import type { RepositoryConnector } from './connector.ts'
import type { Outlink } from '../../model/outlink.ts'
import { outlinkTo, nameOfHosts, overHttp, seedsAs, web, webAddressOf } from './web.ts'

type Settings<Name extends RepositorySettings['connector']> = Extract<RepositorySettings, { connector: Name }>

/** Harvests the pages that sitemaps list. */
export const sitemap: RepositoryConnector = listConnector('sitemap', {
  // A sitemap lists all pages: one that is no longer listed has been removed from the site.
  model: 'ALL',
  outlinksIn: ({ entries }, { changedSince }: Settings<'sitemap'>) =>
    entries
      .filter((entry) => !isBefore(entry, changedSince))
      .flatMap((entry) => ({ ...outlinkOf(entry), ...versionOf(entry) })),
})

/** Harvests the pages that feeds list. */
export const feed: RepositoryConnector = listConnector('feed', {
  // A feed lists the newest entries: one that is no longer listed is only older.
  model: 'CHAINED_ADD_CHANGE',
  outlinksIn: ({ entries, older }, { olderParts }: Settings<'feed'>) => [
    ...entries.map((entry) => ({ ...outlinkOf(entry), ...carriedDataOf(entry) })),
    ...(olderParts ? older.flatMap((url) => outlinkTo(url, 'sitemap')) : []),
  ],
})

interface ListKind<Name extends 'sitemap' | 'feed'> {
  model: RepositoryConnector['model']
  outlinksIn(list: ListEntries, settings: Settings<Name>): Outlink[]
}

function listConnector<const Name extends 'sitemap' | 'feed'>(
  name: Name,
  { model, outlinksIn }: ListKind<Name>,
): RepositoryConnector {
  return {
    name,
    version: 1,
    model,
    // Hops and scope do not apply: the list defines what belongs to the harvest.
    inForce: ({ maxHops: _maxHops, ...definition }) => ({ ...definition, scope: 'any' }),
    seedOf: webAddressOf,
    nameOf: nameOfHosts,
    seeds: (definition) => seedsAs(definition, 'sitemap'),
    binOf: web.binOf,
    scopeOf,
    judge: judgeListed,
    open: ({ definition, fetching }) => ({
      fetch: overHttp(fetching),
      async outlinksOf(document, captured) {
        if (captured.kind !== 'answered' || document.role === 'robots') return []
        const seen = captured.earlier ?? captured
        const list = isList(document, seen) ? await readList(document, seen) : undefined
        // Anything else in place of the list, such as a redirect or an error page, is read like a page.
        if (list === undefined || list.form === 'none') return linksOf(document, captured, fetching.bodies)
        return outlinksIn(list, settingsOf(definition, name))
      },
      async previousOutlinks(document) {
        const earlier = document.previous && (await fetching.earlierCapture(document.previous.place))
        return earlier && linksOf(document, earlier, fetching.bodies)
      },
    }),
  }
}

/** Accepts every link of a list; of a listed page, only embedded resources and redirects. */
function judgeListed(scope: Scope, found: Found): Verdict {
  const isFurther = found.kind === 'navigation' || found.kind === 'sitemap'
  if (isFurther && found.parent.role !== 'sitemap') {
    return { verdict: 'excluded', reason: 'outOfScope', detail: message('scope.notListed') }
  }
  return judge(scope, found)
}

function isList({ role }: DocumentToFetch, { head }: EarlierCapture): boolean {
  return role === 'sitemap' && head.status >= 200 && head.status < 300
}

async function readList({ url }: DocumentToFetch, { head, response }: EarlierCapture): Promise<ListEntries> {
  const { entity } = payloadOf(await response.head(head.bytes + extractBytesMax), extractBytesMax)
  // A sitemap.xml.gz is a gzip file by its nature, not by its content coding.
  const { bytes } = decodeContent(entity, isGzip(entity) ? ['gzip'] : [], extractBytesMax)
  const { mediaType, charset } = contentTypeOf(head)
  return listEntries({ url, mediaType, charset, body: bytes, linksMax })
}

function settingsOf<Name extends 'sitemap' | 'feed'>({ connectors }: HarvestDefinition, name: Name): Settings<Name> {
  const settings = connectors?.repository
  if (settings?.connector !== name) throw new Error(`a harvest of a ${name} has its settings`)
  return settings as Settings<Name>
}

function outlinkOf({ url, kind }: ListEntry): Outlink {
  return { url, kind }
}

function versionOf({ kind, date }: ListEntry): Pick<Outlink, 'version'> {
  return kind === 'navigation' ? { version: date ?? null } : {}
}

function carriedDataOf({ title, date }: ListEntry): Pick<Outlink, 'carriedData'> {
  if (title === undefined && date === undefined) return {}
  return { carriedData: { ...(title === undefined ? {} : { title }), ...(date === undefined ? {} : { date }) } }
}

/** Whether an entry is dated before `day` (YYYY-MM-DD, compared as text). Entries without a date are not. */
function isBefore({ kind, date }: ListEntry, day: string | undefined): boolean {
  return kind === 'navigation' && day !== undefined && date !== undefined && /^\d{4}-\d\d-\d\d/.test(date) && date < day
}
