/** Files gathered for an import, each with its size and a button to remove it; and rejected ones, with the reason. */
import { X } from 'lucide-react'
import { useStore } from 'zustand'
import { useFormats } from '../../parts/formats.ts'
import { IconAction } from '../../parts/IconAction.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { VirtualList } from '../../parts/VirtualList.tsx'
import type { Gathered } from '../../state/basket.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import styles from './import.module.css'

export function GatheredList() {
  const t = useWords()
  const { basket } = useSession()
  const { gathered, remove } = useStore(basket)
  if (gathered.length === 0) return null
  return (
    <div className="gathered">
      <VirtualList label={t('import.gathered')} rows={gathered} rowKey={({ id }) => id}>
        {(one) => <Row one={one} onRemove={() => remove(one.id)} />}
      </VirtualList>
    </div>
  )
}

function Row({ one, onRemove }: { one: Gathered; onRemove: () => void }) {
  const t = useWords()
  const { bytes } = useFormats()
  const path = typeof one.from === 'string' ? one.from : one.name
  return (
    <div className={styles.gatheredRow}>
      <span className={styles.gatheredName} title={path}>
        {one.name}
      </span>
      {one.problem && <ToneBadge tone="attention" text={t(`import.problem.${one.problem}`)} />}
      {one.bytes !== null && <span className="dimmed tabular">{bytes(one.bytes)}</span>}
      <IconAction name={t('import.remove', { name: one.name })} icon={X} onClick={onRemove} />
    </div>
  )
}
