/** Searches for text in the page of a native view. Frames are searched by the browser's own search. */
import { TextInput } from '@mantine/core'
import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconAction } from '../../parts/IconAction.tsx'
import type { Found, LoupePage } from '../../links/window.ts'
import { useWords } from '../../words/words.tsx'
import styles from './viewer.module.css'

export function FindBar({ page, onClose }: { page: LoupePage; onClose: () => void }) {
  const t = useWords()
  const [text, setText] = useState('')
  const [found, setFound] = useState<Found | null>(null)
  useEffect(() => page.onFound(setFound), [page])
  useEffect(() => () => page.find('', true), [page])
  const find = (isForward: boolean) => page.find(text, isForward)

  return (
    <form
      className={styles.findBar}
      role="search"
      aria-label={t('find.title')}
      onSubmit={(event) => {
        event.preventDefault()
        find(true)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <TextInput
        aria-label={t('find.title')}
        placeholder={t('find.title')}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setFound(null)
          page.find(event.currentTarget.value, true)
        }}
        autoFocus
        spellCheck={false}
      />
      <span className="dimmed tabular" role="status">
        {found && text !== '' && t('find.found', { matches: found.matches, active: found.active })}
      </span>
      <IconAction name={t('find.previous')} icon={ArrowUp} onClick={() => find(false)} />
      <IconAction name={t('find.next')} icon={ArrowDown} onClick={() => find(true)} />
      <IconAction name={t('find.close')} icon={X} onClick={onClose} />
    </form>
  )
}
