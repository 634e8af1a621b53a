/** What can be done about selected misses: a patch job, an ignore rule, a note. */
import { useState } from 'react'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import type { CallName } from '../../state/callerRoles.ts'
import { useWords } from '../../words/words.tsx'
import { IgnoreForm } from './IgnoreForm.tsx'
import { NoteForm } from './NoteForm.tsx'
import { PatchForm } from './PatchForm.tsx'
import type { ChosenMiss } from './chosenMiss.ts'

export type MissAction = 'patch' | 'ignore' | 'annotate'

const calls: Record<MissAction, CallName> = { patch: 'misses.patch', ignore: 'misses.ignore', annotate: 'misses.note' }

interface MissActionsProps {
  chosen: readonly ChosenMiss[]
  /** Called when something was done. */
  onDone: (action: MissAction) => void
}

export function MissActions({ chosen, onDone }: MissActionsProps) {
  const t = useWords()
  const [action, setAction] = useState<MissAction | null>(null)
  const [first] = chosen
  const none = first === undefined ? t('missing.select.none') : null
  const isOfOneJob = chosen.every(({ job }) => job === first?.job)
  const why = { patch: none, ignore: none ?? (isOfOneJob ? null : t('missing.select.oneJob')), annotate: none }
  const close = () => setAction(null)
  const done = () => {
    close()
    if (action) onDone(action)
  }
  const titles = {
    patch: t('missing.patch.title', { count: chosen.length }),
    ignore: t('missing.ignore.title', { job: first?.job ?? 0 }),
    annotate: t('missing.annotate.title', { count: chosen.length }),
  }
  return (
    <>
      {(['patch', 'ignore', 'annotate'] as const).map((each) => (
        <ActionButton
          needs={calls[each]}
          key={each}
          size="xs"
          variant={each === 'patch' ? 'filled' : 'default'}
          why={why[each]}
          onClick={() => setAction(each)}
        >
          {t(`missing.${each}`)}
        </ActionButton>
      ))}
      <FormDialog opened={action !== null} onClose={close} size={560} title={action && titles[action]}>
        {action === 'patch' && <PatchForm chosen={chosen} onDone={done} />}
        {action === 'ignore' && <IgnoreForm chosen={chosen} onDone={done} />}
        {action === 'annotate' && <NoteForm chosen={chosen} onDone={done} />}
      </FormDialog>
    </>
  )
}
