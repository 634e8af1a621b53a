/** Names of the stored credentials, loaded when a form needs them. */
import { useCallback, useEffect, useState } from 'react'
import type { Loupe } from '../../src-main/contract/contract.ts'
import { loadedFrom, loading, type Loaded } from './loaded.ts'
import { useSession } from './session.tsx'

export type KnownCredentials = Awaited<ReturnType<Loupe['credentials']['list']>>

export interface Credentials {
  known: Loaded<KnownCredentials>
  load: () => Promise<void>
}

export function useCredentials(isNeeded: boolean): Credentials {
  const { services } = useSession()
  const [known, setKnown] = useState<Loaded<KnownCredentials>>(loading)
  const load = useCallback(async () => setKnown(await loadedFrom(services.credentials.list({}))), [services])
  useEffect(() => {
    if (isNeeded) void loadedFrom(services.credentials.list({})).then(setKnown)
  }, [isNeeded, services])
  return { known, load }
}
