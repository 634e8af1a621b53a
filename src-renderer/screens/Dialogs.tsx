/** The dialogs that may lie over any screen, and what opens them from anywhere: the menu, keys, files dropped on the window.
 *  Electron's menu has the keys itself; in a browser they are listened for here. */
import { useHotkeys } from '@mantine/hooks'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { isDialog } from '../state/dialogs.ts'
import { useSession } from '../state/session.tsx'
import { CheckDialog } from './archive/CheckDialog.tsx'
import { ExportDialog } from './export/ExportDialog.tsx'
import { HarvestDrawer } from './harvest/HarvestDrawer.tsx'
import { DropAnywhere } from './import/DropAnywhere.tsx'
import { ImportDialog } from './import/ImportDialog.tsx'

export function Dialogs() {
  const { dialogs, shell } = useSession()
  const { open, show, close } = useStore(dialogs)
  useEffect(
    () =>
      shell.onCommand((command) => {
        if (isDialog(command)) show(command)
      }),
    [shell, show],
  )
  // Ctrl+N belongs to the browser; these two it leaves to the page. The empty list: in a text field too.
  useHotkeys(
    [
      ['mod+I', () => show('import')],
      ['mod+E', () => show('export')],
    ],
    [],
  )
  return (
    <>
      <HarvestDrawer opened={open === 'harvest'} onClose={close} />
      <ImportDialog opened={open === 'import'} onClose={close} />
      <ExportDialog opened={open === 'export'} onClose={close} />
      <CheckDialog open={open} onClose={close} />
      <DropAnywhere />
    </>
  )
}
