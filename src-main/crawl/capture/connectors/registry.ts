/** The connectors that this Loupe has, by name. `installed.ts` records which of them the archive has installed. */
import {
  connectorChoice,
  usualConnectors,
  type ConnectorChoice,
  type OutputName,
  type RepositoryName,
} from '../../../contract/services/connectors.ts'
import type { HarvestDefinition } from '../../../contract/services/definition.ts'
import { archiveOutput } from './archiveOutput.ts'
import type { OutputConnector, RepositoryConnector } from './connector.ts'
import { folder } from './folder.ts'
import { feed, sitemap } from './lists.ts'
import { module } from './module.ts'
import { nullOutput } from './nullOutput.ts'
import { web } from './web.ts'

const repositories: Readonly<Record<RepositoryName, RepositoryConnector>> = {
  web,
  sitemap,
  feed,
  folder,
  module,
}
const outputs: Readonly<Record<OutputName, OutputConnector>> = { archive: archiveOutput, null: nullOutput }

/** All connectors, repositories first. */
export const allConnectors: readonly (RepositoryConnector | OutputConnector)[] = [
  ...Object.values(repositories),
  ...Object.values(outputs),
]

/** The repository connector of a harvest. */
export function repositoryOf({ connectors = usualConnectors }: HarvestDefinition): RepositoryConnector {
  return repositories[connectors.repository.connector]
}

/** The output connector of a harvest. */
export function outputOf({ connectors = usualConnectors }: Pick<HarvestDefinition, 'connectors'>): OutputConnector {
  return outputs[connectors.output]
}

/** The connectors of a job by its row. */
export function connectorsIn({ connectors }: { connectors: string | null }): ConnectorChoice {
  return connectors === null ? usualConnectors : connectorChoice.parse(JSON.parse(connectors))
}
