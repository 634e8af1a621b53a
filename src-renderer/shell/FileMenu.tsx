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
  Users,
  Wrench,
  type LucideIcon,
} from 'lucide-react'
import { useCallback } from 'react'
import { useStore } from 'zustand'
import type { Account } from '../links/shell.ts'
import { useMay } from '../parts/useMay.ts'
import { useLoaded } from '../parts/useLoaded.ts'
import type { CallName } from '../state/callerRoles.ts'
import { archiveTabCalls, dialogCalls, placeCalls } from '../state/commandCalls.ts'
import type { Dialog } from '../state/dialogs.ts'
import { valueOf } from '../state/loaded.ts'
import { useSession } from '../state/session.tsx'
import { useWords, type WordId } from '../words/words.tsx'
import { hrefOf, type ArchiveTab } from '../routes/routes.ts'
import styles from './shell.module.css'

const files: { dialog: Dialog; name: WordId; keys: WordId; icon: LucideIcon }[] = [
  { dialog: 'quickOpen', name: 'quickOpen.menu', keys: 'quickOpen.menu.key', icon: Search },
  { dialog: 'harvest', name: 'menu.harvest', keys: 'menu.harvest.key', icon: Plus },
  { dialog: 'import', name: 'menu.import', keys: 'menu.import.key', icon: FileInput },
  { dialog: 'export', name: 'menu.export', keys: 'menu.export.key', icon: FileOutput },
]

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
  const may = useMay()
  /** Properties of an item whose call the account may not make. */
  const refusal = (call: CallName) => {
    const why = may.why(call)
    return why === null ? {} : { disabled: true, title: why, 'aria-description': why }
  }
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
        {files.map(({ dialog, name, keys, icon: Icon }) => (
          <Menu.Item
            key={dialog}
            leftSection={<Icon size={16} aria-hidden />}
            rightSection={<kbd>{t(keys)}</kbd>}
            {...refusal(dialogCalls[dialog])}
            onClick={() => show(dialog)}
          >
            {t(name)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('menu.archive')}</Menu.Label>
        {checks.map(({ dialog, icon: Icon }) => (
          <Menu.Item
            key={dialog}
            leftSection={<Icon size={16} aria-hidden />}
            {...refusal(dialogCalls[dialog])}
            onClick={() => showCheck(dialog, null)}
          >
            {t(`menu.${dialog}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        {parts
          .filter(({ tab }) => may.why(archiveTabCalls[tab]) === null)
          .map(({ tab, name, icon: Icon }) => (
            <Menu.Item
              key={tab}
              component="a"
              href={hrefOf({ place: 'archive', tab })}
              leftSection={<Icon size={16} aria-hidden />}
            >
              {t(name)}
            </Menu.Item>
          ))}
        {may.offers(placeCalls.access) && (
          <Menu.Item
            component="a"
            href={hrefOf({ place: 'access', tab: 'accounts' })}
            leftSection={<Users size={16} aria-hidden />}
          >
            {t('rail.access')}
          </Menu.Item>
        )}
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
