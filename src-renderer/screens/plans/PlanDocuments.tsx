/** The documents of one destination in one status, and what a user decides about them. */
import { Group, Select, TextInput } from '@mantine/core'
import { Search } from 'lucide-react'
import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import type { DeliveryDestination } from '../../../src-main/contract/services/deliveries.ts'
import { deliveryStates, type DeliveryState } from '../../../src-main/contract/states/deliveryStates.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { goTo, type Route } from '../../routes/routes.ts'
import type { PlanView } from '../../state/plan.ts'
import { mostUrgent } from '../../state/planStatuses.ts'
import { useWords } from '../../words/words.tsx'
import { DocumentList } from './DocumentList.tsx'

export type ShownDocuments = Extract<Route, { place: 'plan' }>

export function PlanDocuments({ view, shown }: { view: PlanView; shown: ShownDocuments }) {
  const t = useWords()
  const { count } = useFormats()
  const { destinations } = view
  const part = useRef<HTMLDivElement>(null)
  const wasNamed = useRef(shown.destination !== undefined)
  // A link to the documents of a destination leads to them, and not to the top of the screen.
  useEffect(() => {
    if (wasNamed.current) part.current?.scrollIntoView()
  }, [])
  // Without a choice, what was most urgent when the screen was opened: the list does not change while someone reads it.
  const [usual] = useState(() => usualOf(destinations))
  const destination =
    chosenOf(destinations, shown) ?? destinations.find(({ id }) => id === usual.first) ?? destinations[0]
  if (!destination) return null
  const state = shown.state ?? usual.states.get(destination.id) ?? 'INDEXED'
  const show = (changes: Partial<ShownDocuments>) => goTo({ ...shown, ...changes }, 'replace')
  const hasScanners = new Set(destinations.map(({ scanner }) => scanner)).size > 1
  const scannerKind = view.details.steps.find(({ name }) => name === destination.scanner)?.kind
  return (
    <div ref={part}>
      <Section title={t('plan.documents')}>
        <Group align="end" mb="sm">
          <Select
            label={t('plan.destination')}
            w={240}
            allowDeselect={false}
            data={destinations.map(({ id, destination: name, scanner }) => ({
              value: String(id),
              label: hasScanners ? t('plan.destination.of', { destination: name, scanner }) : name,
            }))}
            value={String(destination.id)}
            onChange={(value) => {
              const next = destinations.find(({ id }) => String(id) === value)
              if (next) goTo({ place: 'plan', plan: shown.plan, ...placeOf(next) }, 'replace')
            }}
          />
          <Select
            label={t('plan.status')}
            w={280}
            allowDeselect={false}
            data={deliveryStates.states.map((each) => ({
              value: each,
              label: t('plan.status.option', {
                ...{ badge: t(deliveryStates.rows[each].badge), state: each },
                count: count(destination.counts[each] ?? 0),
              }),
            }))}
            value={state}
            onChange={(value) => {
              const next = deliveryStates.states.find((each) => each === value)
              if (next) show({ ...placeOf(destination), state: next })
            }}
          />
          <FindDocument onFind={(document) => goTo({ ...shown, document })} />
        </Group>
        <DocumentList
          key={`${destination.id} ${state}`}
          {...{ destination, state, scannerKind }}
          total={destination.counts[state] ?? 0}
          isStopped={view.details.run === 'stopped'}
          onHistory={(document) => goTo({ ...shown, ...placeOf(destination), state, document })}
        />
      </Section>
    </div>
  )
}

function placeOf({ scanner, destination }: DeliveryDestination): { scanner: string; destination: string } {
  return { scanner, destination }
}

function chosenOf(
  destinations: readonly DeliveryDestination[],
  { scanner, destination }: ShownDocuments,
): DeliveryDestination | undefined {
  const named = destinations.filter((each) => each.destination === destination)
  return named.find((each) => each.scanner === scanner) ?? named[0]
}

/** Returns the most urgent status of each destination, and the first destination where it is not that all was delivered. */
function usualOf(destinations: readonly DeliveryDestination[]): {
  first: number | undefined
  states: ReadonlyMap<number, DeliveryState>
} {
  const states = new Map(destinations.map(({ id, counts }) => [id, mostUrgent(counts)]))
  return { first: [...states].find(([, state]) => state !== 'INDEXED')?.[0], states }
}

function FindDocument({ onFind }: { onFind: (document: string) => void }) {
  const t = useWords()
  const [document, setDocument] = useState('')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (document.trim() !== '') onFind(document.trim())
  }
  return (
    <form onSubmit={submit}>
      <Group align="end" gap="xs">
        <TextInput
          label={t('plan.find')}
          placeholder={t('plan.find.hint')}
          w={280}
          value={document}
          onChange={(event) => setDocument(event.currentTarget.value)}
        />
        <ActionButton
          type="submit"
          variant="default"
          leftSection={<Search size={16} aria-hidden />}
          why={document.trim() === '' ? t('plan.find.why') : null}
          onClick={() => undefined}
        >
          {t('plan.find.verb')}
        </ActionButton>
      </Group>
    </form>
  )
}
