/** Which name a file gets that has been brought in: the one that it wants, or the next number of it where another file has
 *  that, or one that differs only in capital letters. */
import type { Store } from '../../storage/storage.ts'
import { nameStatements } from '../model/fileNames.sql.ts'
import { numbered } from './importedName.ts'

export function freeNames(store: Store): (wanted: string) => string {
  const { alike } = nameStatements(store)
  return (wanted) => {
    for (let number = 1; ; number += 1) {
      const name = numbered(wanted, number)
      if (!alike.get({ name })) return name
    }
  }
}
