/** Quick open: whatever somebody types the name of, over any screen. */
import { Combobox, Highlight, Modal, ScrollArea, Text, TextInput, useCombobox } from '@mantine/core'
import { Archive, FileText, Globe, ListChecks, MonitorCog, PanelLeft, Play, Search, Sprout } from 'lucide-react'
import { useEffect, useMemo, useState, type ComponentType } from 'react'
import { useStore } from 'zustand'
import { goTo } from '../../routes/routes.ts'
import { useMay } from '../../parts/useMay.ts'
import {
  callOfChoice,
  makeQuickOpen,
  offered,
  ownChoices,
  type QuickChoice,
  type QuickGroup,
} from '../../state/quickOpen.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import styles from './quickOpen.module.css'

const icons: Record<QuickGroup, ComponentType<{ size: number; 'aria-hidden': boolean }>> = {
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

export function QuickOpen({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useWords()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('quickOpen')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Choices onClose={onClose} />
    </Modal>
  )
}

function Choices({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const { services, settings, dialogs, view } = useSession()
  const [store] = useState(() => makeQuickOpen(services))
  const state = useStore(store)
  const known = useStore(settings).settings
  const { why } = useMay()
  const own = useMemo(
    () => ownChoices(t, known.is === 'ready' ? known.value : []).filter((choice) => why(callOfChoice(choice)) === null),
    [t, known, why],
  )
  // The list is open as long as the dialog is: Escape closes both.
  const combobox = useCombobox({ opened: true, onDropdownClose: onClose })
  const groups = offered(state, own, t)
  const keys = groups.flatMap(({ choices }) => choices.map(({ key }) => key)).join('\n')

  useEffect(() => void store.getState().ask(''), [store])
  useEffect(() => {
    if (!state.isReading) return
    const again = setTimeout(() => void store.getState().ask(store.getState().text), readingMs)
    return () => clearTimeout(again)
  }, [state, store])
  // Answers come after the keystrokes, and Enter opens what is shown first.
  const { selectFirstOption } = combobox
  useEffect(() => void selectFirstOption(), [keys, selectFirstOption])

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

  function choose(key: string): void {
    const choice = groups.flatMap(({ choices }) => choices).find((each) => each.key === key)
    if (choice) act(choice)
  }

  return (
    <Combobox store={combobox} onOptionSubmit={choose}>
      <Combobox.EventsTarget>
        <TextInput
          data-autofocus
          value={state.text}
          onChange={({ currentTarget: { value } }) => void store.getState().ask(value)}
          placeholder={t('quickOpen.hint')}
          aria-label={t('quickOpen.hint')}
          leftSection={<Search size={18} aria-hidden />}
        />
      </Combobox.EventsTarget>
      <ScrollArea.Autosize mah={480} mt="sm" type="auto" viewportProps={{ tabIndex: 0 }}>
        <Combobox.Options aria-label={t('quickOpen')}>
          {groups.map(({ group, choices }) => (
            <Combobox.Group key={group} label={t(`quickOpen.group.${group}`)}>
              {choices.map((choice) => (
                <Choice key={choice.key} choice={choice} typed={state.text} />
              ))}
            </Combobox.Group>
          ))}
          {groups.length === 0 && <Combobox.Empty>{t('quickOpen.nothing')}</Combobox.Empty>}
        </Combobox.Options>
      </ScrollArea.Autosize>
      <Text size="sm" c="dimmed" mt="sm" role="status">
        {state.isReading ? t('quickOpen.reading') : t('quickOpen.keys')}
      </Text>
    </Combobox>
  )
}

function Choice({ choice: { key, group, label, detail }, typed }: { choice: QuickChoice; typed: string }) {
  const Icon = icons[group]
  return (
    <Combobox.Option value={key} className={styles.choice}>
      <Icon size={18} aria-hidden />
      <div>
        <Highlight highlight={typed} component="div" className="wrap">
          {label}
        </Highlight>
        {detail !== undefined && (
          <Text size="sm" c="dimmed">
            {detail}
          </Text>
        )}
      </div>
    </Combobox.Option>
  )
}
