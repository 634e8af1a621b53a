/** Shown in place of responses that are no page. A sandboxed frame may neither run a PDF viewer nor save files, so it would stay empty
 *  without an explanation, as for a response without content. */
import { Button, Group } from '@mantine/core'
import type { Answer } from '../../../src-main/contract/services/viewer.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { useFormats } from '../../parts/formats.ts'
import { hasNoContent } from '../../state/pageOfAnswers.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { openWindow } from './openWindow.ts'
import styles from './viewer.module.css'

export function UnshownPage({ page }: { page: Answer }) {
  const t = useWords()
  const formats = useFormats()
  const { shell } = useSession()
  const { url, mediaType, bytes, file, offset, status } = page
  const isEmpty = hasNoContent(page)
  const facts = [mediaType, bytes === null ? null : formats.bytes(bytes)].filter((fact) => fact !== null)
  return (
    <div className={styles.viewerWait} role="status">
      <EmptyState
        title={t(isEmpty ? 'unshown.empty' : mediaType === 'application/pdf' ? 'unshown.pdf' : 'unshown.file')}
        text={isEmpty ? t('unshown.empty.text', { status }) : t('unshown.text')}
      >
        <span className="wrap">{[url, ...facts].join(' · ')}</span>
        <Group>
          {!shell.page && !isEmpty && <Button onClick={() => openWindow(url)}>{t('viewer.window')}</Button>}
          {file !== null && offset !== null && (
            <Button component="a" variant="default" href={hrefOf({ place: 'record', file, offset, number: null })}>
              {t('unshown.record')}
            </Button>
          )}
        </Group>
      </EmptyState>
    </div>
  )
}
