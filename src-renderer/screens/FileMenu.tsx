/** What Electron has in its menu bar and a browser window has not: the dialogs, at the foot of the rail. */
import { Menu } from '@mantine/core'
import { FileInput, FileOutput, Menu as MenuIcon, Plus } from 'lucide-react'
import { useStore } from 'zustand'
import { useSession } from '../state/session.tsx'
import { useWords } from '../words/words.tsx'

export function FileMenu() {
  const say = useWords()
  const { dialogs, shell } = useSession()
  const { show } = useStore(dialogs)
  if (shell.page) return null
  return (
    <Menu position="right-end" shadow="md" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <button type="button" className="rail-link rail-menu">
          <MenuIcon size={22} aria-hidden />
          {say('menu.file')}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Plus size={16} aria-hidden />} onClick={() => show('harvest')}>
          {say('menu.harvest')}
        </Menu.Item>
        <Menu.Item
          leftSection={<FileInput size={16} aria-hidden />}
          rightSection={<kbd>{say('menu.import.key')}</kbd>}
          onClick={() => show('import')}
        >
          {say('menu.import')}
        </Menu.Item>
        <Menu.Item
          leftSection={<FileOutput size={16} aria-hidden />}
          rightSection={<kbd>{say('menu.export.key')}</kbd>}
          onClick={() => show('export')}
        >
          {say('menu.export')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
