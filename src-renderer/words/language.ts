/**
 * The language of the interface, chosen here and nowhere else: its own texts and the templates of the engine's messages always have the
 * same language.
 */
import { createIntl, type IntlShape } from 'react-intl'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import { en as engineTemplates } from '../../src-main/contract/words/en.ts'
import type { Message } from '../../src-main/contract/words/message.ts'
import { rendererOf } from '../../src-main/contract/words/render.ts'
import { en, type WordId } from './en.ts'

const language = { locale: 'en', words: en, engineTemplates }

export interface Translate {
  /** Text of the interface. */
  (id: WordId, values?: Record<string, string | number>): string
  /** Text of a message of the engine: what a finding or a line of a log says. */
  (message: Message): string
}

export const intl = createIntl({ locale: language.locale, messages: language.words })

const renderMessage = rendererOf(language.locale, language.engineTemplates)

/** Separate from `translate` for tests that fail on a missing value, which only their own `intl` reports. */
export function translatorOf({ formatMessage }: IntlShape): Translate {
  return (word: WordId | Message, values?: Record<string, string | number>) =>
    typeof word === 'string' ? formatMessage({ id: word }, values) : renderMessage(word)
}

/** For code outside of components, such as the links to the engine. Components use `useWords`. */
export const translate = translatorOf(intl)

/** What failed, why, and what to do. English where the fault has no message but only a text, as one of a broken connection. */
export function faultText({ userMessage, message }: Fault): string {
  return userMessage ? translate(userMessage) : message
}
