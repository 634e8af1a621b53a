/** Saved selections, each with a button to open it and one to delete it. */
import { Button } from '@mantine/core'
import { Bookmark, X } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useStore } from 'zustand'
import type { Loupe } from '../../../src-main/contract/contract.ts'
import type { Fault } from '../../../src-main/contract/calls/faults.ts'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { timeUtc } from '../../parts/formats.ts'
import { IconAction } from '../../parts/IconAction.tsx'
import { Section } from '../../parts/Section.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { faultFrom, valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords, type Translate } from '../../words/words.tsx'
import { selectionNamed } from '../selection/selectionWords.ts'
import styles from './viewer.module.css'

type Kept = Awaited<ReturnType<Loupe['viewer']['kept']>>[number]

export function KeptChoices({ onChosen }: { onChosen?: () => void }) {
  const t = useWords()
  const { services, view: store } = useSession()
  const { open } = useStore(store)
  const [kept, loadAgain] = useLoaded(useCallback(() => services.viewer.kept({}), [services]))
  const [refusal, setRefusal] = useState<Fault | null>(null)
  if (kept.is === 'refused') return <FaultNote fault={kept.fault} onRetry={loadAgain} />
  const choices = valueOf(kept) ?? []
  if (choices.length === 0) return null

  async function forget(name: string): Promise<void> {
    setRefusal(null)
    try {
      await services.viewer.forget({ name })
    } catch (error) {
      setRefusal(faultFrom(error))
    }
    loadAgain()
  }

  return (
    <Section title={t('kept.title')}>
      {refusal && <FaultNote fault={refusal} />}
      <ul className={styles.keptChoices} aria-label={t('kept.title')}>
        {choices.map(({ name, ...choice }) => (
          <li key={name}>
            <Button
              variant="default"
              leftSection={<Bookmark size={16} aria-hidden />}
              aria-label={t('kept.open', { name })}
              onClick={() => {
                onChosen?.()
                void open(choice)
              }}
            >
              {name}
            </Button>
            <span className={`dimmed ${styles.keptWhat}`}>{whatOf(choice, t)}</span>
            <IconAction
              needs="viewer.forget"
              name={t('kept.forget', { name })}
              icon={X}
              onClick={() => void forget(name)}
            />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function whatOf({ at, withinDays, isExact, ...selection }: Omit<Kept, 'name'>, t: Translate): string {
  const moment = at === 'newest' || at === 'oldest' ? t(`kept.${at}`) : t('kept.nearest', { time: timeUtc(at) })
  return [
    selectionNamed(t, selection),
    moment,
    ...(withinDays === undefined ? [] : [t('kept.within', { days: withinDays })]),
    ...(isExact ? [t('viewer.exact')] : []),
  ].join(' · ')
}
