/** Area in which files are dropped or chosen for an import. Files may also be dropped anywhere in the window (`DropAnywhere`). */
import { Button, Group, Text } from '@mantine/core'
import { Files, FolderOpen, Upload } from 'lucide-react'
import { useRef, type ChangeEvent } from 'react'
import { chosenInFolder, type FoundFiles } from '../../parts/droppedFiles.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import styles from './import.module.css'

/** An attribute that every browser has and React's types do not. */
const folderOnly = { webkitdirectory: '' }

export function DropZone() {
  const t = useWords()
  const { basket } = useSession()
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)

  function take(event: ChangeEvent<HTMLInputElement>, found: (chosen: File[]) => FoundFiles): void {
    basket.getState().add(found([...(event.currentTarget.files ?? [])]))
    // Otherwise choosing the same file again, for example after it was removed from the list, would cause no event.
    event.currentTarget.value = ''
  }

  return (
    <div className={styles.dropZone} data-drop-zone>
      <Upload size={28} aria-hidden />
      <Text fw={600}>{t('import.drop')}</Text>
      <Text size="sm" c="dimmed" ta="center">
        {t('import.kinds')}
      </Text>
      <Group gap="xs" justify="center" mt={4}>
        <Button
          variant="default"
          leftSection={<Files size={16} aria-hidden />}
          onClick={() => files.current?.click()}
          data-autofocus
        >
          {t('import.choose')}
        </Button>
        <Button
          variant="default"
          leftSection={<FolderOpen size={16} aria-hidden />}
          onClick={() => folder.current?.click()}
        >
          {t('import.chooseFolder')}
        </Button>
      </Group>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label={t('import.choose')}
        onChange={(event) => take(event, (chosen) => ({ files: chosen, skipped: 0 }))}
      />
      <input
        ref={folder}
        type="file"
        {...folderOnly}
        hidden
        aria-label={t('import.chooseFolder')}
        onChange={(event) => take(event, chosenInFolder)}
      />
    </div>
  )
}
