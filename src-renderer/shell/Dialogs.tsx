/** The dialogs that can be opened over any screen, and what opens them: the menu, keys, and files dropped on the window. Electron's menu
 *  handles the keys itself; in a browser they are handled here. */
import { useHotkeys } from '@mantine/hooks'
import { useEffect, useEffectEvent } from 'react'
import { useStore } from 'zustand'
import { showNotice } from '../parts/notice.ts'
import { useMay } from '../parts/useMay.ts'
import { useMayLose, useUnsavedScope } from '../parts/unsaved.tsx'
import { dialogCalls } from '../state/commandCalls.ts'
import { isDialog, openInViewerCommand, type Dialog } from '../state/dialogs.ts'
import { useSession } from '../state/session.tsx'
import { CheckDialog } from '../screens/archive/CheckDialog.tsx'
import { ExportDialog } from '../screens/export/ExportDialog.tsx'
import { HarvestDrawer } from '../screens/harvest/HarvestDrawer.tsx'
import { DropAnywhere } from '../screens/import/DropAnywhere.tsx'
import { ImportDialog } from '../screens/import/ImportDialog.tsx'
import { QuickOpen } from '../screens/quickOpen/QuickOpen.tsx'
import { Shortcuts } from '../screens/shortcuts/Shortcuts.tsx'
import { TasksPanel } from '../screens/tasks/TasksPanel.tsx'
import { goTo } from '../routes/routes.ts'
import { PasswordDialog } from './PasswordDialog.tsx'
import { useFormKeys } from './useFormKeys.ts'

export function Dialogs() {
  const { dialogs, shell } = useSession()
  const { open, show, close } = useStore(dialogs)
  const inputs = useUnsavedScope()
  const mayLose = useMayLose()
  const may = useMay()
  /** Only one dialog is open at a time: a new one replaces it. */
  async function showInPlace(dialog: Dialog): Promise<void> {
    const refusal = may.why(dialogCalls[dialog])
    if (refusal !== null) return showNotice({ isError: true, message: refusal })
    if (open === null || open === dialog || (await mayLose(inputs))) show(dialog)
  }
  const openInViewer = () => goTo({ place: 'viewer', jobs: [...(dialogs.getState().atHand.jobs ?? [])] })
  const obey = useEffectEvent((command: string) => {
    if (isDialog(command)) void showInPlace(command)
    else if (command === openInViewerCommand) openInViewer()
  })
  useEffect(() => shell.onCommand((command) => obey(command)), [shell])
  // Browsers reserve Ctrl+N, but not these. The empty list makes them work in text fields too.
  useHotkeys(
    [
      ['alt+N', () => void showInPlace('harvest')],
      ['mod+O', openInViewer],
      ['mod+I', () => void showInPlace('import')],
      ['mod+E', () => void showInPlace('export')],
      ['mod+K', () => void showInPlace('quickOpen')],
      ['alt+T', () => void showInPlace('tasks')],
    ],
    [],
  )
  useFormKeys({ onHelp: () => void showInPlace('shortcuts') })
  return (
    <>
      <HarvestDrawer opened={open === 'harvest'} onClose={close} />
      <ImportDialog opened={open === 'import'} onClose={close} />
      <ExportDialog opened={open === 'export'} onClose={close} />
      <CheckDialog open={open} onClose={close} />
      <QuickOpen opened={open === 'quickOpen'} onClose={close} />
      <Shortcuts opened={open === 'shortcuts'} onClose={close} />
      <TasksPanel opened={open === 'tasks'} onClose={close} />
      <DropAnywhere />
      <PasswordDialog />
    </>
  )
}
