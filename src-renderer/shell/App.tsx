/** The frame around every screen: navigation, connection status, and notifications of the engine. */
import { Notifications } from '@mantine/notifications'
import {
  Activity,
  Archive,
  CalendarClock,
  FolderOpen,
  SearchX,
  History,
  Sprout,
  ListChecks,
  Search,
  Settings,
  Share2,
  WifiOff,
  Users,
  type LucideIcon,
} from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { ConfirmProvider } from '../parts/confirm.tsx'
import { EmptyState } from '../parts/EmptyState.tsx'
import { notificationKindMessage } from '../../src-main/contract/services/notifications.ts'
import { showDesktopNotice } from '../parts/desktopNotice.ts'
import { useMay } from '../parts/useMay.ts'
import { UnsavedScope, useGuardedPlace, useUnsavedScope } from '../parts/unsaved.tsx'
import { unsavedInputs } from '../parts/unsavedInputs.ts'
import { roleFor } from '../state/callerRoles.ts'
import { placeCalls } from '../state/commandCalls.ts'
import { useSession } from '../state/session.tsx'
import mark from './icon.svg'
import { useWords, type WordId } from '../words/words.tsx'
import { AccessScreen } from '../screens/access/AccessScreen.tsx'
import { ArchiveScreen } from '../screens/archive/ArchiveScreen.tsx'
import { ArchivedFileScreen } from '../screens/archivedFile/ArchivedFileScreen.tsx'
import { CaptureScreen } from '../screens/capture/CaptureScreen.tsx'
import { Dialogs } from './Dialogs.tsx'
import { FileMenu } from './FileMenu.tsx'
import { TasksButton } from './TasksButton.tsx'
import { useTaskNotices } from './useTaskNotices.ts'
import { DomainScreen } from '../screens/domains/DomainScreen.tsx'
import { HarvestScreen } from '../screens/harvests/HarvestScreen.tsx'
import { HarvestsScreen } from '../screens/harvests/HarvestsScreen.tsx'
import { HistoryScreen } from '../screens/history/HistoryScreen.tsx'
import { HandOverNotice } from '../screens/import/HandOverNotice.tsx'
import { JobScreen } from '../screens/job/JobScreen.tsx'
import { MissingScreen } from '../screens/missing/MissingScreen.tsx'
import { PageAuditsScreen } from '../screens/pageAudits/PageAuditsScreen.tsx'
import { RecordScreen } from '../screens/record/RecordScreen.tsx'
import { RepairScreen } from '../screens/repair/RepairScreen.tsx'
import { SessionEndedScreen } from '../screens/logIn/SessionEndedScreen.tsx'
import { RefusedScreen } from '../screens/refused/RefusedScreen.tsx'
import { EditPlanScreen, NewPlanScreen } from '../screens/plans/PlanEditor.tsx'
import { PlanScreen } from '../screens/plans/PlanScreen.tsx'
import { PlansScreen } from '../screens/plans/PlansScreen.tsx'
import { hrefOf, routeOf, type Route } from '../routes/routes.ts'
import { SearchScreen } from '../screens/search/SearchScreen.tsx'
import { ScheduleScreen } from '../screens/schedule/ScheduleScreen.tsx'
import { SettingsScreen } from '../screens/settings/SettingsScreen.tsx'
import { StartScreen } from '../screens/start/StartScreen.tsx'
import { TemplateScreen } from '../screens/templates/TemplateScreen.tsx'
import { SystemScreen } from '../screens/system/SystemScreen.tsx'
import { ViewerScreen } from '../screens/viewer/ViewerScreen.tsx'
import styles from './shell.module.css'

const rail: { to: Route; name: WordId; icon: LucideIcon; holds: Route['place'][] }[] = [
  {
    to: { place: 'harvests', tab: 'harvests' },
    name: 'rail.harvests',
    icon: Sprout,
    holds: ['harvests', 'harvest', 'domain', 'template'],
  },
  {
    to: { place: 'jobs' },
    name: 'rail.jobs',
    icon: ListChecks,
    holds: ['start', 'jobs', 'job', 'capture', 'pageAudits'],
  },
  { to: { place: 'schedule' }, name: 'rail.schedule', icon: CalendarClock, holds: ['schedule'] },
  { to: { place: 'viewer', jobs: [] }, name: 'rail.viewer', icon: FolderOpen, holds: ['viewer'] },
  { to: { place: 'missing', jobs: [] }, name: 'rail.missing', icon: SearchX, holds: ['missing'] },
  { to: { place: 'search' }, name: 'rail.search', icon: Search, holds: ['search'] },
  {
    to: { place: 'archive', tab: 'replicas' },
    name: 'rail.archive',
    icon: Archive,
    holds: ['archive', 'file', 'repair', 'record'],
  },
  { to: { place: 'plans' }, name: 'rail.plans', icon: Share2, holds: ['plans', 'plan', 'planEditor', 'newPlan'] },
  { to: { place: 'history' }, name: 'rail.history', icon: History, holds: ['history'] },
  { to: { place: 'access', tab: 'accounts' }, name: 'rail.access', icon: Users, holds: ['access'] },
  { to: { place: 'system' }, name: 'rail.system', icon: Activity, holds: ['system'] },
  { to: { place: 'settings' }, name: 'rail.settings', icon: Settings, holds: ['settings'] },
]

