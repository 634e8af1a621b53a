/** What every screen may reach: the engine's services, the stores made from them, and Electron's page view where there is
 *  one. Made once, in `main.tsx`. */
import { createContext, useContext } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { Connection, WatchedLink } from '../links/connection.ts'
import type { LoupePage } from '../links/window.ts'
import { makeArchive } from './archive.ts'
import { makeJobs } from './jobs.ts'
import { makeSettings } from './settings.ts'
import { makeView } from './view.ts'

export interface Session {
  services: Loupe
  connection: StoreApi<{ connection: Connection }>
  jobs: ReturnType<typeof makeJobs>
  view: ReturnType<typeof makeView>
  archive: ReturnType<typeof makeArchive>
  settings: ReturnType<typeof makeSettings>
  /** Null in a browser: the archived page is a frame there. */
  page: LoupePage | null
}

export function makeSession(services: Loupe, link: WatchedLink, page: LoupePage | null): Session {
  const connection = createStore<{ connection: Connection }>()(() => ({ connection: link.connection() }))
  const session: Session = {
    services,
    connection,
    jobs: makeJobs(services),
    view: makeView(services),
    archive: makeArchive(services),
    settings: makeSettings(services),
    page,
  }
  link.onConnection((next) => {
    const wasLost = connection.getState().connection === 'lost'
    connection.setState({ connection: next })
    // Events that came while the link was broken are gone: everything that follows events is asked for again.
    if (next === 'open' && wasLost) reloadAll(session)
  })
  reloadAll(session)
  return session
}

function reloadAll({ jobs, view, archive, settings }: Session): void {
  for (const store of [jobs, view, archive, settings]) void store.getState().load()
}

const SessionContext = createContext<Session | null>(null)
export const SessionProvider = SessionContext.Provider

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession needs a SessionProvider above it')
  return session
}
