/** Source and output of a form: two parts of it, but one field of the definition. */
import { useFollowedList } from '../../state/followedList.ts'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import type { ConnectorPartProps } from './ConnectorPart.tsx'
import type { HarvestFields } from './useHarvestForm.ts'

export function useConnectorPart({ draft, change, errorOf, fixedOf }: HarvestFields): ConnectorPartProps {
  const { services } = useSession()
  const connectors = useFollowedList(services.connectors)
  const connections = useFollowedList(services.connections)
  return {
    draft: draft.connectors,
    connectors: valueOf(connectors.rows),
    connections: valueOf(connections.rows),
    errorOf,
    fixed: fixedOf((each) => each.connectors, 'connectors'),
    onChange: (changed) => change('connectors', changed),
  }
}
