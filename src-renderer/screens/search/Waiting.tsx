/** Shown while the first answer to a query is awaited. */
import { Loader } from '@mantine/core'
import { useWords } from '../../words/words.tsx'
import styles from './search.module.css'

export function Waiting() {
  const t = useWords()
  return (
    <div className={styles.waiting} role="status">
      <Loader size="sm" aria-hidden /> {t('search.searching')}
    </div>
  )
}
