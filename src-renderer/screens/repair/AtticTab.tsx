/** The attic: copies that a repair replaced, where their content is, and whether it has changed since. */
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { AtticEntry } from '../../../src-main/contract/services/attic.ts'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Section } from '../../parts/Section.tsx'
import { VirtualList } from '../../parts/VirtualList.tsx'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { ListCut } from '../copies/ListCut.tsx'
import { AtticRestore } from './AtticRestore.tsx'
import { AtticRow } from './AtticRow.tsx'
import styles from './repair.module.css'

export function AtticTab() {
  const t = useWords()
  const { repairs: store } = useSession()
  const { attic, load, checkPresence } = useStore(store)
  useEffect(() => void load(), [load])
  // The content of an entry may have been moved, and new entries have not been verified yet.
  const newest = valueOf(attic)?.[0]
  const newestState = newest && `${newest.id} ${newest.where}`
  useEffect(() => {
    if (newestState !== undefined) void checkPresence()
  }, [checkPresence, newestState])
  const [restored, setRestored] = useState<AtticEntry | null>(null)
  return (
    <Await of={attic} onRetry={() => void load()}>
      {(entries) =>
        entries.length === 0 ? (
          <EmptyState title={t('attic.none')} text={t('attic.none.text')} />
        ) : (
          <Section title={t('attic.title')}>
            <p className="dimmed lead">{t('attic.text')}</p>
            <div className={styles.attic}>
              <VirtualList label={t('attic.title')} rows={entries} rowKey={({ id }) => id}>
                {(entry) => <AtticRow entry={entry} onRestore={() => setRestored(entry)} />}
              </VirtualList>
            </div>
            <ListCut of="attic" count={entries.length} />
            <AtticRestore entry={restored} onClose={() => setRestored(null)} />
          </Section>
        )
      }
    </Await>
  )
}
