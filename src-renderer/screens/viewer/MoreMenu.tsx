/** Rarely used commands, and commands whose keys a browser may use itself. */
import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import {
  Camera,
  CircleQuestionMark,
  Ellipsis,
  ExternalLink,
  List,
  MonitorSmartphone,
  Plus,
  SquareStack,
  X,
} from 'lucide-react'
import { useStore } from 'zustand'
import { useSession } from '../../state/session.tsx'
import { shownTab } from '../../state/viewTabs.ts'
import { useWords } from '../../words/words.tsx'
import { openWindow } from './openWindow.ts'
import type { ShowOverlay } from './overlay.ts'

interface MoreMenuProps {
  onCover: (covered: boolean) => void
  onShow: ShowOverlay
}

export function MoreMenu({ onCover, onShow }: MoreMenuProps) {
  const t = useWords()
  return (
    <Menu onOpen={() => onCover(true)} onClose={() => onCover(false)} position="bottom-end" shadow="md">
      <Menu.Target>
        <Tooltip label={t('viewer.more')}>
          <ActionIcon aria-label={t('viewer.more')} size="lg" variant="subtle" color="gray">
            <Ellipsis size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<List size={16} aria-hidden />} onClick={() => onShow({ is: 'pages' })}>
          {t('pages.menu')}
        </Menu.Item>
        <Menu.Item leftSection={<CircleQuestionMark size={16} aria-hidden />} onClick={() => onShow({ is: 'explain' })}>
          {t('explain.menu')}
        </Menu.Item>
        <Menu.Divider />
        <TabItems />
        <Menu.Divider />
        <PictureItem onShow={onShow} />
        <WindowItem />
        <Menu.Item leftSection={<MonitorSmartphone size={16} aria-hidden />} onClick={() => onShow({ is: 'own' })}>
          {t('own.menu')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function TabItems() {
  const t = useWords()
  const { view: store } = useSession()
  const { tabs, shown, openTab, closeTab, turnTab } = useStore(store)
  return (
    <>
      <Menu.Item
        leftSection={<Plus size={16} aria-hidden />}
        rightSection={<kbd>{t('tabs.new.key')}</kbd>}
        onClick={() => openTab()}
      >
        {t('tabs.new')}
      </Menu.Item>
      <Menu.Item
        leftSection={<X size={16} aria-hidden />}
        rightSection={<kbd>{t('tabs.close.key')}</kbd>}
        onClick={() => closeTab(shown)}
      >
        {t('tabs.close')}
      </Menu.Item>
      {tabs.length > 1 && (
        <Menu.Item
          leftSection={<SquareStack size={16} aria-hidden />}
          rightSection={<kbd>{t('tabs.next.key')}</kbd>}
          onClick={() => turnTab(1)}
        >
          {t('tabs.next')}
        </Menu.Item>
      )}
    </>
  )
}

function PictureItem({ onShow }: { onShow: ShowOverlay }) {
  const t = useWords()
  const { view: store } = useSession()
  const { address } = shownTab(useStore(store))
  if (address === null) return null
  return (
    <Menu.Item leftSection={<Camera size={16} aria-hidden />} onClick={() => onShow({ is: 'picture' })}>
      {t('picture.menu')}
    </Menu.Item>
  )
}

/** For pages whose cookies must be first-party. In Electron the page is not in a frame, and there are no second windows. */
function WindowItem() {
  const t = useWords()
  const {
    view: store,
    shell: { page },
  } = useSession()
  const { address } = shownTab(useStore(store))
  if (page || address === null) return null
  return (
    <Menu.Item leftSection={<ExternalLink size={16} aria-hidden />} onClick={() => openWindow(address)}>
      {t('viewer.window')}
    </Menu.Item>
  )
}
