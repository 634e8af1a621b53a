/** Connections with their status and jobs, and buttons to add, check, change and remove them. */
import { Group, Stack, Text } from '@mantine/core'
import { Pencil, Plus, RefreshCw, Trash2 } from 'lucide-react'
import { useCallback, useState } from 'react'
import type { Fault } from '../../../src-main/contract/calls/faults.ts'
import type {
  ConnectionCheck,
  ConnectionRow,
  JobOfConnection,
} from '../../../src-main/contract/services/connections.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { useConfirm } from '../../parts/confirm.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { IconAction } from '../../parts/IconAction.tsx'
import { Section } from '../../parts/Section.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useFollowedList } from '../../state/followedList.ts'
import { faultFrom, type Loaded } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { ConnectionDialog } from './ConnectionDialog.tsx'
import styles from './settings.module.css'

export function ConnectionList() {
  const t = useWords()
  const { services } = useSession()
  const { rows, load } = useFollowedList(services.connections)
  const [edited, setEdited] = useState<ConnectionRow | 'new' | null>(null)
  const add = (
    <ActionButton
      variant="default"
      size="xs"
      leftSection={<Plus size={14} aria-hidden />}
      onClick={() => setEdited('new')}
    >
      {t('connections.add')}
    </ActionButton>
  )
  return (
    <Section title={t('connections.title')} actions={add}>
      <p className="lead">{t('connections.text')}</p>
      <Await of={rows} onRetry={() => void load()}>
        {(list) =>
          list.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('connections.none')}
            </Text>
          ) : (
            <div className="card">
              {list.map((row) => (
                <Connection key={row.name} row={row} onEdit={() => setEdited(row)} />
              ))}
            </div>
          )
        }
      </Await>
      <ConnectionDialog edited={edited} onClose={() => setEdited(null)} />
    </Section>
  )
}

function Connection({ row, onEdit }: { row: ConnectionRow; onEdit: () => void }) {
  const t = useWords()
  const confirm = useConfirm()
  const { services } = useSession()
  const [state, load] = useConnectionState(row)
  const [refusal, setRefusal] = useState<Fault | null>(null)
  const { name, kind, title, description, connectionsMax: most } = row

  async function remove(): Promise<void> {
    const text = t('connections.remove.text')
    if (!(await confirm({ title: t('connections.remove.title', { name }), text, verb: t('connections.remove') })))
      return
    setRefusal(null)
    try {
      await services.connections.remove({ name })
    } catch (error) {
      setRefusal(faultFrom(error))
    }
  }

  const facts = [
    t(`connections.kind.${kind}`),
    t(title),
    t('connections.most', { most }),
    ...(row.kind === 'repository' ? [t('connections.throttles', { count: row.throttles.length })] : []),
    t('connectors.jobs', { jobs: row.jobs }),
  ]
  return (
    <div className={styles.setting} role="group" aria-label={name}>
      <Stack gap={4}>
        <Text fw={600}>{name}</Text>
        {description !== '' && <Text size="sm">{description}</Text>}
        <Text size="sm" c="dimmed">
          {facts.join(' · ')}
        </Text>
        <Status state={state} total={row.jobs} />
        {refusal && <FaultNote fault={refusal} />}
      </Stack>
      <Group gap="xs" className={styles.settingAction}>
        <IconAction icon={RefreshCw} name={t('connections.check.what', { name })} onClick={load} />
        <IconAction icon={Pencil} name={t('connections.edit.what', { name })} onClick={onEdit} />
        <IconAction icon={Trash2} name={t('connections.remove.what', { name })} onClick={() => void remove()} />
      </Group>
    </div>
  )
}

/** Whether a connection can be used, and its newest jobs. */
interface ConnectionState {
  check: ConnectionCheck
  jobs: JobOfConnection[]
}

/** Jobs of a connection that are shown. */
const jobsShownMax = 20

/** Checks a connection when it is shown and when it, or the list of its jobs, may have changed; the second value checks it again. */
function useConnectionState(row: ConnectionRow) {
  const { services } = useSession()
  return useLoaded<ConnectionState>(
    useCallback(async () => {
      const { name } = row
      const [check, jobs] = await Promise.all([
        services.connections.check({ name }),
        services.connections.jobs({ name, limit: jobsShownMax }),
      ])
      return { check, jobs }
    }, [services, row]),
  )
}

/** "Connection working", or what is wrong; and links to the jobs, of which there are `total`. */
function Status({ state, total }: { state: Loaded<ConnectionState>; total: number }) {
  const t = useWords()
  if (state.is === 'loading') return null
  if (state.is === 'refused') return <FaultNote fault={state.fault} />
  const { check, jobs } = state.value
  return (
    <>
      <Text size="sm" role="status">
        {t(check.status)}
      </Text>
      {jobs.length > 0 && (
        <Text size="sm">
          {t('connections.users')}{' '}
          {jobs.map(({ job, name }, index) => (
            <span key={job}>
              {index > 0 && ', '}
              <a href={hrefOf({ place: 'job', job })}>{name}</a>
            </span>
          ))}
          {total > jobs.length && ` ${t('connections.users.more', { count: total - jobs.length })}`}
        </Text>
      )}
    </>
  )
}
