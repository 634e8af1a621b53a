/** The connector part of the harvest form as it is typed. Input for one connector is kept when another is chosen. */
import type { z } from 'zod'
import type { ConnectorChoice, OutputName, RepositoryName } from '../../../src-main/contract/services/connectors.ts'
import type { harvestDefinition } from '../../../src-main/contract/services/definition.ts'

export interface ConnectorDraft {
  repository: RepositoryName
  output: OutputName
  changedSince: string
  olderParts: boolean
  hidden: boolean
}

export const usualConnector: ConnectorDraft = {
  repository: 'web',
  output: 'archive',
  changedSince: '',
  olderParts: false,
  hidden: false,
}

type ConnectorInput = NonNullable<z.input<typeof harvestDefinition>['connectors']>

/** Undefined for the default: from the web into the archive. */
export function connectorInput(draft: ConnectorDraft): ConnectorInput | undefined {
  const { repository, output } = draft
  if (repository === 'web' && output === 'archive') return undefined
  return { repository: settings[repository](draft), output }
}

const settings: Record<RepositoryName, (draft: ConnectorDraft) => ConnectorInput['repository']> = {
  web: () => ({ connector: 'web' }),
  sitemap: ({ changedSince }) => ({
    connector: 'sitemap',
    ...(changedSince.trim() === '' ? {} : { changedSince: changedSince.trim() }),
  }),
  feed: ({ olderParts }) => ({ connector: 'feed', olderParts }),
  folder: ({ hidden }) => ({ connector: 'folder', hidden }),
}

export function connectorDraftOf(choice: ConnectorChoice | undefined): ConnectorDraft {
  if (!choice) return usualConnector
  const { repository, output } = choice
  const draft = { ...usualConnector, repository: repository.connector, output }
  switch (repository.connector) {
    case 'web':
      return draft
    case 'sitemap':
      return { ...draft, changedSince: repository.changedSince ?? '' }
    case 'feed':
      return { ...draft, olderParts: repository.olderParts }
    case 'folder':
      return { ...draft, hidden: repository.hidden }
  }
}
