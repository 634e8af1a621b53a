/** Notice of a running upload when its dialog is closed: closing the window would stop the upload. */
import { Button } from '@mantine/core'
import { Upload } from 'lucide-react'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { HandOverMeter } from './ImportDialog.tsx'
import styles from './import.module.css'

export function HandOverNotice() {
  const t = useWords()
  const { basket, dialogs } = useSession()
  const { sending } = useStore(basket)
  const { open, show } = useStore(dialogs)
  const isSending = sending !== null
  useEffect(() => {
    if (!isSending) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isSending])
  if (!sending || open === 'import') return null
  return (
    <div className={`notice ${styles.noticeWork}`}>
      <Upload size={16} aria-hidden />
      <div className={styles.noticeMeter}>
        <HandOverMeter sending={sending} />
      </div>
      <Button size="xs" variant="default" onClick={() => show('import')}>
        {t('import.sending.show')}
      </Button>
    </div>
  )
}
