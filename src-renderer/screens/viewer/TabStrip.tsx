/** Tabs, above the URL as in a browser. */
import { UnstyledButton } from '@mantine/core'
import { Plus, X } from 'lucide-react'
import { useStore } from 'zustand'
import { IconAction } from '../../parts/IconAction.tsx'
import { useSession } from '../../state/session.tsx'
import type { Tab } from '../../state/viewTabs.ts'
import { useWords, type Translate } from '../../words/words.tsx'
import styles from './viewer.module.css'

export function TabStrip() {
  const t = useWords()
  const { view: store } = useSession()
  const { tabs, shown, openTab, closeTab, showTab } = useStore(store)
  return (
    <div className={styles.tabStrip}>
      <ul aria-label={t('tabs.title')}>
        {tabs.map((tab) => {
          const name = tabName(tab, t)
          return (
            <li key={tab.id} data-shown={tab.id === shown}>
              <UnstyledButton
                className={styles.tabName}
                aria-current={tab.id === shown ? 'page' : undefined}
                title={tab.address ?? name}
                onClick={() => showTab(tab.id)}
              >
                {name}
              </UnstyledButton>
              <UnstyledButton
                className={styles.tabClose}
                aria-label={t('tabs.close.of', { name })}
                onClick={() => closeTab(tab.id)}
              >
                <X size={14} aria-hidden />
              </UnstyledButton>
            </li>
          )
        })}
      </ul>
      <IconAction name={t('tabs.new')} icon={Plus} onClick={() => openTab()} />
    </div>
  )
}

function tabName({ title, address }: Tab, t: Translate): string {
  return title ?? address?.replace(/^https?:\/\//, '') ?? t('tabs.empty')
}
