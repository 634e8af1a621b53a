/** Connections, kept up to date: another window or the command line may change them. */
import { useCallback, useEffect, useState } from 'react'
import type { ConnectionCheck, ConnectionRow, JobOfConnection } from '../../src-main/contract/services/connections.ts'
import { loadedFrom, loading, type Loaded } from './loaded.ts'
import { useSession } from './session.tsx'

/** Loads the connections, and again when one changes. */
export function useConnections(): { rows: Loaded<ConnectionRow[]>; load: () => Promise<void> } {
  const { services } = useSession()
  const [rows, setRows] = useState<Loaded<ConnectionRow[]>>(loading)
  const load = useCallback(async () => setRows(await loadedFrom(services.connections.list({}))), [services])
  useEffect(() => {
    void loadedFrom(services.connections.list({})).then(setRows)
    return services.connections.changed(() => void load())
  }, [services, load])
  return { rows, load }
}

/** Whether a connection can be used, and the jobs that use it. */
export interface ConnectionState {
  check: ConnectionCheck
  jobs: JobOfConnection[]
}

/** Checks a connection when it is shown and when it has changed, and on request. */
export function useConnectionState(row: ConnectionRow): { state: Loaded<ConnectionState>; load: () => Promise<void> } {
  const { services } = useSession()
  const { name } = row
  const [state, setState] = useState<Loaded<ConnectionState>>(loading)
  const ask = useCallback(async (): Promise<ConnectionState> => {
    const [check, jobs] = await Promise.all([services.connections.check({ name }), services.connections.jobs({ name })])
    return { check, jobs }
  }, [services, name])
  const load = useCallback(async () => setState(await loadedFrom(ask())), [ask])
  // A new row means that the connection, or the list of its jobs, may have changed.
  useEffect(() => void loadedFrom(ask()).then(setState), [ask, row])
  return { state, load }
}
