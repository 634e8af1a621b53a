/** The way to text in components: `const t = useWords()`, then `t('jobs.title')`. */
import { useMemo, type ReactNode } from 'react'
import { RawIntlProvider, useIntl } from 'react-intl'
import { intl } from './sentences.ts'
import { en, type WordId } from './en.ts'

export type { WordId }
export type Translate = (id: WordId, values?: Record<string, string | number>) => string

/** Whether there is a text with this key: for keys that are made of values from the engine. */
export function isWord(id: string): id is WordId {
  return Object.hasOwn(en, id)
}

export function WordsProvider({ children }: { children: ReactNode }) {
  return <RawIntlProvider value={intl}>{children}</RawIntlProvider>
}

export function useWords(): Translate {
  const intl = useIntl()
  return useMemo<Translate>(() => (id, values) => intl.formatMessage({ id }, values), [intl])
}

export function useLocale(): string {
  return useIntl().locale
}
