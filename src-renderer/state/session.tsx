/** Everything that screens can use: the engine's services, the stores made from them, and the services of the shell. Made once, in
 *  `main.tsx`. */
import { createContext, useContext } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { Connection, WatchedLink } from '../links/connection.ts'
import type { Shell } from '../links/shell.ts'
import { makeArchive } from './archive.ts'
import { makeAudit } from './audit.ts'
import { makeBackups } from './backups.ts'
import { makeBasket } from './basket.ts'
import { makeBatch } from './batch.ts'
import { makeCallerRoles } from './callerRoles.ts'
import { makeDeclarations } from './declarations.ts'
import { makeDialogs } from './dialogs.ts'
import { makePasswordQuestion } from './passwordQuestion.ts'
import { makeExports } from './exports.ts'
import { makeJobs } from './jobs.ts'
import { makeRecovery } from './recovery.ts'
import { makeRepairs } from './repairs.ts'
import { makeReport } from './report.ts'
import { makeSettings } from './settings.ts'
import { makeTasks } from './tasks.ts'
import { makeView } from './view.ts'

export interface Session {
  services: Loupe
  connection: StoreApi<{ connection: Connection }>
  callerRoles: ReturnType<typeof makeCallerRoles>
  jobs: ReturnType<typeof makeJobs>
  view: ReturnType<typeof makeView>
  archive: ReturnType<typeof makeArchive>
  recovery: ReturnType<typeof makeRecovery>
  repairs: ReturnType<typeof makeRepairs>
  audit: ReturnType<typeof makeAudit>
  report: ReturnType<typeof makeReport>
  declarations: ReturnType<typeof makeDeclarations>
  backups: ReturnType<typeof makeBackups>
  batch: ReturnType<typeof makeBatch>
  settings: ReturnType<typeof makeSettings>
  exports: ReturnType<typeof makeExports>
  tasks: ReturnType<typeof makeTasks>
  basket: ReturnType<typeof makeBasket>
  dialogs: ReturnType<typeof makeDialogs>
  passwordQuestion: ReturnType<typeof makePasswordQuestion>
  shell: Shell
}

export function makeSession(
  services: Loupe,
  link: WatchedLink,
  shell: Shell,
  passwordQuestion = makePasswordQuestion(),
): Session {
  const connection = createStore<{ connection: Connection }>()(() => ({ connection: link.connection() }))
  const report = makeReport(services)
  const settings = makeSettings(services)
  const session: Session = {
    services,
    connection,
    callerRoles: makeCallerRoles(services),
    jobs: makeJobs(services),
    view: makeView(services),
    archive: makeArchive(services),
    recovery: makeRecovery(services),
    repairs: makeRepairs(services),
    audit: makeAudit(services),
    report,
    declarations: makeDeclarations({ settings, report }),
    backups: makeBackups(services),
    batch: makeBatch(services),
    settings,
    exports: makeExports(services),
    tasks: makeTasks(services),
    basket: makeBasket(services, shell.files),
    dialogs: makeDialogs(),
    passwordQuestion,
    shell,
  }
  link.onConnection((next) => {
    connection.setState({ connection: next })
    // Events were lost while there was no connection, so everything that depends on them is loaded again.
    if (next === 'open') reloadAll(session)
  })
  // The verdict on the audit log was about the lost database.
  services.archive.recoveryChanged(({ state }) => {
    if (state === 'DONE') void session.audit.getState().load()
  })
  reloadAll(session)
  return session
}

/** Excludes the report, which states its time and is created only on request. */
function reloadAll(session: Session): void {
  const { callerRoles, jobs, view, archive, recovery, repairs, audit, settings, exports, tasks, batch } = session
  for (const store of [callerRoles, jobs, view, archive, recovery, repairs, audit, settings, exports, tasks, batch])
    void store.getState().load()
}

const SessionContext = createContext<Session | null>(null)
export const SessionProvider = SessionContext.Provider

/** The session, or null on the screens before the log-in, which have none. */
export function useSessionIfAny(): Session | null {
  return useContext(SessionContext)
}

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession needs a SessionProvider above it')
  return session
}
