/** The dialogs that can be opened over any screen, and what opens them: the menu, keys, and files dropped on the window. Electron's menu
 *  handles the keys itself; in a browser they are handled here. */
import { useHotkeys } from '@mantine/hooks'
import { useEffect, useEffectEvent } from 'react'
import { useStore } from 'zustand'
import { useMayLose, useUnsavedScope } from '../parts/unsaved.tsx'
import { isDialog, type Dialog } from '../state/dialogs.ts'
import { useSession } from '../state/session.tsx'
import { CheckDialog } from '../screens/archive/CheckDialog.tsx'
import { ExportDialog } from '../screens/export/ExportDialog.tsx'
import { HarvestDrawer } from '../screens/harvest/HarvestDrawer.tsx'
import { DropAnywhere } from '../screens/import/DropAnywhere.tsx'
import { ImportDialog } from '../screens/import/ImportDialog.tsx'
import { QuickOpen } from '../screens/quickOpen/QuickOpen.tsx'

export function Dialogs() {
  const { dialogs, shell } = useSession()
  const { open, show, close } = useStore(dialogs)
  const inputs = useUnsavedScope()
  const mayLose = useMayLose()
  /** Only one dialog is open at a time: a new one replaces it. */
  async function showInPlace(dialog: Dialog): Promise<void> {
    if (open === null || open === dialog || (await mayLose(inputs))) show(dialog)
  }
  const obey = useEffectEvent((command: string) => {
    if (isDialog(command)) void showInPlace(command)
  })
  useEffect(() => shell.onCommand((command) => obey(command)), [shell])
  // Browsers reserve Ctrl+N, but not these. The empty list makes them work in text fields too.
  useHotkeys(
    [
      ['mod+I', () => void showInPlace('import')],
      ['mod+E', () => void showInPlace('export')],
      ['mod+K', () => void showInPlace('quickOpen')],
    ],
    [],
  )
  return (
    <>
      <HarvestDrawer opened={open === 'harvest'} onClose={close} />
      <ImportDialog opened={open === 'import'} onClose={close} />
      <ExportDialog opened={open === 'export'} onClose={close} />
      <CheckDialog open={open} onClose={close} />
      <QuickOpen opened={open === 'quickOpen'} onClose={close} />
      <DropAnywhere />
    </>
  )
}
