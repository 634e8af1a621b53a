/** The one way to a sentence: `say('jobs.title')`. Which language is spoken is decided here and nowhere else. What the
 *  engine says (faults, meanings of states and settings) comes in the engine's own words. */
import { useMemo, type ReactNode } from 'react'
import { IntlProvider, useIntl } from 'react-intl'
import { en, type WordId } from './en.ts'

export type { WordId }
export type Say = (id: WordId, values?: Record<string, string | number>) => string

/** Whether there is a sentence of this name: for names that are made of what the engine says. */
export function isWord(id: string): id is WordId {
  return Object.hasOwn(en, id)
}

export function WordsProvider({ children }: { children: ReactNode }) {
  return (
    <IntlProvider locale="en" messages={en}>
      {children}
    </IntlProvider>
  )
}

export function useWords(): Say {
  const intl = useIntl()
  return useMemo<Say>(() => (id, values) => intl.formatMessage({ id }, values), [intl])
}

export function useLocale(): string {
  return useIntl().locale
}