/** Screens that fill the window and scroll inside. */
const fills: readonly Route['place'][] = ['viewer', 'record']

export function App() {
  const { connection: connectionStore, shell } = useSession()
  const { connection } = useStore(connectionStore)
  const [inputs] = useState(() => unsavedInputs())
  if (connection === 'refused')
    return shell.account ? <SessionEndedScreen onLogIn={shell.account.logInAgain} /> : <RefusedScreen why="wrong" />
  return (
    <ConfirmProvider>
      <UnsavedScope inputs={inputs}>
        <Frame />
      </UnsavedScope>
    </ConfirmProvider>
  )
}

/** What every account may see is there at once; the rest appears with the roles of the account. */
function isInRail({ place }: Route, { offers }: ReturnType<typeof useMay>): boolean {
  return roleFor(placeCalls[place]) === 'viewer' || offers(placeCalls[place])
}

function Frame() {
  const t = useWords()
  const { connection: connectionStore, services, dialogs } = useSession()
  const { connection } = useStore(connectionStore)
  const may = useMay()
  const route = routeOf(useGuardedPlace(useUnsavedScope(), () => dialogs.getState().close()))
  const refusal = may.why(placeCalls[route.place])
  const main = useRef<HTMLElement>(null)
  const shown = useRef(route.place)

  // Moves the reading position of a screen reader to the new screen, as a new page would.
  useEffect(() => {
    if (shown.current !== route.place) {
      main.current?.scrollTo(0, 0)
      main.current?.focus({ preventScroll: true })
    }
    shown.current = route.place
  }, [route.place])

  useTaskNotices()
  useEffect(
    () =>
      services.notifications.shown(({ kind, severity, message }) =>
        showDesktopNotice({
          ...{ title: t(notificationKindMessage(kind)), message: t(message) },
          isError: severity === 'error',
        }),
      ),
    [services, t],
  )

  return (
    <>
      <div className={styles.app}>
        <nav className={styles.rail} aria-label={t('rail')}>
          <a
            className={styles.skip}
            href={hrefOf(route)}
            onClick={(event) => {
              event.preventDefault()
              main.current?.focus()
            }}
          >
            {t('skip')}
          </a>
          <div className={styles.railMark}>
            <img src={mark} alt="Loupe" width={36} height={36} />
          </div>
          <ul>
            {rail
              .filter(({ to }) => isInRail(to, may))
              .map(({ to, name, icon: Icon, holds }) => (
                <li key={name}>
                  <a
                    className="rail-link"
                    href={hrefOf(to)}
                    aria-current={holds.includes(route.place) ? 'page' : undefined}
                  >
                    <Icon size={22} aria-hidden />
                    {t(name)}
                  </a>
                </li>
              ))}
          </ul>
          <TasksButton />
          <FileMenu />
        </nav>
        <div className={styles.place}>
          {connection === 'lost' && (
            <div className="notice" role="status">
              <WifiOff size={16} aria-hidden />
              {t('connection.lost')}
            </div>
          )}
          <HandOverNotice />
          <main ref={main} tabIndex={-1} data-fills={fills.includes(route.place)}>
            {refusal === null ? <Screen route={route} /> : <EmptyState title={refusal} text={t('may.needs.text')} />}
          </main>
        </div>
      </div>
      <Dialogs />
      <Notifications position="bottom-right" />
    </>
  )
}

function Screen({ route }: { route: Route }) {
  switch (route.place) {
    case 'start':
    case 'jobs':
      return <StartScreen />
    case 'harvests':
      return <HarvestsScreen tab={route.tab} filter={route.filter} />
    case 'harvest':
      return <HarvestScreen key={route.harvest} harvest={route.harvest} />
    case 'domain':
      return <DomainScreen key={route.domain} domain={route.domain} />
    case 'template':
      return <TemplateScreen key={route.template} name={route.template} />
    case 'job':
      return <JobScreen key={route.job} job={route.job} tab={route.tab} />
    case 'viewer':
      return <ViewerScreen {...route} />
    case 'missing':
      return <MissingScreen key={route.jobs.join()} jobs={route.jobs} />
    case 'pageAudits':
      return <PageAuditsScreen key={route.job} job={route.job} audit={route.audit} />
    case 'search':
      return <SearchScreen filter={route.filter} />
    case 'capture':
      return <CaptureScreen key={route.url} {...route} />
    case 'archive':
      return <ArchiveScreen tab={route.tab} filter={route.filter} />
    case 'file':
      return <ArchivedFileScreen key={route.file} name={route.file} />
    case 'repair':
      return <RepairScreen key={`${route.replica}/${route.file}`} {...route} />
    case 'record':
      return <RecordScreen key={route.file} {...route} />
    case 'history':
      return <HistoryScreen key={route.filter ?? ''} filter={route.filter} />
    case 'plans':
      return <PlansScreen />
    case 'plan':
      return <PlanScreen key={route.plan} shown={route} />
    case 'planEditor':
      return <EditPlanScreen key={route.plan} plan={route.plan} />
    case 'newPlan':
      return <NewPlanScreen />
    case 'schedule':
      return <ScheduleScreen />
    case 'access':
      return <AccessScreen tab={route.tab} />
    case 'system':
      return <SystemScreen />
    case 'settings':
      return <SettingsScreen setting={route.setting} />
  }
}
