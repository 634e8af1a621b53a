/** Carries out page commands chosen in Electron's menu, and their keys in a browser window. */
import { useHotkeys } from '@mantine/hooks'
import { useEffect } from 'react'
import { useSession } from '../../state/session.tsx'
import type { ShowOverlay } from './overlay.ts'
import { isPageCommand, type PageCommand } from './pageCommands.ts'

export function usePageCommands({ onFind, onShow }: { onFind: () => void; onShow: ShowOverlay }): void {
  const { view, shell } = useSession()

  function carryOut(command: PageCommand): void {
    const { shown, openTab, closeTab, turnTab, step } = view.getState()
    switch (command) {
      case 'newTab':
        return openTab()
      case 'closeTab':
        return closeTab(shown)
      case 'nextTab':
        return turnTab(1)
      case 'previousTab':
        return turnTab(-1)
      case 'reload':
      case 'back':
      case 'forward':
        return step(command)
      case 'find':
        return onFind()
      case 'picture':
        return onShow({ is: 'picture' })
    }
  }

  useEffect(() =>
    shell.onCommand((command) => {
      if (isPageCommand(command)) carryOut(command)
    }),
  )
  // A window of an application leaves these to the page, a browser's tab does not: so the menu has them too. The empty list: in a
  // text field as well. Reloading the window would close all tabs, so its key reloads the page; finding is the browser's own.
  useHotkeys(
    [
      ['mod+T', () => carryOut('newTab')],
      ['mod+W', () => carryOut('closeTab')],
      ['ctrl+Tab', () => carryOut('nextTab')],
      ['ctrl+shift+Tab', () => carryOut('previousTab')],
      ['mod+R', () => carryOut('reload')],
      ['alt+ArrowLeft', () => carryOut('back')],
      ['alt+ArrowRight', () => carryOut('forward')],
    ],
    [],
  )
}
