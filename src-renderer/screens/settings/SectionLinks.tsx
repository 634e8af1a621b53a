/** The sections of the settings, each a button that scrolls to it. They are read from the screen, so that none can be forgotten. */
import { Button, Group } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useWords } from '../../words/words.tsx'

export function SectionLinks() {
  const t = useWords()
  const place = useRef<HTMLDivElement>(null)
  const [sections, setSections] = useState<readonly HTMLElement[]>([])
  useEffect(() => {
    const main = place.current?.closest('main')
    if (!main) return
    const read = () => {
      const found = [...main.querySelectorAll<HTMLElement>('.section > * h2')]
      // The links are in the observed screen, too.
      setSections((before) => (isSame(before, found) ? before : found))
    }
    read()
    // Some sections are loaded after the screen is shown.
    const changes = new MutationObserver(read)
    changes.observe(main, { childList: true, subtree: true })
    return () => changes.disconnect()
  }, [])
  return (
    <Group ref={place} component="nav" aria-label={t('settings.sections')} gap={4} mb="md">
      {sections.map((heading) => (
        <Button
          key={heading.id}
          size="compact-sm"
          variant="subtle"
          onClick={() => heading.scrollIntoView({ block: 'start' })}
        >
          {heading.textContent}
        </Button>
      ))}
    </Group>
  )
}

function isSame(before: readonly HTMLElement[], found: readonly HTMLElement[]): boolean {
  return before.length === found.length && before.every((heading, index) => heading === found[index])
}
