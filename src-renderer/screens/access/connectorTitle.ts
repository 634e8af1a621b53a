/** Names of connectors. A module of the user has the name under which it was installed. */
import type { Translate } from '../../words/words.tsx'
import { isBuiltIn } from './connectorFields.ts'

export function connectorTitle(t: Translate, name: string): string {
  return isBuiltIn(name) ? t(`authorities.connector.${name}`) : name
}
