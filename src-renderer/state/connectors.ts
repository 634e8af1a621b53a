/** Connectors and their states, kept up to date: another window or the command line may change them. */
import { useCallback, useEffect, useState } from 'react'
import type { ConnectorRow } from '../../src-main/contract/services/connectors.ts'
import { loadedFrom, loading, type Loaded } from './loaded.ts'
import { useSession } from './session.tsx'

export function useConnectors(): { rows: Loaded<ConnectorRow[]>; load: () => Promise<void> } {
  const { services } = useSession()
  const [rows, setRows] = useState<Loaded<ConnectorRow[]>>(loading)
  const load = useCallback(async () => setRows(await loadedFrom(services.connectors.list({}))), [services])
  useEffect(() => {
    void loadedFrom(services.connectors.list({})).then(setRows)
    return services.connectors.changed(() => void load())
  }, [services, load])
  return { rows, load }
}
