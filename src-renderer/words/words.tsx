/**
 * The way to text in components: `const t = useWords()`, then `t('jobs.title')` for text of the interface and `t(row.message)` for a message
 * of the engine.
 */
import type { ReactNode } from 'react'
import { RawIntlProvider, useIntl } from 'react-intl'
import { en, type WordId } from './en.ts'
import { intl, translate, type Translate } from './language.ts'

export type { Translate, WordId }

/** Whether there is a text with this key: for keys that are made of values from the engine. */
export function isWord(id: string): id is WordId {
  return Object.hasOwn(en, id)
}

export function WordsProvider({ children }: { children: ReactNode }) {
  return <RawIntlProvider value={intl}>{children}</RawIntlProvider>
}

/** The same function in every render, so it needs no place among the dependencies of an effect. */
export function useWords(): Translate {
  return translate
}

/** Locale for numbers and dates, as a BCP 47 tag. */
export function useLocale(): string {
  return useIntl().locale
}
