/** The actions at the end of a row that can be edited and removed. */
import { Group } from '@mantine/core'
import { Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconAction } from './IconAction.tsx'

interface RowActionsProps {
  edit: string
  remove: string
  /** Why the row cannot be removed. */
  why?: string | null
  onEdit: () => void
  onRemove: () => void
  /** Further actions. */
  children?: ReactNode
}

export function RowActions({ edit, remove, why, onEdit, onRemove, children }: RowActionsProps) {
  return (
    <Group gap={4} wrap="nowrap">
      <IconAction name={edit} icon={Pencil} onClick={onEdit} />
      {children}
      <IconAction name={remove} icon={Trash2} why={why} onClick={onRemove} />
    </Group>
  )
}
