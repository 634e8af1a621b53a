/** The connectors that this Loupe has, by name. Which of them this archive has installed is `installed.ts`. */
import { usualConnectors, type OutputName, type RepositoryName } from '../../../contract/services/connectors.ts'
import type { HarvestDefinition } from '../../../contract/contract.ts'
import { archiveOutput } from './archiveOutput.ts'
import type { OutputConnector, RepositoryConnector } from './connector.ts'
import { folder } from './folder.ts'
import { feed, sitemap } from './lists.ts'
import { nullOutput } from './nullOutput.ts'
import { web } from './web.ts'

const repositories: Readonly<Record<RepositoryName, RepositoryConnector>> = {
  web,
  sitemap,
  feed,
  folder,
}
const outputs: Readonly<Record<OutputName, OutputConnector>> = { archive: archiveOutput, null: nullOutput }

export const allConnectors: readonly (RepositoryConnector | OutputConnector)[] = [
  ...Object.values(repositories),
  ...Object.values(outputs),
]

export function repositoryOf({ connectors = usualConnectors }: HarvestDefinition): RepositoryConnector {
  return repositories[connectors.repository.connector]
}

export function outputOf({ connectors = usualConnectors }: HarvestDefinition): OutputConnector {
  return outputs[connectors.output]
}
