/** Back, forward, reload and the address field, with suggestions from captured URLs. */
import { Autocomplete, Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { ArrowLeft, ArrowRight, Layers, RotateCw } from 'lucide-react'
import { useCallback, useState, type SubmitEvent } from 'react'
import { useStore } from 'zustand'
import type { CapturedPage } from '../../../src-main/contract/services/viewer.ts'
import { timeUtc } from '../../parts/formats.ts'
import { IconAction } from '../../parts/IconAction.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { neighbour } from '../../state/tabHistory.ts'
import { shownTab } from '../../state/viewTabs.ts'
import { useWords } from '../../words/words.tsx'
import { selectionWords } from '../selection/selectionWords.ts'
import { addressTyped } from './addressTyped.ts'
import { MoreMenu } from './MoreMenu.tsx'
import type { ShowOverlay } from './overlay.ts'
import styles from './viewer.module.css'

const typingPauseMs = 150
const suggestionsMax = 12

interface AddressBarProps {
  onCover: (covered: boolean) => void
  onShow: ShowOverlay
}

export function AddressBar({ onCover, onShow }: AddressBarProps) {
  const t = useWords()
  const { view: store } = useSession()
  const state = useStore(store)
  const { id, address, history } = shownTab(state)
  const { step } = state
  const view = valueOf(state.view)
  return (
    <div className={styles.viewerBar}>
      <IconAction
        name={t('viewer.back')}
        icon={ArrowLeft}
        why={neighbour(history, 'back') ? null : t('viewer.back.why')}
        onClick={() => step('back')}
      />
      <IconAction
        name={t('viewer.forward')}
        icon={ArrowRight}
        why={neighbour(history, 'forward') ? null : t('viewer.forward.why')}
        onClick={() => step('forward')}
      />
      <IconAction
        name={t('viewer.reload')}
        icon={RotateCw}
        why={address ? null : t('viewer.reload.why')}
        onClick={() => step('reload')}
      />
      <AddressField key={`${id} ${address}`} onCover={onCover} />
      <Button
        variant="default"
        leftSection={<Layers size={16} aria-hidden />}
        onClick={() => onShow({ is: 'choosing' })}
      >
        {view && selectionWords(t, view)}
      </Button>
      <MoreMenu onCover={onCover} onShow={onShow} />
    </div>
  )
}

/** Mounted again for each page, so that the field shows the URL of the page. */
function AddressField({ onCover }: { onCover: (covered: boolean) => void }) {
  const t = useWords()
  const { view: store } = useSession()
  const state = useStore(store)
  const { address } = shownTab(state)
  const { go } = state
  const [typed, setTyped] = useState(address ?? '')
  const [problem, setProblem] = useState<string | null>(null)
  const [opened, setOpened] = useState(false)
  const suggestions = useSuggestions(typed)

  function open(isOpened: boolean): void {
    setOpened(isOpened)
    onCover(isOpened)
  }

  function submit(text: string): void {
    const result = addressTyped(text, window.location.origin)
    if ('url' in result) {
      setProblem(null)
      setTyped(result.url)
      // The field keeps the focus and would continue to show suggestions over the page.
      open(false)
      go(result.url)
    } else {
      setProblem(t(`address.${result.problem}`))
    }
  }

  return (
    <form
      className={styles.address}
      aria-label={t('viewer.address')}
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault()
        submit(typed)
      }}
    >
      <Autocomplete
        aria-label={t('viewer.address')}
        placeholder={t('viewer.address.hint')}
        value={typed}
        onChange={(value) => {
          setTyped(value)
          setProblem(null)
        }}
        onOptionSubmit={submit}
        dropdownOpened={opened}
        onDropdownOpen={() => open(true)}
        onDropdownClose={() => open(false)}
        data={[...new Set(suggestions.map(({ url }) => url))]}
        // The engine has chosen and sorted the suggestions; the field must not filter them again.
        filter={({ options }) => options}
        renderOption={({ option }) => (
          <span className="wrap">
            {option.value} <span className="dimmed">{capturedOf(suggestions, option.value)}</span>
          </span>
        )}
        limit={suggestionsMax}
        spellCheck={false}
        error={problem}
        onFocus={(event) => event.currentTarget.select()}
      />
    </form>
  )
}

function capturedOf(suggestions: readonly CapturedPage[], url: string): string {
  const page = suggestions.find((suggestion) => suggestion.url === url)
  return page ? timeUtc(page.captured) : ''
}

function useSuggestions(typed: string): CapturedPage[] {
  const { services } = useSession()
  const [text] = useDebouncedValue(typed.trim(), typingPauseMs)
  const [pages] = useLoaded(
    useCallback(() => services.viewer.suggest({ text, limit: suggestionsMax }), [services, text]),
  )
  // Without suggestions the address can still be typed, so a fault is not worth a message here.
  return valueOf(pages) ?? []
}
