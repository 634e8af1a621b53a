/** Explains how a URL is answered: the URL of a response, of a missing resource, or a typed one. */
import { Button, Drawer, TextInput } from '@mantine/core'
import { useCallback, useState, type SubmitEvent } from 'react'
import { Await } from '../../parts/Await.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { addressTyped } from './addressTyped.ts'
import { ExplanationView } from './ExplanationView.tsx'
import type { Explainable, Overlay } from './overlay.ts'
import styles from './viewer.module.css'

interface ExplainDrawerProps {
  /** Null while the drawer is closed. */
  overlay: Extract<Overlay, { is: 'explain' }> | null
  onClose: () => void
}

export function ExplainDrawer({ overlay, onClose }: ExplainDrawerProps) {
  const t = useWords()
  return (
    <Drawer
      opened={overlay !== null}
      onClose={onClose}
      position="right"
      size="min(760px, 92vw)"
      title={t('explain.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {overlay !== null && <Explain begin={overlay.asked ?? null} onClose={onClose} />}
    </Drawer>
  )
}

function Explain({ begin, onClose }: { begin: Explainable | null; onClose: () => void }) {
  const t = useWords()
  const [asked, setAsked] = useState(begin)
  const [typed, setTyped] = useState(begin?.url ?? '')
  const [problem, setProblem] = useState<string | null>(null)

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    const result = addressTyped(typed, window.location.origin)
    if ('problem' in result) return setProblem(t(`address.${result.problem}`))
    setProblem(null)
    setTyped(result.url)
    // The same address keeps the method and purpose of its request.
    setAsked(result.url === asked?.url ? asked : { url: result.url, method: 'GET', isPage: true })
  }

  return (
    <>
      <form className={styles.explainAsked} onSubmit={submit} aria-label={t('explain.ask')}>
        <TextInput
          label={t('explain.address')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={problem}
          spellCheck={false}
          data-autofocus={begin === null ? true : undefined}
        />
        <Button type="submit" variant={asked === null ? 'filled' : 'default'}>
          {t('explain.ask')}
        </Button>
      </form>
      {asked === null ? (
        <p className="dimmed">{t('explain.nothing')}</p>
      ) : (
        <Explained key={`${asked.method} ${asked.url} ${asked.answer}`} asked={asked} onClose={onClose} />
      )}
    </>
  )
}

function Explained({ asked: { url, method, isPage, answer }, onClose }: { asked: Explainable; onClose: () => void }) {
  const { services } = useSession()
  const [explanation, again] = useLoaded(
    useCallback(
      () => services.viewer.explain({ url, method, isPage, answer }),
      [services, url, method, isPage, answer],
    ),
  )
  return (
    <Await of={explanation} onRetry={again}>
      {(explanation) => <ExplanationView explanation={explanation} onClose={onClose} />}
    </Await>
  )
}
