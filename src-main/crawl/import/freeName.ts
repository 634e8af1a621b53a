/** Which name a file gets that has been brought in: the one that it wants, or the next number of it where another file has
 *  that, or one that differs only in capital letters. The very same file under the same name is not taken twice. */
import type { Archive } from '../../archive/archive.ts'
import type { Store } from '../../storage/storage.ts'
import { nameStatements } from '../names.sql.ts'
import { importStatements } from './imports.sql.ts'
import { numbered } from './importedName.ts'

export type NameFound = { kind: 'free'; name: string } | { kind: 'known'; name: string }

/** `sha256`: of the file as it lies where it came from. */
export function nameFinder({ store, archive }: { store: Store; archive: Archive }) {
  const sql = importStatements(store)
  const { alike } = nameStatements(store)

  /** The checksums that the holder of this name has, had before it came here, or both: none where it is another name that
   *  only some disks keep apart. Undefined when nobody holds it. */
  function checksumsOf(name: string): (string | null)[] | undefined {
    if (!alike.get({ name })) return undefined
    return [archive.file(name)?.sha256 ?? null, sql.named.get({ name })?.sha256 ?? null]
  }

  return (wanted: string, sha256: string): NameFound => {
    for (let number = 1; ; number += 1) {
      const name = numbered(wanted, number)
      const checksums = checksumsOf(name)
      if (!checksums) return { kind: 'free', name }
      if (checksums.includes(sha256)) return { kind: 'known', name }
    }
  }
}
