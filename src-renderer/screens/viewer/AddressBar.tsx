/** Back, forward, reload and the address, with suggestions out of what was captured. */
import { Autocomplete, Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { ArrowLeft, ArrowRight, ExternalLink, Layers, RotateCw } from 'lucide-react'
import { useEffect, useState, type SubmitEvent } from 'react'
import { useStore } from 'zustand'
import type { CapturedPage } from '../../../src-main/contract/viewer.ts'
import { browserAddress } from '../../../src-main/contract/fileAddresses.ts'
import { timeUtc } from '../../parts/formats.ts'
import { IconAction } from '../../parts/IconAction.tsx'
import { loadedFrom, valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { neighbour } from '../../state/trail.ts'
import { useWords } from '../../words/words.tsx'
import { addressTyped } from './addressTyped.ts'

const typingPauseMs = 150
const suggestionsMax = 12

export function AddressBar({ onCover, onChoose }: { onCover: (covered: boolean) => void; onChoose: () => void }) {
  const say = useWords()
  const {
    view: store,
    shell: { page },
  } = useSession()
  const { view, address, trail, step } = useStore(store)
  const jobs = valueOf(view)?.jobs ?? []
  return (
    <div className="viewer-bar">
      <IconAction
        name={say('viewer.back')}
        icon={ArrowLeft}
        why={neighbour(trail, 'back') ? null : say('viewer.back.why')}
        onClick={() => step('back')}
      />
      <IconAction
        name={say('viewer.forward')}
        icon={ArrowRight}
        why={neighbour(trail, 'forward') ? null : say('viewer.forward.why')}
        onClick={() => step('forward')}
      />
      <IconAction
        name={say('viewer.reload')}
        icon={RotateCw}
        why={address ? null : say('viewer.reload.why')}
        onClick={() => step('reload')}
      />
      <AddressField key={address ?? ''} onCover={onCover} />
      {!page && (
        <IconAction
          name={say('viewer.window')}
          icon={ExternalLink}
          why={address ? null : say('viewer.reload.why')}
          onClick={() => address && window.open(browserAddress(address), '_blank', 'noopener,noreferrer')}
        />
      )}
      <Button variant="default" leftSection={<Layers size={16} aria-hidden />} onClick={onChoose}>
        {say('viewer.jobs', { count: jobs.length, jobs: jobs.slice(0, 3).join(', ') })}
      </Button>
    </div>
  )
}

/** Made anew whenever the page is another one, so that the field shows where the page is. */
function AddressField({ onCover }: { onCover: (covered: boolean) => void }) {
  const say = useWords()
  const { view: store } = useSession()
  const { address, go } = useStore(store)
  const [typed, setTyped] = useState(address ?? '')
  const [problem, setProblem] = useState<string | null>(null)
  const suggestions = useSuggestions(typed)

  function submit(text: string): void {
    const result = addressTyped(text, window.location.origin)
    if ('url' in result) {
      setProblem(null)
      setTyped(result.url)
      go(result.url)
    } else {
      setProblem(say(`address.${result.problem}`))
    }
  }

  return (
    <form
      className="address"
      aria-label={say('viewer.address')}
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault()
        submit(typed)
      }}
    >
      <Autocomplete
        aria-label={say('viewer.address')}
        placeholder={say('viewer.address.hint')}
        value={typed}
        onChange={(value) => {
          setTyped(value)
          setProblem(null)
        }}
        onOptionSubmit={submit}
        onDropdownOpen={() => onCover(true)}
        onDropdownClose={() => onCover(false)}
        data={[...new Set(suggestions.map(({ url }) => url))]}
        // The engine has chosen and ordered them; the field must not filter a second time.
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
  const [suggestions, setSuggestions] = useState<CapturedPage[]>([])
  useEffect(() => {
    let stale = false
    void loadedFrom(services.viewer.suggest({ text, limit: suggestionsMax })).then((pages) => {
      // Without suggestions the address can still be typed: a refusal is not worth a message here.
      if (!stale) setSuggestions(valueOf(pages) ?? [])
    })
    return () => {
      stale = true
    }
  }, [services, text])
  return suggestions
}
