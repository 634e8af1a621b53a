/** The end of a form in a dialog: what the engine refused about the whole form, and the button that submits. */
import { Group } from '@mantine/core'
import { Save } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import type { CallName } from '../state/callerRoles.ts'
import { ActionButton } from './ActionButton.tsx'
import { FaultNote } from './FaultNote.tsx'

interface FormEndProps {
  refusal: Fault | null
  verb: string
  /** Why it cannot be submitted now. */
  why: string | null
  /** The call that submits it. */
  needs?: CallName
  /** Further actions, on the other side. */
  aside?: ReactNode
}

export function FormEnd({ refusal, verb, why, needs, aside = <span /> }: FormEndProps) {
  return (
    <>
      {refusal && <FaultNote fault={refusal} />}
      <Group justify="space-between" className="form-end">
        {aside}
        <ActionButton
          type="submit"
          leftSection={<Save size={16} aria-hidden />}
          why={why}
          needs={needs}
          onClick={() => undefined}
        >
          {verb}
        </ActionButton>
      </Group>
    </>
  )
}
