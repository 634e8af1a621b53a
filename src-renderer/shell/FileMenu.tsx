/** The menu at the bottom of the navigation, with the commands that Electron has in its menu bar. */
import { Menu } from '@mantine/core'
import {
  ClipboardCheck,
  FileInput,
  FileOutput,
  FileSearch,
  Fingerprint,
  Keyboard,
  LogOut,
  Menu as MenuIcon,
  PackageOpen,
  Plus,
  ScrollText,
  Search,
  ShieldCheck,
  Wrench,
  type LucideIcon,
} from 'lucide-react'
import { useCallback } from 'react'
import { useStore } from 'zustand'
import type { Account } from '../links/shell.ts'
import { useLoaded } from '../parts/useLoaded.ts'
import { valueOf } from '../state/loaded.ts'
import { useSession } from '../state/session.tsx'
import { useWords, type WordId } from '../words/words.tsx'
import { hrefOf, type ArchiveTab } from '../routes/routes.ts'
import styles from './shell.module.css'

const checks = [
  { dialog: 'checkMissing', icon: FileSearch },
  { dialog: 'checkChecksums', icon: ShieldCheck },
  { dialog: 'spotCheck', icon: Fingerprint },
] as const

const parts: { tab: ArchiveTab; name: WordId; icon: LucideIcon }[] = [
  { tab: 'repair', name: 'menu.repair', icon: Wrench },
  { tab: 'attic', name: 'menu.attic', icon: PackageOpen },
  { tab: 'report', name: 'menu.report', icon: ClipboardCheck },
  { tab: 'audit', name: 'menu.audit', icon: ScrollText },
]

export function FileMenu() {
  const t = useWords()
  const { dialogs, shell } = useSession()
  const { show, showCheck } = useStore(dialogs)
  if (shell.page) return null
  return (
    <Menu position="right-end" shadow="md" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <button type="button" className={`rail-link ${styles.railMenu}`}>
          <MenuIcon size={22} aria-hidden />
          {t('menu')}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('menu.file')}</Menu.Label>
        <Menu.Item
          leftSection={<Search size={16} aria-hidden />}
          rightSection={<kbd>{t('quickOpen.menu.key')}</kbd>}
          onClick={() => show('quickOpen')}
        >
          {t('quickOpen.menu')}
        </Menu.Item>
        <Menu.Item
          leftSection={<Plus size={16} aria-hidden />}
          rightSection={<kbd>{t('menu.harvest.key')}</kbd>}
          onClick={() => show('harvest')}
        >
          {t('menu.harvest')}
        </Menu.Item>
        <Menu.Item
          leftSection={<FileInput size={16} aria-hidden />}
          rightSection={<kbd>{t('menu.import.key')}</kbd>}
          onClick={() => show('import')}
        >
          {t('menu.import')}
        </Menu.Item>
        <Menu.Item
          leftSection={<FileOutput size={16} aria-hidden />}
          rightSection={<kbd>{t('menu.export.key')}</kbd>}
          onClick={() => show('export')}
        >
          {t('menu.export')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('menu.archive')}</Menu.Label>
        {checks.map(({ dialog, icon: Icon }) => (
          <Menu.Item key={dialog} leftSection={<Icon size={16} aria-hidden />} onClick={() => showCheck(dialog, null)}>
            {t(`menu.${dialog}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        {parts.map(({ tab, name, icon: Icon }) => (
          <Menu.Item
            key={tab}
            component="a"
            href={hrefOf({ place: 'archive', tab })}
            leftSection={<Icon size={16} aria-hidden />}
          >
            {t(name)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<Keyboard size={16} aria-hidden />}
          rightSection={<kbd>{t('shortcuts.menu.key')}</kbd>}
          onClick={() => show('shortcuts')}
        >
          {t('shortcuts.menu')}
        </Menu.Item>
        {shell.account && <AccountItems logOut={shell.account.logOut} />}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The account that has logged in. */
function AccountItems({ logOut }: Pick<Account, 'logOut'>) {
  const t = useWords()
  const { services } = useSession()
  const ask = useCallback(() => services.system.about({}), [services])
  const [about] = useLoaded(ask)
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{t('logIn.menu', { name: valueOf(about)?.account ?? '…' })}</Menu.Label>
      {logOut ? (
        <Menu.Item leftSection={<LogOut size={16} aria-hidden />} onClick={() => void logOut()}>
          {t('logIn.logOut')}
        </Menu.Item>
      ) : (
        <Menu.Label maw="30ch">{t('logIn.logOutElsewhere')}</Menu.Label>
      )}
    </>
  )
}
