/** Names the job of a capture, and says if its captures are in the view as an overlay. */
import { useStore } from 'zustand'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'

export function useJobText(): (job: number) => string {
  const t = useWords()
  const { view: store } = useSession()
  const overlays = valueOf(useStore(store).view)?.overlays ?? []
  return (job) => {
    const isOverlay = overlays.some((overlay) => overlay.isShown && overlay.job === job)
    return t(isOverlay ? 'viewer.fromOverlay' : 'viewer.fromJob', { job })
  }
}
