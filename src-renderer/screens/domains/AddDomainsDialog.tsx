/** Adds domains from a pasted list or a file, or those that a job has found. Says which lines were refused, and why. */
import { Alert, Button, Group, List, NumberInput, Stack, Textarea } from '@mantine/core'
import { Info } from 'lucide-react'
import { useState, type SubmitEvent } from 'react'
import type { DomainsAdded } from '../../../src-main/contract/services/domains.ts'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { FormEnd } from '../../parts/FormEnd.tsx'
import { TextFileButton } from '../../parts/TextFileButton.tsx'
import { useUnsaved } from '../../parts/unsaved.tsx'
import { useSending } from '../../parts/useSending.ts'
import { allRows } from '../../state/allRows.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'

export function AddDomainsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useWords()
  return (
    <FormDialog opened={opened} onClose={onClose} size={700} title={t('domains.add')}>
      {opened && <Form onClose={onClose} />}
    </FormDialog>
  )
}

/** Domains that a job may have found at most, so that a list of them stays readable. */
const foundMax = 100_000

function Form({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const { services } = useSession()
  const [text, setText] = useState('')
  const [job, setJob] = useState<number | string>('')
  const [added, setAdded] = useState<DomainsAdded | null>(null)
  const { isSending, refusal, forget, send } = useSending()
  const finding = useSending()
  const saved = useUnsaved(text !== '')

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (isSending || text.trim() === '') return
    const fault = await send(async () => setAdded(await services.domains.addList({ text })))
    if (fault === undefined) {
      saved()
      setText('')
      forget()
    }
  }
  async function insertFound(): Promise<void> {
    if (typeof job !== 'number') return
    await finding.send(async () => {
      const { rows } = await allRows((page) => services.domains.found({ job, ...page }), {
        ...{ perPage: 1_000, rowsMax: foundMax },
      })
      const names = rows.filter(({ isKnown }) => !isKnown).map(({ domain }) => domain)
      setText((before) => [before, ...names].filter((line) => line !== '').join('\n'))
    })
  }
  if (added) return <Added added={added} onClose={onClose} />
  return (
    <form onSubmit={(event) => void submit(event)} noValidate aria-label={t('domains.add')}>
      <Stack>
        <Textarea
          data-field="text"
          label={t('domains.list')}
          description={t('domains.list.hint')}
          classNames={{ input: 'mono' }}
          spellCheck={false}
          autosize
          minRows={6}
          maxRows={18}
          data-autofocus
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            forget()
          }}
        />
        <Group align="end">
          <TextFileButton accept=".txt,.csv,text/plain" onText={(chosen) => setText(chosen)}>
            {t('domains.fromFile')}
          </TextFileButton>
          <NumberInput
            label={t('domains.found')}
            description={t('domains.found.hint')}
            min={1}
            allowDecimal={false}
            hideControls
            value={job}
            onChange={setJob}
          />
          <Button variant="default" disabled={typeof job !== 'number'} onClick={() => void insertFound()}>
            {t('domains.found.insert')}
          </Button>
        </Group>
        <FormEnd
          needs="domains.addList"
          refusal={refusal ?? finding.refusal}
          verb={t('domains.add')}
          why={isSending ? t('schedule.saving') : text.trim() === '' ? t('domains.list.empty') : null}
        />
      </Stack>
    </form>
  )
}

/** Refused lines that are shown. */
const refusedShownMax = 50

function Added({ added: { added, known, refused }, onClose }: { added: DomainsAdded; onClose: () => void }) {
  const t = useWords()
  return (
    <Stack>
      <Alert color="blue" icon={<Info aria-hidden />} role="status">
        {t('domains.result', { added, known })}
      </Alert>
      {refused.length > 0 && (
        <Alert color="red" title={t('domains.refused', { count: refused.length })}>
          <List size="sm">
            {refused.slice(0, refusedShownMax).map(({ line, text, problem }) => (
              <List.Item key={line}>{t('domains.refused.line', { line, text, problem: t(problem) })}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Group justify="end">
        <Button onClick={onClose}>{t('close')}</Button>
      </Group>
    </Stack>
  )
}
