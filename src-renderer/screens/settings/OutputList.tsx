/** Output connections with their status and documents, and buttons to add, check, change and remove them. */
import { Group, Stack, Text } from '@mantine/core'
import { Pencil, Plus, RefreshCw, RotateCcw, Send, Trash2 } from 'lucide-react'
import { useCallback, useState } from 'react'
import type { Fault } from '../../../src-main/contract/calls/faults.ts'
import type { OutputRow } from '../../../src-main/contract/services/outputs.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { useConfirm } from '../../parts/confirm.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { IconAction } from '../../parts/IconAction.tsx'
import { Section } from '../../parts/Section.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useFollowedList } from '../../state/followedList.ts'
import { faultFrom, valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { OutputConnectors, useOutputConnectors } from './OutputConnectors.tsx'
import { OutputDialog } from './OutputDialog.tsx'
import styles from './settings.module.css'

export function OutputList() {
  const t = useWords()
  const { services } = useSession()
  const { rows, load } = useFollowedList(services.outputs)
  const connectors = useOutputConnectors()
  const [edited, setEdited] = useState<OutputRow | 'new' | null>(null)
  const add = (
    <ActionButton
      variant="default"
      size="xs"
      leftSection={<Plus size={14} aria-hidden />}
      onClick={() => setEdited('new')}
    >
      {t('outputs.add')}
    </ActionButton>
  )
  return (
    <Section title={t('outputs.title')} actions={add}>
      <p className="lead">{t('outputs.text')}</p>
      <Await of={rows} onRetry={() => void load()}>
        {(list) =>
          list.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('outputs.none')}
            </Text>
          ) : (
            <div className="card">
              {list.map((row) => (
                <Output key={row.name} row={row} onEdit={() => setEdited(row)} />
              ))}
            </div>
          )
        }
      </Await>
      <OutputConnectors rows={connectors} />
      <OutputDialog edited={edited} connectors={valueOf(connectors.rows) ?? []} onClose={() => setEdited(null)} />
    </Section>
  )
}

function Output({ row, onEdit }: { row: OutputRow; onEdit: () => void }) {
  const t = useWords()
  const { services } = useSession()
  const { name, description, settings, counts, pending, problem } = row
  const [check, load] = useCheck(row)
  const { act, refusal } = useActions()
  const kind = settings.connector === 'module' ? settings.name : t(`outputs.kind.${settings.connector}`)
  const reingest = {
    title: t('outputs.reingest.title', { name }),
    text: t('outputs.reingest.text', { count: counts.delivered }),
    verb: t('outputs.reingest'),
  }
  const removal = {
    title: t('outputs.remove.title', { name }),
    text: t('outputs.remove.text'),
    verb: t('outputs.remove'),
  }
  return (
    <div className={styles.setting} role="group" aria-label={name}>
      <Stack gap={4}>
        <Text fw={600}>{name}</Text>
        {description !== '' && <Text size="sm">{description}</Text>}
        <Text size="sm" c="dimmed">
          {[kind, t('outputs.jobs', { jobs: row.jobs })].join(' · ')}
        </Text>
        <Text size="sm">{t('outputs.counts', { ...counts, waiting: counts.waiting + pending })}</Text>
        {check.is === 'ready' && (
          <Text size="sm" role="status">
            {t(problem ?? check.value.status)}
          </Text>
        )}
        {check.is === 'refused' && <FaultNote fault={check.fault} />}
        {refusal && <FaultNote fault={refusal} />}
      </Stack>
      <Group gap="xs" className={styles.settingAction}>
        {counts.failed > 0 && (
          <IconAction
            icon={RotateCcw}
            name={t('outputs.retry')}
            onClick={() => void act(() => services.outputs.retry({ name }))}
          />
        )}
        <IconAction icon={RefreshCw} name={t('outputs.check.what', { name })} onClick={load} />
        <IconAction
          icon={Send}
          name={t('outputs.reingest')}
          onClick={() => void act(() => services.outputs.reingest({ name }), reingest)}
        />
        <IconAction icon={Pencil} name={t('outputs.edit.what', { name })} onClick={onEdit} />
        <IconAction
          icon={Trash2}
          name={t('outputs.remove.what', { name })}
          onClick={() => void act(() => services.outputs.remove({ name }), removal)}
        />
      </Group>
    </div>
  )
}

/** Whether an output can be used: checked when it is shown and when its settings change; the second value checks it again. */
function useCheck({ name, settings }: OutputRow) {
  const { services } = useSession()
  // Rows are new objects whenever a document was delivered.
  const written = JSON.stringify(settings)
  return useLoaded(useCallback(() => services.outputs.check({ name }), [services, name, written]))
}

/** Runs calls, after a question where there is one, and keeps the last refusal. */
function useActions() {
  const confirm = useConfirm()
  const [refusal, setRefusal] = useState<Fault | null>(null)
  return {
    refusal,
    async act(call: () => Promise<unknown>, question?: Parameters<typeof confirm>[0]): Promise<void> {
      if (question && !(await confirm(question))) return
      setRefusal(null)
      try {
        await call()
      } catch (error) {
        setRefusal(faultFrom(error))
      }
    },
  }
}
