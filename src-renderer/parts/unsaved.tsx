/** Unsaved input, and the question before it is lost. Each form reports its input (`useUnsaved`). A dialog asks when it is closed
 *  (`useGuardedClose`), the application when its screen or window is left (`useGuardedPlace`). */
import { createContext, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { useWords } from '../words/words.tsx'
import { useConfirm } from './confirm.tsx'
import { unsavedInputs, type UnsavedInputs } from './unsavedInputs.ts'

const UnsavedContext = createContext<UnsavedInputs | null>(null)

/** Tracks unsaved input of everything below it, and reports it to the tracker around it. */
export function UnsavedScope({ inputs, children }: { inputs: UnsavedInputs; children: ReactNode }) {
  return <UnsavedContext value={inputs}>{children}</UnsavedContext>
}

export function useUnsavedScope(): UnsavedInputs {
  const inputs = useContext(UnsavedContext)
  if (!inputs) throw new Error('this needs an UnsavedScope above it')
  return inputs
}

/** Reports unsaved input while what is typed differs from what is saved. Call the returned function when the input has been saved or
 *  discarded, so that leaving right afterwards does not ask. */
export function useUnsaved(isTyped: boolean): () => void {
  const inputs = useUnsavedScope()
  const release = useRef<() => void>(() => undefined)
  useEffect(() => {
    if (!isTyped) return
    const end = inputs.hold()
    release.current = end
    return end
  }, [inputs, isTyped])
  return () => release.current()
}

interface GuardedClose {
  /** Must wrap the content of the dialog. */
  inputs: UnsavedInputs
  close: () => void
}

/** Guards every way to close a dialog: Escape, the backdrop and its button. */
export function useGuardedClose(onClose: () => void): GuardedClose {
  const outer = useUnsavedScope()
  const inputs = useMemo(() => unsavedInputs(outer), [outer])
  const mayLose = useMayLose()
  return { inputs, close: () => void mayLose(inputs).then((isAgreed) => isAgreed && onClose()) }
}

/** Returns a function that asks the user when `inputs` has unsaved input, and resolves with whether it may be lost. */
export function useMayLose(): (inputs: UnsavedInputs) => Promise<boolean> {
  const t = useWords()
  const confirm = useConfirm()
  return async (inputs) =>
    !inputs.isHeld() ||
    confirm({
      title: t('unsaved.title'),
      text: t('unsaved.text'),
      verb: t('unsaved.verb'),
      keep: t('unsaved.keep'),
    })
}

/** Number of entries in the window's history before the present one; always 0 in a browser that does not report it. */
const entryNow = () => window.navigation?.currentEntry?.index ?? 0

/** The place to show: that of the address, unless unsaved input would be lost and the user keeps it. While the question is open the history
 *  is moved back, so that the address is that of the visible screen. */
export function useGuardedPlace(inputs: UnsavedInputs, onLeft: () => void): string {
  const mayLose = useMayLose()
  const [shown, setShown] = useState(() => window.location.hash)
  const latest = useRef({ mayLose, onLeft, shown })
  useEffect(() => {
    latest.current = { mayLose, onLeft, shown }
  })
  useEffect(() => {
    let entry = entryNow()
    let agreed: string | null = null

    async function moved(): Promise<void> {
      const { mayLose: ask, onLeft: left, shown: before } = latest.current
      const wanted = window.location.hash
      const isAsked = inputs.isHeld() && wanted !== before && wanted !== agreed
      agreed = null
      if (!isAsked) {
        entry = entryNow()
        return setShown(wanted)
      }
      const by = entryNow() - entry
      if (by === 0) window.history.replaceState(window.history.state, '', before || '#/')
      else window.history.go(-by)
      if (!(await ask(inputs))) return
      left()
      agreed = wanted
      if (by === 0) window.location.replace(wanted)
      else window.history.go(by)
    }
    const onHashChange = () => void moved()
    // Two entries with one address can only be distinguished by their position.
    const note = () => void (window.location.hash === latest.current.shown && (entry = entryNow()))
    window.addEventListener('hashchange', onHashChange)
    window.addEventListener('popstate', note)
    return () => {
      window.removeEventListener('hashchange', onHashChange)
      window.removeEventListener('popstate', note)
    }
  }, [inputs])
  useEffect(() => {
    const leave = (event: BeforeUnloadEvent) => {
      if (inputs.isHeld()) event.preventDefault()
    }
    window.addEventListener('beforeunload', leave)
    return () => window.removeEventListener('beforeunload', leave)
  }, [inputs])
  return shown
}
