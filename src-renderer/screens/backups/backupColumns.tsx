/** Columns of the list of backups. */
import { Button, Group } from '@mantine/core'
import { useMemo } from 'react'
import { useStore } from 'zustand'
import type { BackupRow } from '../../../src-main/contract/services/backups.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { timeUtc, useFormats, type Formats } from '../../parts/formats.ts'
import type { Column } from '../../parts/TableFrame.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useSession } from '../../state/session.tsx'
import { useWords, type Translate } from '../../words/words.tsx'
import { stateTones } from './backupLooks.ts'

type Columns = Column<BackupRow>[]

/** `why`: the reason why no backup can be verified now; null where one can. */
export function useBackupColumns(why: string | null, onRestore: (row: BackupRow) => void): Columns {
  const t = useWords()
  const formats = useFormats()
  return useMemo(
    () => [
      ...stateColumns(t),
      ...contentColumns(t, formats),
      {
        id: 'actions',
        head: t('backups.column.actions'),
        value: () => null,
        cell: (row) => <BackupActions row={row} why={why} onRestore={() => onRestore(row)} />,
        width: 165,
      },
    ],
    [t, formats, why, onRestore],
  )
}

function stateColumns(t: Translate): Columns {
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
          meaning={
            problem ? t(problem) : state === 'otherArchive' ? t('backups.state.otherArchive.meaning') : undefined
          }
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
  ]
}

function contentColumns(t: Translate, { count, bytes }: Formats): Columns {
  return [
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
  ]
}

interface BackupActionsProps {
  row: BackupRow
  why: string | null
  onRestore: () => void
}

/** Only a good backup can be restored. */
function BackupActions({ row, why, onRestore }: BackupActionsProps) {
  const t = useWords()
  const { verify } = useStore(useSession().backups)
  return (
    <Group gap={6} wrap="nowrap">
      <ActionButton
        size="compact-xs"
        variant="default"
        why={why}
        aria-label={t('backups.verify.of', { name: row.name })}
        onClick={() => void verify(row.name)}
      >
        {t('backups.verify')}
      </ActionButton>
      {row.state === 'good' && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t('backups.restore.of', { name: row.name })}
          onClick={onRestore}
        >
          {t('backups.restore')}
        </Button>
      )}
    </Group>
  )
}

/** In UTC, to the minute. */
function moment(time: string | undefined): string {
  return time === undefined ? '–' : timeUtc(time).slice(0, 16)
}
