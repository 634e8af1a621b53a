/** What all domains share: lists of crawler traps, and the further fields that the institution defines. */
import { ExtendedFieldList } from './ExtendedFieldList.tsx'
import { TrapLists } from './TrapLists.tsx'

export function TrapsTab() {
  return (
    <>
      <TrapLists />
      <ExtendedFieldList />
    </>
  )
}
