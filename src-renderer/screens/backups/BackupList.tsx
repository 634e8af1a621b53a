/** The backups that lie in the folder, each with its state, verifying it, and the way to restore it. */
import { Button, Group } from '@mantine/core'
import { ShieldCheck } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { BackupRow } from '../../../src-main/contract/services/backups.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { stateTones } from './backupLooks.ts'
import { RestoreDialog } from './RestoreDialog.tsx'

export function BackupList() {
  const t = useWords()
  const { backups } = useSession()
  const { rows, load, running, asked, verify } = useStore(backups)
  const [restored, setRestored] = useState<BackupRow | null>(null)
  const why = running !== null || asked !== null ? t('backups.make.why') : null
  const columns = useColumns(why, setRestored)
  return (
    <Section
      title={t('backups.list')}
      actions={
        <ActionButton
          size="xs"
          variant="default"
          why={why}
          leftSection={<ShieldCheck size={16} aria-hidden />}
          onClick={() => void verify(null)}
        >
          {t('backups.verifyAll')}
        </ActionButton>
      }
    >
      <Await of={rows} onRetry={() => void load()}>
        {(list) => (
          <Table
            label={t('backups.list')}
            rows={list}
            columns={columns}
            rowKey={({ name }) => name}
            tools={false}
            empty={<EmptyState title={t('backups.none')} text={t('backups.none.text')} />}
          />
        )}
      </Await>
      <RestoreDialog backup={restored} onClose={() => setRestored(null)} />
    </Section>
  )
}

function useColumns(why: string | null, onRestore: (row: BackupRow) => void): Column<BackupRow>[] {
  const t = useWords()
  const { backups } = useSession()
  const { count, bytes } = useFormats()
  return useMemo(() => {
    const moment = (time: string | undefined) => (time === undefined ? '–' : timeUtc(time).slice(0, 16))
    return [
      {
        id: 'made',
        head: t('backups.column.made'),
        value: ({ manifest }) => manifest?.made ?? null,
        cell: ({ manifest }) => moment(manifest?.made),
        width: 150,
      },
      {
        id: 'state',
        head: t('backups.column.state'),
        value: ({ state }) => t(`backups.state.${state}`),
        cell: ({ state, problem }) => (
          <ToneBadge
            tone={stateTones[state]}
            text={t(`backups.state.${state}`)}
            meaning={problem ?? (state === 'otherArchive' ? t('backups.state.otherArchive.meaning') : undefined)}
          />
        ),
        width: 130,
      },
      {
        id: 'verified',
        head: t('backups.column.verified'),
        value: ({ manifest }) => manifest?.verified ?? null,
        cell: ({ manifest }) => moment(manifest?.verified),
        width: 150,
      },
      {
        id: 'size',
        head: t('backups.column.size'),
        value: ({ manifest }) => manifest?.bytes ?? null,
        cell: ({ manifest }) => (manifest ? bytes(manifest.bytes) : '–'),
        width: 95,
        numeric: true,
      },
      {
        id: 'jobs',
        head: t('backups.column.jobs'),
        value: ({ manifest }) => manifest?.jobs ?? null,
        cell: ({ manifest }) => (manifest ? count(manifest.jobs) : '–'),
        width: 75,
        numeric: true,
      },
      {
        id: 'files',
        head: t('backups.column.files'),
        value: ({ manifest }) => manifest?.files ?? null,
        cell: ({ manifest }) => (manifest ? count(manifest.files) : '–'),
        width: 85,
        numeric: true,
      },
      {
        id: 'name',
        head: t('backups.column.name'),
        value: ({ name }) => name,
        cell: ({ name, path }) => (
          <span className="mono" title={path}>
            {name}
          </span>
        ),
        widthMin: 310,
      },
      {
        id: 'actions',
        head: t('backups.column.actions'),
        value: () => null,
        cell: (row) => (
          <Group gap={6} wrap="nowrap">
            <ActionButton
              size="compact-xs"
              variant="default"
              why={why}
              aria-label={t('backups.verify.of', { name: row.name })}
              onClick={() => void backups.getState().verify(row.name)}
            >
              {t('backups.verify')}
            </ActionButton>
            {row.state === 'good' && (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={t('backups.restore.of', { name: row.name })}
                onClick={() => onRestore(row)}
              >
                {t('backups.restore')}
              </Button>
            )}
          </Group>
        ),
        width: 165,
      },
    ]
  }, [t, backups, count, bytes, why, onRestore])
}
