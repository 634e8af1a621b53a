/** Where a harvest takes its documents from and where it puts them: the connectors, the settings of each, and
 *  what people read of them. What they do is `crawl/capture/connectors/`. */
import { z } from 'zod'
import { outputNames, repositoryNames } from '../shapes/choices.ts'
import { connectorStates } from '../states/connectorStates.ts'
import { call, event } from '../calls/service.ts'

export type RepositoryName = (typeof repositoryNames)[number]
export type OutputName = (typeof outputNames)[number]
export type ConnectorName = RepositoryName | OutputName

const repositorySettings = z.discriminatedUnion('connector', [
  z.strictObject({ connector: z.literal('web') }),
  z.strictObject({
    connector: z.literal('sitemap'),
    /** Pages whose date of change in the sitemap is before this day are left out; those without a date are not. */
    changedSince: z.iso.date('must be a date such as 2026-01-31').optional(),
  }),
  z.strictObject({
    connector: z.literal('feed'),
    /** Also the older parts of a feed that names them (RFC 5005). */
    olderParts: z.boolean().default(false),
  }),
  z.strictObject({
    connector: z.literal('folder'),
    /** Also files and folders whose names begin with a dot. */
    hidden: z.boolean().default(false),
  }),
])
export type RepositorySettings = z.output<typeof repositorySettings>

/** The part of a harvest's definition that is about connectors; absent: the web, into the archive. */
export const connectorChoice = z.strictObject({
  repository: repositorySettings.default({ connector: 'web' }),
  output: z.enum(outputNames).default('archive'),
})
export type ConnectorChoice = z.output<typeof connectorChoice>

export const usualConnectors: ConnectorChoice = { repository: { connector: 'web' }, output: 'archive' }

/** What people read of each. */
export const connectorTexts: Record<ConnectorName, { title: string; does: string }> = {
  web: { title: 'Web site', does: 'Starts at the seeds and follows links.' },
  sitemap: {
    title: 'Sitemap',
    does: 'Captures the pages listed in a sitemap and their embedded resources. Links are not followed.',
  },
  feed: {
    title: 'Feed',
    does: 'Captures the entries of an RSS or Atom feed and their embedded resources, with titles and dates.',
  },
  folder: { title: 'Folder', does: 'Captures the files of a folder on this computer.' },
  archive: { title: 'Archive', does: 'Writes captures to WARC files and stores them in every replica.' },
  null: { title: 'Dry run', does: 'Fetches and counts URLs without storing them, to try out a harvest.' },
}

export const connectorRow = z.object({
  name: z.enum([...repositoryNames, ...outputNames]),
  kind: z.enum(['repository', 'output']),
  title: z.string(),
  does: z.string(),
  state: z.enum(connectorStates.states),
  /** What this Loupe has. */
  version: z.int().min(1),
  /** What this archive was last used with. */
  usedVersion: z.int().min(1),
  /** Why it cannot be used, and what to do; null when it can. */
  problem: z.string().nullable(),
  /** Jobs that use it, and those of them that wait for it. */
  jobs: z.int().min(0),
  waiting: z.array(z.int().min(1)),
})
export type ConnectorRow = z.output<typeof connectorRow>

const named = z.strictObject({ name: z.string().trim().min(1) })

export const connectorsContract = {
  list: call(z.object({}), z.array(connectorRow)),
  /** Takes up jobs that waited for it. */
  install: call(named, connectorRow),
  /** Its jobs hand out no further document until it is back; nothing of them is lost. */
  deinstall: call(named, connectorRow),
  changed: event(connectorRow),
} as const
