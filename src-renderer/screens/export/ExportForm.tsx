/** Form of an export: records, format and output file. */
import { Button, Checkbox, Group, Radio, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { FileOutput, FolderOpen } from 'lucide-react'
import { useEffect, useState, type SubmitEvent } from 'react'
import { useStore } from 'zustand'
import { exportedMessage } from '../../../src-main/contract/services/exports.ts'
import { exportFormats, exportLists, waczVersions } from '../../../src-main/contract/shapes/choices.ts'
import { isEmpty, selectionOf, type Selection } from '../../../src-main/contract/shapes/selection.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { useUnsaved } from '../../parts/unsaved.tsx'
import { useFormErrors } from '../../parts/useFormErrors.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { SelectionFields } from '../selection/SelectionFields.tsx'
import { newestOf, type Selectable } from '../selection/useSelectable.ts'
import {
  pathIn,
  problemOf,
  requestOf,
  suggestedName,
  type ExportDraft,
  type ExportField,
  type ExportProblem,
} from './exportDraft.ts'

interface ExportFormProps {
  selectable: Selectable
  /** The initial selection; when it is empty, the newest job. */
  wanted: Selection
  /** The search whose matches in `wanted` are exported. */
  matching: ExportDraft['matching']
}

export function ExportForm({ selectable, wanted, matching }: ExportFormProps) {
  const t = useWords()
  const { exports, shell } = useSession()
  const { start, starting, refusal, forgetRefusal } = useStore(exports)
  const { draft, change: changeDraft, folder, begun, isTyped } = useDraft(selectable, { wanted, matching })
  const problem = problemOf(draft)
  const errors = useFormErrors(
    { ...noProblems, ...(problem && { [fieldOf[problem]]: t(`export.problem.${problem}`) }) },
    refusal,
  )
  useUnsaved(isTyped)
  // A refusal from before the form was opened does not concern its input.
  useEffect(forgetRefusal, [forgetRefusal])
  const change = (changes: Partial<ExportDraft>) => {
    changeDraft(changes)
    forgetRefusal()
  }

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (starting || !errors.isComplete()) return
    if (await start(requestOf(draft))) return begun()
    const { refusal: fault } = exports.getState()
    if (fault) errors.leadTo(fault)
  }

  async function askWhere(): Promise<void> {
    const path = await shell.askWhere?.(suggestedName(draft, new Date()))
    if (path) change({ path })
  }

  return (
    <form ref={errors.form} onSubmit={(event) => void submit(event)} aria-label={t('export.title')}>
      <Stack>
        {matching ? (
          <Text>{t('export.matching.needs', { what: t(exportedMessage({ ...wanted, matching })) })}</Text>
        ) : (
          <SelectionFields
            selectable={selectable}
            selection={draft}
            onChange={change}
            jobsHint={t('export.jobs.hint')}
            isFirst
            control={errors.control}
          />
        )}
        <FormatChoice draft={draft} change={change} />
        <Group gap="xs" align="end" wrap="nowrap">
          <TextInput
            {...errors.control('path')}
            flex={1}
            label={t('export.path')}
            description={t('export.path.hint')}
            placeholder={folder}
            classNames={{ input: 'mono' }}
            spellCheck={false}
            value={draft.path}
            onChange={(event) => change({ path: event.currentTarget.value })}
          />
          {shell.askWhere && (
            <Button
              variant="default"
              leftSection={<FolderOpen size={16} aria-hidden />}
              onClick={() => void askWhere()}
            >
              {t('export.choose')}
            </Button>
          )}
        </Group>
        {matching ? (
          draft.format === 'wacz' && <WaczChoice draft={draft} change={change} />
        ) : (
          <Narrowing draft={draft} change={change} control={errors.control} />
        )}
        {errors.note && <FaultNote fault={errors.note} />}
        <Group justify="end">
          <ActionButton
            type="submit"
            onClick={() => undefined}
            leftSection={<FileOutput size={16} aria-hidden />}
            why={starting ? t('export.starting') : null}
          >
            {t('export.start')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}

/** The possible problems, in the order of the form. */
const noProblems: Record<ExportField, string | null> = {
  jobs: null,
  files: null,
  path: null,
  url: null,
  from: null,
  to: null,
}

/** The control in which each problem is corrected. */
const fieldOf: Record<ExportProblem, ExportField> = { nothing: 'jobs', noPath: 'path', toBeforeFrom: 'to' }

interface ChoiceProps {
  draft: ExportDraft
  change: (changes: Partial<ExportDraft>) => void
}

/** The matches of a search are records, and no lists. */
function FormatChoice({ draft, change }: ChoiceProps) {
  const t = useWords()
  return (
    <Radio.Group
      label={t('export.format')}
      value={draft.format}
      onChange={(value) => change({ format: exportFormats.find((format) => format === value) ?? draft.format })}
    >
      <Stack gap="xs" mt={6}>
        {exportFormats
          .filter((format) => !draft.matching || !exportLists.includes(format))
          .map((format) => (
            <Radio
              key={format}
              value={format}
              label={t(`export.format.${format}`)}
              description={t(`export.format.${format}.meaning`)}
            />
          ))}
      </Stack>
    </Radio.Group>
  )
}

/** Options that few exports need. */
function Narrowing({ draft, change, control }: ChoiceProps & { control: (field: ExportField) => object }) {
  const t = useWords()
  return (
    <details className="more">
      <summary>{t('export.more')}</summary>
      <Stack mt="sm">
        <TextInput
          {...control('url')}
          label={t('export.url')}
          description={t('export.url.hint')}
          placeholder="https://example.org/news/"
          spellCheck={false}
          value={draft.url}
          onChange={(event) => change({ url: event.currentTarget.value })}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            {...control('from')}
            type="datetime-local"
            label={t('export.from')}
            value={draft.from}
            onChange={(event) => change({ from: event.currentTarget.value })}
          />
          <TextInput
            {...control('to')}
            {...(problemOf(draft) === 'toBeforeFrom' && { error: t('export.problem.toBeforeFrom') })}
            type="datetime-local"
            label={t('export.to')}
            value={draft.to}
            onChange={(event) => change({ to: event.currentTarget.value })}
          />
        </SimpleGrid>
        <Checkbox
          label={t('export.withOriginals')}
          description={t('export.withOriginals.hint')}
          checked={draft.withOriginals}
          onChange={(event) => change({ withOriginals: event.currentTarget.checked })}
        />
        {draft.format === 'wacz' && <WaczChoice draft={draft} change={change} />}
      </Stack>
    </details>
  )
}

function WaczChoice({ draft, change }: ChoiceProps) {
  const t = useWords()
  return (
    <Group align="end" gap="xl">
      <Select
        label={t('export.waczVersion')}
        w={150}
        allowDeselect={false}
        data={[...waczVersions]}
        value={draft.waczVersion}
        onChange={(value) =>
          change({ waczVersion: waczVersions.find((version) => version === value) ?? draft.waczVersion })
        }
      />
      <Checkbox
        label={t('export.sign')}
        description={t('export.sign.hint')}
        checked={draft.sign}
        onChange={(event) => change({ sign: event.currentTarget.checked })}
      />
    </Group>
  )
}

/** The path follows the selection until the user types a path. */
function useDraft(selectable: Selectable, { wanted, matching }: Pick<ExportFormProps, 'wanted' | 'matching'>) {
  const { services } = useSession()
  const [folder, setFolder] = useState('')
  const [ownPath, setOwnPath] = useState<string | null>(null)
  const [made, setMade] = useState(() => new Date())
  const [chosen, setChosen] = useState<Omit<ExportDraft, 'path'>>({
    ...selectionOf(isEmpty(wanted) ? newestOf(selectable) : wanted),
    matching,
    format: 'wacz',
    url: '',
    from: '',
    to: '',
    withOriginals: true,
    waczVersion: '1.1.1',
    sign: false,
  })
  const [before, setBefore] = useState(chosen)
  useEffect(() => {
    let isWanted = true
    services.system.about({}).then(
      ({ archive }) => isWanted && setFolder(pathIn(archive, 'exports')),
      (error: unknown) => console.warn('Loupe: no folder can be suggested for an export', error),
    )
    return () => {
      isWanted = false
    }
  }, [services])
  const suggested = folder === '' || isEmpty(chosen) ? '' : pathIn(folder, suggestedName(chosen, made))
  return {
    draft: { ...chosen, path: ownPath ?? suggested },
    folder,
    isTyped: (ownPath ?? suggested) !== suggested || JSON.stringify(chosen) !== JSON.stringify(before),
    change: ({ path, ...changes }: Partial<ExportDraft>) => {
      if (path !== undefined) setOwnPath(path)
      setChosen((earlier) => ({ ...earlier, ...changes }))
    },
    /** The name is in use now, so the next file needs another one. */
    begun: () => {
      setOwnPath(null)
      setMade(new Date())
      setBefore(chosen)
    },
  }
}
