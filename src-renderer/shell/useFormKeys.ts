/** Keys that depend on where somebody types: Ctrl+Enter submits a form from any of its fields, and `?` outside of text fields lists the keys. */
import { useEffect, useEffectEvent } from 'react'

const textField = 'input, textarea, select, [contenteditable="true"]'

export function useFormKeys({ onHelp }: { onHelp: () => void }): void {
  const help = useEffectEvent(onHelp)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey } = event
      if (event.defaultPrevented || !(target instanceof Element)) return
      const isModified = ctrlKey || metaKey
      if (key === 'Enter' && isModified && !altKey) submit(target.closest('form'), event)
      else if (key === '?' && !isModified && !altKey && !target.matches(textField)) help()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** Presses the form's button, which is disabled while the form must not be submitted. */
function submit(form: HTMLFormElement | null, event: KeyboardEvent): void {
  const button = form?.querySelector<HTMLButtonElement>('button[type="submit"]')
  if (!button) return
  event.preventDefault()
  button.click()
}
