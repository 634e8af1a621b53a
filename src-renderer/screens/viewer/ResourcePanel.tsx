/** What the page asked for: what was found, what is missing here, and what is missing in the whole view. */
import { Button, Group, Tabs, TextInput } from '@mantine/core'
import { Download, Search, Trash2 } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import type { Answer, Miss } from '../../../src-main/contract/viewer.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { useConfirm } from '../../parts/confirm.tsx'
import { CopyAction } from '../../parts/CopyAction.tsx'
import { csvOf, saveText } from '../../parts/csv.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { ToneBadge } from '../../parts/tone.tsx'
import { VirtualList } from '../../parts/VirtualList.tsx'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../routes.ts'

export function ResourcePanel() {
  const say = useWords()
  const { view: store } = useSession()
  const { resources, misses, page } = useStore(store)
  const found = useMemo(() => resources.filter((answer) => answer.found), [resources])
  const missing = useMemo(() => resources.filter((answer) => !answer.found), [resources])
  const known = valueOf(misses)
  return (
    <section className="panel" aria-label={say('resources.title')}>
      <Tabs defaultValue="found" className="panel-tabs" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="found">{say('resources.found', { count: found.length })}</Tabs.Tab>
          <Tabs.Tab value="missing">{say('resources.missing', { count: missing.length })}</Tabs.Tab>
          <Tabs.Tab value="view">{say('resources.view', { count: known?.length ?? 0 })}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="found">
          {found.length === 0 ? (
            <EmptyState title={say('resources.found.none')} text={say('resources.found.none.text')} />
          ) : (
            <Filtered label={say('resources.found.list')} rows={found} textOf={({ url }) => url}>
              {(answer) => <Found answer={answer} page={page} />}
            </Filtered>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="missing">
          {missing.length === 0 ? (
            <EmptyState title={say('resources.missing.none')} text={say('resources.missing.none.text')} />
          ) : (
            <Filtered label={say('resources.missing.list')} rows={missing} textOf={({ url }) => url}>
              {({ url, referrer }) => (
                <Missing url={url} referrer={referrer} why={whyMissing(known ?? [], url, referrer)} times={1} />
              )}
            </Filtered>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="view">
          <ViewMisses />
        </Tabs.Panel>
      </Tabs>
    </section>
  )
}

function ViewMisses() {
  const say = useWords()
  const confirm = useConfirm()
  const { view: store } = useSession()
  const { misses, load, clearMisses } = useStore(store)
  async function clear(count: number): Promise<void> {
    const agreed = await confirm({
      title: say('misses.clear.title'),
      text: say('misses.clear.text', { count }),
      verb: say('misses.clear.verb'),
    })
    if (agreed) await clearMisses()
  }
  return (
    <Await of={misses} onRetry={() => void load()}>
      {(rows) => (
        <>
          <Group gap="xs" mt="xs">
            <ActionButton
              size="xs"
              variant="default"
              leftSection={<Trash2 size={14} aria-hidden />}
              why={rows.length === 0 ? say('misses.none') : null}
              onClick={() => void clear(rows.length)}
            >
              {say('misses.clear')}
            </ActionButton>
            {rows.length > 0 && (
              <Button
                size="xs"
                variant="default"
                leftSection={<Download size={14} aria-hidden />}
                onClick={() => saveText('missing.csv', missesCsv(rows))}
              >
                {say('table.export')}
              </Button>
            )}
          </Group>
          {rows.length === 0 ? (
            <EmptyState title={say('misses.none')} text={say('misses.none.text')} />
          ) : (
            <Filtered
              label={say('resources.view.list')}
              rows={rows}
              textOf={({ url, referrer, why }) => `${url} ${referrer} ${why}`}
            >
              {(miss) => <Missing {...miss} />}
            </Filtered>
          )}
        </>
      )}
    </Await>
  )
}

function missesCsv(rows: readonly Miss[]): string {
  return csvOf(
    ['url', 'referrer', 'method', 'times', 'first', 'last', 'why'],
    rows.map(({ url, referrer, method, times, first, last, why }) => [url, referrer, method, times, first, last, why]),
  )
}

interface FilteredProps<Row> {
  label: string
  rows: readonly Row[]
  textOf: (row: Row) => string
  children: (row: Row) => ReactNode
}

function Filtered<Row extends { id: number }>({ label, rows, textOf, children }: FilteredProps<Row>) {
  const say = useWords()
  const [filter, setFilter] = useState('')
  const wanted = filter.trim().toLowerCase()
  const shown = wanted === '' ? rows : rows.filter((row) => textOf(row).toLowerCase().includes(wanted))
  return (
    <>
      <TextInput
        my="xs"
        size="xs"
        aria-label={say('table.filter', { label })}
        placeholder={say('table.filterHint')}
        leftSection={<Search size={14} aria-hidden />}
        value={filter}
        onChange={(event) => setFilter(event.currentTarget.value)}
      />
      <VirtualList label={label} rows={shown} rowKey={({ id }) => id}>
        {children}
      </VirtualList>
    </>
  )
}

function Found({ answer, page }: { answer: Answer; page: Answer | null }) {
  const say = useWords()
  const { bytes, distance } = useFormats()
  const apart = answer.captured && page?.captured ? distance(answer.captured, page.captured) : ''
  return (
    <>
      <span className="resource-url">{answer.url}</span>
      <span className="resource-facts tabular">
        <ToneBadge tone={answer.status < 400 ? 'done' : 'attention'} text={String(answer.status)} />
        {answer.mediaType && <span>{answer.mediaType}</span>}
        {answer.bytes !== null && <span>{bytes(answer.bytes)}</span>}
        {answer.captured && <span>{timeUtc(answer.captured)}</span>}
        {apart !== '' && <span title={say('resources.apart')}>{apart}</span>}
        {answer.job !== null && <span>{say('viewer.fromJob', { job: answer.job })}</span>}
        {answer.file !== null && answer.offset !== null && <WhereItLies file={answer.file} offset={answer.offset} />}
      </span>
    </>
  )
}

/** The record that the answer was made of. */
function WhereItLies({ file, offset }: { file: string; offset: number }) {
  const say = useWords()
  const { count } = useFormats()
  return (
    <a className="wrap" href={hrefOf({ place: 'record', file, offset, number: null })}>
      {say('record.at', { file, offset: count(offset) })}
    </a>
  )
}

function Missing({ url, referrer, why, times }: { url: string; referrer: string; why: string | null; times: number }) {
  const say = useWords()
  return (
    <>
      <span className="resource-line">
        <span className="resource-url">{url}</span>
        <CopyAction text={url} what={say('resources.address')} />
      </span>
      <span className="resource-facts">
        <ToneBadge tone="failed" text={say('resources.absent')} />
        {why !== null && <span>{why}</span>}
        {times > 1 && <span>{say('resources.times', { times })}</span>}
        {referrer !== '' && <span className="wrap">{say('resources.referrer', { referrer })}</span>}
      </span>
    </>
  )
}

/** An answer does not say why; the list of misses does, once it has been loaded again. */
function whyMissing(misses: readonly Miss[], url: string, referrer: string): string | null {
  const same = misses.filter((miss) => miss.url === url)
  return (same.find((miss) => miss.referrer === referrer) ?? same[0])?.why ?? null
}
