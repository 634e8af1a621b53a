/** The interface's language, chosen here and nowhere else. `sentence` is for code outside of components, such as the links to the
 *  engine; components use `useWords`. */
import { createIntl } from 'react-intl'
import { en, type WordId } from './en.ts'

export const intl = createIntl({ locale: 'en', messages: en })

export function sentence(id: WordId, values?: Record<string, string | number>): string {
  return intl.formatMessage({ id }, values)
}
