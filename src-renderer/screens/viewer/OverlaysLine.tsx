/** Names the overlays of the view, and shows the view with or without them. */
import { UnstyledButton } from '@mantine/core'
import { Layers } from 'lucide-react'
import { useStore } from 'zustand'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import styles from './viewer.module.css'

export function OverlaysLine() {
  const t = useWords()
  const { view: store } = useSession()
  const { view, choice, open } = useStore(store)
  const overlays = valueOf(view)?.overlays ?? []
  const [first] = overlays
  if (first === undefined) return null
  const isShown = overlays.every((overlay) => overlay.isShown)
  const names = overlays.map(({ name }) => name).join(', ')

  function turn(): void {
    const present = choice()
    if (present) void open({ ...present, withOverlays: !isShown })
  }

  return (
    <span className={styles.overlays}>
      <Layers size={14} aria-hidden />
      <span className={styles.overlayNames} title={names}>
        {t(isShown ? 'viewer.overlays.shown' : 'viewer.overlays.hidden', { count: overlays.length, name: first.name })}
      </span>
      <UnstyledButton className={styles.linkButton} onClick={turn}>
        {t(isShown ? 'viewer.overlays.hide' : 'viewer.overlays.show')}
      </UnstyledButton>
    </span>
  )
}
