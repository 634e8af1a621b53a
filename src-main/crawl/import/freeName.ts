/** Chooses the name of an imported file: the wanted one, or a numbered one if another file has that name or one that differs
 *  only in case. */
import type { Store } from '../../storage/storage.ts'
import { nameStatements } from '../model/fileNames.sql.ts'
import { numbered } from './importedName.ts'

/** Returns a function that maps a wanted name to a free one. */
export function freeNames(store: Store): (wanted: string) => string {
  const { alike } = nameStatements(store)
  return (wanted) => {
    for (let number = 1; ; number += 1) {
      const name = numbered(wanted, number)
      if (!alike.get({ name })) return name
    }
  }
}
