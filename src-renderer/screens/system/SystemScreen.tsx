/** The running engine: figures, loops, notifications and the log. It is read every second while the screen is shown. */
import { useCallback } from 'react'
import type { EngineStatus } from '../../../src-main/contract/services/monitoring.ts'
import { jobStatuses, statusLabel, statusTone } from '../../../src-main/contract/states/jobStatuses.ts'
import { Await } from '../../parts/Await.tsx'
import { BarTable } from '../../parts/BarTable.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { useFormats } from '../../parts/formats.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { Section } from '../../parts/Section.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useTicking } from '../../parts/useTicking.ts'
import { useMay } from '../../parts/useMay.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { EngineLog } from './EngineLog.tsx'
import { LoopTable } from './LoopTable.tsx'
import { NotificationList } from './NotificationList.tsx'

const everyMs = 1_000

export function SystemScreen() {
  const t = useWords()
  const { services } = useSession()
  const [status, reload] = useLoaded(useCallback(() => services.monitoring.status({}), [services]))
  useTicking(everyMs, reload)
  const { offers } = useMay()
  return (
    <>
      <PageHead title={t('system.title')} />
      <Await of={status} onRetry={reload}>
        {(value) => (
          <>
            <Figures status={value} />
            <NotificationList />
            <LoopTable loops={value.loops} />
          </>
        )}
      </Await>
      {offers('monitoring.log') && <EngineLog />}
    </>
  )
}

function Figures({ status }: { status: EngineStatus }) {
  const t = useWords()
  const { count, bytes, duration } = useFormats()
  const { uptimeSeconds, urlsQueued, queues, viewings, memory, database, diskFreeBytes, jobs, channels } = status
  const waiting = Object.entries(channels).filter(([, jobsWaiting]) => jobsWaiting > 0)
  return (
    <Section title={t('system.figures')}>
      <div className="card">
        <Facts
          facts={[
            { name: t('system.uptime'), value: duration(Math.round(uptimeSeconds)) },
            { name: t('system.urls'), value: count(urlsQueued) },
            { name: t('system.tasks'), value: count(queues.tasksActive) },
            { name: t('system.notifications'), value: count(queues.notificationsWaiting) },
            { name: t('system.viewings'), value: count(viewings) },
            { name: t('system.resident'), value: bytes(memory.residentBytes) },
            { name: t('system.heap'), value: bytes(memory.heapBytes) },
            { name: t('system.database'), value: bytes(database.bytes) },
            { name: t('system.wal'), value: bytes(database.walBytes) },
            { name: t('system.free'), value: diskFreeBytes === null ? t('system.free.unknown') : bytes(diskFreeBytes) },
          ]}
        />
      </div>
      <div className="cards section">
        <BarTable
          title={t('system.jobs')}
          nameHead={t('generated.status')}
          amountHead={t('system.count')}
          bars={jobStatuses.flatMap((name) => {
            const amount = jobs[name] ?? 0
            return amount === 0
              ? []
              : [{ name: t(statusLabel(name)), amount, text: count(amount), tone: statusTone(name) }]
          })}
          empty={t('system.jobs.none')}
        />
        <BarTable
          title={t('system.channels')}
          nameHead={t('system.channel')}
          amountHead={t('system.count')}
          bars={waiting.map(([name, amount]) => ({ name, amount, text: count(amount) }))}
          empty={t('system.channels.none')}
        />
      </div>
    </Section>
  )
}
