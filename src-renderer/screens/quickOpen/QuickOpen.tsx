/** Quick open: whatever somebody types the name of, over any screen. */
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { Archive, FileText, Globe, ListChecks, MonitorCog, PanelLeft, Play, Search, Sprout } from 'lucide-react'
import { useEffect, useMemo, useState, type ComponentType } from 'react'
import { useStore } from 'zustand'
import { goTo } from '../../routes/routes.ts'
import { makeQuickOpen, offered, ownChoices, type QuickChoice, type QuickGroup } from '../../state/quickOpen.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import styles from './quickOpen.module.css'

const icons: Record<QuickGroup, ComponentType<{ size: number }>> = {
  command: Play,
  job: ListChecks,
  harvest: Sprout,
  domain: Globe,
  page: FileText,
  file: Archive,
  screen: PanelLeft,
  setting: MonitorCog,
}

/** Pause before names are asked for again while they are being read. */
const readingMs = 500

const [spotlight, control] = createSpotlight()

export function QuickOpen({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useWords()
  const { services, settings, dialogs, view } = useSession()
  const [store] = useState(() => makeQuickOpen(services))
  const state = useStore(store)
  const known = useStore(settings).settings
  const own = useMemo(() => ownChoices(t, known.is === 'ready' ? known.value : []), [t, known])

  useEffect(() => {
    if (!opened) return control.close()
    control.open()
    void store.getState().ask('')
  }, [opened, store])
  useEffect(() => {
    if (!opened || !state.isReading) return
    const again = setTimeout(() => void store.getState().ask(store.getState().text), readingMs)
    return () => clearTimeout(again)
  }, [opened, state, store])

  function act({ does }: QuickChoice): void {
    onClose()
    switch (does.is) {
      case 'dialog':
        return dialogs.getState().show(does.dialog)
      case 'route':
        return goTo(does.route)
      case 'page':
        view.getState().openTab(does.url)
        return goTo({ place: 'viewer', jobs: [] })
    }
  }

  const groups = offered(state, own, t)
  return (
    <Spotlight.Root
      store={spotlight}
      shortcut={null}
      query={state.text}
      onQueryChange={(text) => void store.getState().ask(text)}
      // Chosen with the mouse or by Escape; when the dialog was replaced by another one, that one stays.
      onSpotlightClose={() => dialogs.getState().open === 'quickOpen' && onClose()}
      scrollable
      maxHeight={480}
      aria-label={t('quickOpen')}
    >
      <Spotlight.Search
        placeholder={t('quickOpen.hint')}
        aria-label={t('quickOpen.hint')}
        leftSection={<Search size={18} aria-hidden />}
      />
      <Spotlight.ActionsList>
        {groups.map(({ group, choices }) => (
          <Spotlight.ActionsGroup key={group} label={t(`quickOpen.group.${group}`)}>
            {choices.map((choice) => (
              <Choice key={choice.key} choice={choice} onChoose={() => act(choice)} />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 && <Spotlight.Empty>{t('quickOpen.nothing')}</Spotlight.Empty>}
      </Spotlight.ActionsList>
      <Spotlight.Footer className={styles.footer}>
        {state.isReading ? t('quickOpen.reading') : t('quickOpen.keys')}
      </Spotlight.Footer>
    </Spotlight.Root>
  )
}

function Choice({ choice: { group, label, detail }, onChoose }: { choice: QuickChoice; onChoose: () => void }) {
  const Icon = icons[group]
  return (
    <Spotlight.Action
      label={label}
      {...(detail !== undefined && { description: detail })}
      leftSection={<Icon size={18} />}
      highlightQuery
      onClick={onChoose}
    />
  )
}
