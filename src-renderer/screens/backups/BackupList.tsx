/** Backups in the backup folder: their state, and how to verify and restore them. */
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import type { BackupRow } from '../../../src-main/contract/services/backups.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { useBackupColumns } from './backupColumns.tsx'
import { RestoreDialog } from './RestoreDialog.tsx'

export function BackupList() {
  const t = useWords()
  const { backups } = useSession()
  const { rows, load, running, asked, verify } = useStore(backups)
  const [restored, setRestored] = useState<BackupRow | null>(null)
  const why = running !== null || asked !== null ? t('backups.make.why') : null
  const columns = useBackupColumns(why, setRestored)
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
