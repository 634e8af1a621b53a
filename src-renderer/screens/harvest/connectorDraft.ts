/** The connector part of the harvest form as it is typed. Input for one connector is kept when another is chosen. */
import type { z } from 'zod'
import type {
  ConnectorChoice,
  OutputName,
  RepositoryName,
  RepositorySettings,
} from '../../../src-main/contract/services/connectors.ts'
import type { harvestDefinition } from '../../../src-main/contract/services/definition.ts'

export interface ConnectorDraft {
  repository: RepositoryName
  output: OutputName
  /** Name of the connection that says all of the source; empty: none. */
  repositoryConnection: string
  /** Name of the connection that says all of the output; empty: none. */
  outputConnection: string
  changedSince: string
  olderParts: boolean
  hidden: boolean
  /** Path of the user's module. */
  module: string
  /** Lines `name = value`. */
  moduleSettings: string
}

export const usualConnector: ConnectorDraft = {
  repository: 'web',
  output: 'archive',
  repositoryConnection: '',
  outputConnection: '',
  changedSince: '',
  olderParts: false,
  hidden: false,
  module: '',
  moduleSettings: '',
}

type ConnectorInput = NonNullable<z.input<typeof harvestDefinition>['connectors']>

/** Undefined for the default: from the web into the archive. */
export function connectorInput(draft: ConnectorDraft): ConnectorInput | undefined {
  const { repository, output, repositoryConnection, outputConnection } = draft
  const isNamed = repositoryConnection !== '' || outputConnection !== ''
  if (repository === 'web' && output === 'archive' && !isNamed) return undefined
  return {
    ...{ repository: settingsInput(draft), output },
    ...(repositoryConnection === '' ? {} : { repositoryConnection }),
    ...(outputConnection === '' ? {} : { outputConnection }),
  }
}

/** The source as the contract takes it. */
export function settingsInput(draft: ConnectorDraft): NonNullable<ConnectorInput['repository']> {
  return settings[draft.repository](draft)
}

const settings: Record<RepositoryName, (draft: ConnectorDraft) => NonNullable<ConnectorInput['repository']>> = {
  web: () => ({ connector: 'web' }),
  sitemap: ({ changedSince }) => ({
    connector: 'sitemap',
    ...(changedSince.trim() === '' ? {} : { changedSince: changedSince.trim() }),
  }),
  feed: ({ olderParts }) => ({ connector: 'feed', olderParts }),
  folder: ({ hidden }) => ({ connector: 'folder', hidden }),
  module: ({ module, moduleSettings }) => ({ connector: 'module', module, settings: settingsInLines(moduleSettings) }),
}

export function connectorDraftOf(choice: ConnectorChoice | undefined): ConnectorDraft {
  if (!choice) return usualConnector
  const { repository, output, repositoryConnection = '', outputConnection = '' } = choice
  return withSettings({ ...usualConnector, output, repositoryConnection, outputConnection }, repository)
}

/** The draft with this source. */
export function withSettings(draft: ConnectorDraft, repository: RepositorySettings): ConnectorDraft {
  const changed = { ...draft, repository: repository.connector }
  switch (repository.connector) {
    case 'web':
      return changed
    case 'sitemap':
      return { ...changed, changedSince: repository.changedSince ?? '' }
    case 'feed':
      return { ...changed, olderParts: repository.olderParts }
    case 'folder':
      return { ...changed, hidden: repository.hidden }
    case 'module':
      return { ...changed, module: repository.module, moduleSettings: linesOfSettings(repository.settings) }
  }
}

/** Settings of a module from lines `name = value`; a line without a value is a name with an empty one. */
function settingsInLines(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf('=')
      return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    }),
  )
}

/** Settings of a module as lines. */
export function linesOfSettings(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}`)
    .join('\n')
}
