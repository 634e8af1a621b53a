/** The settings of a template as TOML text, with every problem named while it is typed. */
import { Alert, Group, List, Stack, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { OctagonX } from 'lucide-react'
import { useCallback, useState, type SubmitEvent } from 'react'
import type { TemplateDetails, TemplateProblem } from '../../../src-main/contract/services/templates.ts'
import { FormEnd } from '../../parts/FormEnd.tsx'
import { TextFileButton } from '../../parts/TextFileButton.tsx'
import { typingPauseMs } from '../../parts/typing.ts'
import { useUnsaved } from '../../parts/unsaved.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useMay } from '../../parts/useMay.ts'
import { useSending } from '../../parts/useSending.ts'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'

export function TemplateToml({ template, onSaved }: { template: TemplateDetails; onSaved: () => void }) {
  const t = useWords()
  const { services } = useSession()
  const { name } = template
  const [toml, setToml] = useState(template.toml)
  const isChanged = toml !== template.toml
  const saved = useUnsaved(isChanged)
  const { isSending, refusal, forget, send } = useSending()
  const [settled] = useDebouncedValue(toml, typingPauseMs)
  const { why } = useMay()
  const isChecked = why('templates.check') === null
  const check = useCallback(
    async () => (isChecked ? (await services.templates.check({ toml: settled })).problems : []),
    [services, settled, isChecked],
  )
  const [checked] = useLoaded(check)
  const problems = valueOf(checked) ?? []

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (isSending || !isChanged) return
    if (await send(() => services.templates.edit({ name, toml }))) return
    saved()
    onSaved()
  }
  const change = (text: string) => {
    setToml(text)
    forget()
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate aria-label={t('templates.toml')}>
      <Stack maw={900}>
        <Textarea
          label={t('templates.toml')}
          description={t('templates.toml.hint')}
          classNames={{ input: 'mono' }}
          spellCheck={false}
          autosize
          minRows={14}
          maxRows={40}
          value={toml}
          onChange={(event) => change(event.currentTarget.value)}
        />
        <Problems problems={problems} />
        <FormEnd
          needs="templates.edit"
          refusal={refusal}
          verb={t('templates.saveVersion')}
          why={isSending ? t('schedule.saving') : isChanged ? null : t('templates.unchanged')}
          aside={
            <Group>
              <TextFileButton needs="templates.edit" accept=".toml,text/plain" onText={change}>
                {t('templates.upload')}
              </TextFileButton>
            </Group>
          }
        />
      </Stack>
    </form>
  )
}

/** Problems shown at once; the next appear when these are corrected. */
const problemsShownMax = 20

export function Problems({ problems }: { problems: readonly TemplateProblem[] }) {
  const t = useWords()
  if (problems.length === 0) return null
  return (
    <Alert
      color="red"
      icon={<OctagonX aria-hidden />}
      title={t('templates.problems', { count: problems.length })}
      role="status"
    >
      <List size="sm">
        {problems.slice(0, problemsShownMax).map(({ path, message }) => (
          <List.Item key={`${path.join('.')} ${t(message)}`}>
            {path.length > 0 && <code>{path.join('.')}</code>} {t(message)}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
