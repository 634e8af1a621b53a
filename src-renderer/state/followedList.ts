/** A list of the engine that is loaded again when an event reports a change: another window or the command line may change it. */
import { useCallback, useEffect, useState } from 'react'
import { loadedFrom, loading, type Loaded } from './loaded.ts'

interface ListService<Row> {
  list(query: object): Promise<Row[]>
  changed(listener: () => void): () => void
}

export interface FollowedList<Row> {
  rows: Loaded<Row[]>
  load: () => Promise<void>
}

/** `service` must be the same in every render, such as one of the services of the session. */
export function useFollowedList<Row>(service: ListService<Row>): FollowedList<Row> {
  const [rows, setRows] = useState<Loaded<Row[]>>(loading)
  const load = useCallback(async () => setRows(await loadedFrom(service.list({}))), [service])
  useEffect(() => {
    void loadedFrom(service.list({})).then(setRows)
    return service.changed(() => void load())
  }, [service, load])
  return { rows, load }
}
