/**
 * Connectors: where a harvest takes its documents from and where it puts them, the settings of each, and their descriptions. They are
 * implemented in `crawl/capture/connectors/`.
 */
import { z } from 'zod'
import { outputNames, repositoryNames } from '../shapes/choices.ts'
import { nameShape } from '../shapes/names.ts'
import { count, jobId, messageShape, nothing } from '../shapes/shapes.ts'
import { connectorStates } from '../states/connectorStates.ts'
import { call, event } from '../calls/service.ts'
import { message, type Message } from '../words/message.ts'

export type RepositoryName = (typeof repositoryNames)[number]
export type OutputName = (typeof outputNames)[number]
export type ConnectorName = RepositoryName | OutputName

/** Shape of a repository connector with its settings. */
export const repositorySettings = z.discriminatedUnion('connector', [
  z.strictObject({ connector: z.literal('web') }),
  z.strictObject({
    connector: z.literal('sitemap'),
    /** Pages whose date of change in the sitemap is before this day are left out; those without a date are not. */
    changedSince: z.iso.date().optional(),
  }),
  z.strictObject({
    connector: z.literal('feed'),
    /** Whether to read the older parts of a feed that names them (RFC 5005). */
    olderParts: z.boolean().default(false),
  }),
  z.strictObject({
    connector: z.literal('folder'),
    /** Whether to include files and folders whose names begin with a dot. */
    hidden: z.boolean().default(false),
  }),
  z.strictObject({
    connector: z.literal('module'),
    /** Absolute path of the user's module. */
    module: z.string().trim().min(1).max(4_096),
    /** Settings that the module gets. They are part of the definition, so they must not contain secrets. */
    settings: z.record(z.string().min(1).max(200), z.string().max(10_000)).default({}),
  }),
])
export type RepositorySettings = z.output<typeof repositorySettings>

/**
 * The part of a harvest's definition that concerns connectors; absent: the Web, into the archive. Where a connection is named, its settings
 * apply, and `repository` or `output` is a copy of them: what a user gives there is ignored.
 */
export const connectorChoice = z.strictObject({
  repository: repositorySettings.default({ connector: 'web' }),
  output: z.enum(outputNames).default('archive'),
  /** Name of the connection that documents come from. */
  repositoryConnection: nameShape.optional(),
  /** Name of the connection that captures go to. */
  outputConnection: nameShape.optional(),
})
export type ConnectorChoice = z.output<typeof connectorChoice>

/** Returns a choice without the copies of what its connections say, so that two choices can be compared. */
export function withoutCopies({
  repository,
  output,
  repositoryConnection,
  outputConnection,
}: ConnectorChoice): Partial<ConnectorChoice> {
  return {
    ...(repositoryConnection === undefined ? { repository } : { repositoryConnection }),
    ...(outputConnection === undefined ? { output } : { outputConnection }),
  }
}

/** Connectors of a definition that names none. */
export const usualConnectors: ConnectorChoice = { repository: { connector: 'web' }, output: 'archive' }

/** Whether the documents of a source come from no server, so that politeness, logins and distances do not apply. */
export function isLocal(repository: RepositoryName): boolean {
  return repository === 'folder' || repository === 'module'
}

/** Name and purpose of each connector, in the interface and on the command line. */
export const connectorTexts: Record<ConnectorName, { title: Message; does: Message }> = {
  web: { title: message('connector.web.title'), does: message('connector.web') },
  sitemap: { title: message('connector.sitemap.title'), does: message('connector.sitemap') },
  feed: { title: message('connector.feed.title'), does: message('connector.feed') },
  folder: { title: message('connector.folder.title'), does: message('connector.folder') },
  module: { title: message('connector.module.title'), does: message('connector.module') },
  archive: { title: message('connector.archive.title'), does: message('connector.archive') },
  null: { title: message('connector.null.title'), does: message('connector.null') },
}

/** Shape of a connector as it is listed. */
export const connectorRow = z.object({
  name: z.enum([...repositoryNames, ...outputNames]),
  kind: z.enum(['repository', 'output']),
  title: messageShape,
  does: messageShape,
  state: z.enum(connectorStates.states),
  /** The version in this Loupe. */
  version: z.int().min(1),
  /** The version with which this archive was last used. */
  usedVersion: z.int().min(1),
  /** Why it cannot be used, and what to do; null when it can. */
  problem: messageShape.nullable(),
  /** Jobs that use it, and those of them that wait for it. */
  jobs: count,
  waiting: z.array(jobId),
})
export type ConnectorRow = z.output<typeof connectorRow>

const named = z.strictObject({ name: z.string().trim().min(1) })

export const connectorsContract = {
  list: call(nothing, z.array(connectorRow)),
  /** Installs a connector, and resumes jobs that waited for it. */
  install: call(named, connectorRow),
  /** Deinstalls a connector. Its jobs hand out no further document until it is installed again; nothing of them is lost. */
  deinstall: call(named, connectorRow),
  changed: event(connectorRow),
} as const
