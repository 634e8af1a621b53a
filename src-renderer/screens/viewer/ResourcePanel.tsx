/** The panel next to the page: its resources, and the missing resources and errors of the whole view. */
import { Tabs } from '@mantine/core'
import { useStore } from 'zustand'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { shownTab } from '../../state/viewTabs.ts'
import { useWords } from '../../words/words.tsx'
import type { ShowOverlay } from './overlay.ts'
import { PageResources, type ResourceOrder } from './PageResources.tsx'
import { ViewErrors, ViewMisses } from './ViewFindings.tsx'
import styles from './viewer.module.css'

export type PanelTab = 'page' | 'misses' | 'errors'

interface ResourcePanelProps {
  tab: PanelTab
  onTab: (tab: PanelTab) => void
  order: ResourceOrder
  onOrder: (order: ResourceOrder) => void
  onShow: ShowOverlay
}

export function ResourcePanel({ tab, onTab, order, onOrder, onShow }: ResourcePanelProps) {
  const t = useWords()
  const { view: store } = useSession()
  const state = useStore(store)
  const tabs = [
    { value: 'page', text: t('resources.page', { count: shownTab(state).resources.length }) },
    { value: 'misses', text: t('resources.view', { count: valueOf(state.misses)?.length ?? 0 }) },
    { value: 'errors', text: t('resources.errors', { count: valueOf(state.errors)?.length ?? 0 }) },
  ] as const
  return (
    <section className="panel" aria-label={t('resources.title')}>
      <Tabs
        value={tab}
        onChange={(chosen) => onTab(tabs.find(({ value }) => value === chosen)?.value ?? tab)}
        className={styles.panelTabs}
        keepMounted={false}
      >
        <Tabs.List>
          {tabs.map(({ value, text }) => (
            <Tabs.Tab key={value} value={value}>
              {text}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="page">
          <PageResources order={order} onOrder={onOrder} onShow={onShow} />
        </Tabs.Panel>
        <Tabs.Panel value="misses">
          <ViewMisses onShow={onShow} />
        </Tabs.Panel>
        <Tabs.Panel value="errors">
          <ViewErrors onShow={onShow} />
        </Tabs.Panel>
      </Tabs>
    </section>
  )
}
