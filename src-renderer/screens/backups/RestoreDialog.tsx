/** Shows the command that restores a backup. It is not run here, because the archive has to be closed for it. */
import { Modal, Stack, Text } from '@mantine/core'
import { useCallback } from 'react'
import type { BackupRow } from '../../../src-main/contract/services/backups.ts'
import { Await } from '../../parts/Await.tsx'
import { CopyAction } from '../../parts/CopyAction.tsx'
import { timeUtc } from '../../parts/formats.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { restoreCommand } from './backupLooks.ts'

export function RestoreDialog({ backup, onClose }: { backup: BackupRow | null; onClose: () => void }) {
  const t = useWords()
  return (
    <Modal
      opened={backup !== null}
      onClose={onClose}
      size="xl"
      title={t('backups.restore.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {backup && <Steps backup={backup} />}
    </Modal>
  )
}

function Steps({ backup: { name, manifest } }: { backup: BackupRow }) {
  const t = useWords()
  const { services } = useSession()
  const ask = useCallback(() => services.system.about({}), [services])
  const [about, again] = useLoaded(ask)
  return (
    <Await of={about} onRetry={again}>
      {({ archive }) => {
        const command = restoreCommand(archive, name)
        return (
          <Stack gap="sm">
            <Text>{t('backups.restore.text')}</Text>
            <span className="with-copy command">
              <code className="mono wrap">{command}</code>
              <CopyAction text={command} what={t('backups.restore.what')} />
            </span>
            <Text size="sm">{t('backups.restore.safe')}</Text>
            {manifest && (
              <Text size="sm">{t('backups.restore.after', { made: timeUtc(manifest.confirmed).slice(0, 16) })}</Text>
            )}
          </Stack>
        )
      }}
    </Await>
  )
}
