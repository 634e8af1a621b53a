/** Opens the import when files are dropped anywhere on the window, and shows a hint while they hover over it. Without this a browser would
 *  leave Loupe and show the file. */
import { Upload } from 'lucide-react'
import { useEffect, useState } from 'react'
import { carriesFiles, droppedFiles } from '../../parts/droppedFiles.ts'
import { showNotice } from '../../parts/notice.ts'
import { faultFrom } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import styles from './import.module.css'

export function DropAnywhere() {
  const t = useWords()
  const hovering = useDroppedFiles()
  if (!hovering) return null
  return (
    <div className={styles.dropAnywhere} aria-hidden>
      <div className={styles.dropAnywhereSign}>
        <Upload size={40} />
        <span>{t('import.dropAnywhere')}</span>
      </div>
    </div>
  )
}

/** True while files hover over the window. */
function useDroppedFiles(): boolean {
  const t = useWords()
  const { basket, dialogs, shell } = useSession()
  const [hovering, setHovering] = useState(false)
  useEffect(() => {
    /** Entering a child comes before leaving its parent, so they are counted. */
    let depth = 0
    const hover = (change: 1 | -1) => (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      depth = Math.max(0, depth + change)
      setHovering(depth > 0)
    }
    const over = (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer) || !event.dataTransfer) return
      event.preventDefault()
      event.dataTransfer.dropEffect = basket.getState().starting ? 'none' : 'copy'
    }
    const drop = (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer) || !event.dataTransfer) return
      event.preventDefault()
      depth = 0
      setHovering(false)
      if (basket.getState().starting) return
      dialogs.getState().show('import')
      droppedFiles(event.dataTransfer, { asPaths: shell.files.are === 'paths' })
        .then((found) => basket.getState().add(found))
        .catch((error: unknown) =>
          showNotice({ isError: true, title: t('import.unreadable'), message: faultFrom(error).message }),
        )
    }
    const heard = { dragenter: hover(1), dragleave: hover(-1), dragover: over, drop }
    for (const [name, listener] of Object.entries(heard)) window.addEventListener(name, listener as EventListener)
    return () => {
      for (const [name, listener] of Object.entries(heard)) window.removeEventListener(name, listener as EventListener)
    }
  }, [basket, dialogs, shell, t])
  return hovering
}
