/** The actions at the end of a row that can be edited and removed. */
import { Group } from '@mantine/core'
import { Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CallName } from '../state/callerRoles.ts'
import { IconAction } from './IconAction.tsx'

interface RowActionsProps {
  edit: string
  remove: string
  /** Why the row cannot be removed. */
  why?: string | null
  /** The calls that edit and remove. */
  needs: { edit: CallName; remove: CallName }
  onEdit: () => void
  onRemove: () => void
  /** Further actions. */
  children?: ReactNode
}

export function RowActions({ edit, remove, why, needs, onEdit, onRemove, children }: RowActionsProps) {
  return (
    <Group gap={4} wrap="nowrap">
      <IconAction name={edit} icon={Pencil} needs={needs.edit} onClick={onEdit} />
      {children}
      <IconAction name={remove} icon={Trash2} why={why} needs={needs.remove} onClick={onRemove} />
    </Group>
  )
}
