/** The settings of a template as a form: that of a harvest without seeds, name and schedule. */
import { Alert, Stack } from '@mantine/core'
import { Info } from 'lucide-react'
import { useState, type SubmitEvent } from 'react'
import { isLocal } from '../../../src-main/contract/services/connectors.ts'
import type { TemplateDetails } from '../../../src-main/contract/services/templates.ts'
import { FoldedPart } from '../../parts/FoldedPart.tsx'
import { FormEnd } from '../../parts/FormEnd.tsx'
import { useUnsaved } from '../../parts/unsaved.tsx'
import { useSending } from '../../parts/useSending.ts'
import { useShownRefusal } from '../../parts/useShownRefusal.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { OutputChoice, RepositoryChoice, RepositorySettings } from '../harvest/ConnectorPart.tsx'
import { FoldedParts } from '../harvest/FoldedParts.tsx'
import { controlOf } from '../harvest/harvestControls.ts'
import { definedSettings, draftOf, inOrder, problemsOf, type Problems } from '../harvest/harvestDraft.ts'
import { LimitFields } from '../harvest/LimitFields.tsx'
import { errorsOf } from '../harvest/problemWords.ts'
import { ScopeField } from '../harvest/ScopeField.tsx'
import { useConnectorPart } from '../harvest/useConnectorPart.ts'
import type { HarvestFields } from '../harvest/useHarvestForm.ts'
import { localZone } from '../schedule/localTimes.ts'

interface TemplateFormProps {
  template: TemplateDetails
  onSaved: () => void
}

export function TemplateForm(props: TemplateFormProps) {
  const t = useWords()
  const { fields, form, submit, refusal, isSending } = useTemplateForm(props)
  const { repository } = fields.draft.connectors
  const connectors = useConnectorPart(fields)
  return (
    <form ref={form} onSubmit={(event) => void submit(event)} noValidate aria-label={t('templates.form')}>
      <Stack gap="lg" maw={900}>
        <Alert color="blue" icon={<Info aria-hidden />}>
          {t('templates.form.text')}
        </Alert>
        <RepositoryChoice {...connectors} />
        {repository !== 'web' && <RepositorySettings {...connectors} />}
        {repository === 'web' && <ScopeField fields={fields} />}
        <LimitFields fields={fields} hasHops={repository === 'web'} />
        <div>
          <FoldedParts fields={fields} isLocal={isLocal(repository)} />
          <FoldedPart title={t('form.output')} text={t('form.output.text')}>
            <OutputChoice {...connectors} />
          </FoldedPart>
        </div>
        <FormEnd
          needs="templates.edit"
          refusal={refusal}
          verb={t('templates.saveVersion')}
          why={isSending ? t('schedule.saving') : fields.isChanged ? null : t('templates.unchanged')}
        />
      </Stack>
    </form>
  )
}

function useTemplateForm({ template: { name, settings }, onSaved }: TemplateFormProps) {
  const t = useWords()
  const { services } = useSession()
  const [opened] = useState(() => draftOf(settings, localZone()))
  const [draft, setDraft] = useState(opened)
  const [problems, setProblems] = useState<Problems>({})
  const { form, lead } = useShownRefusal()
  const { isSending, refusal, forget, send } = useSending()
  const isChanged = JSON.stringify(draft) !== JSON.stringify(opened)
  const saved = useUnsaved(isChanged)
  const show = (found: Problems) => {
    setProblems(found)
    lead(inOrder(found).map(({ path }) => controlOf(path)))
  }
  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (isSending || !isChanged) return
    const made = definedSettings(draft)
    if ('problems' in made) return show(made.problems)
    setProblems({})
    const fault = await send(() => services.templates.edit({ name, settings: made.settings }))
    if (fault) return show(problemsOf(fault, draft))
    saved()
    onSaved()
  }
  const fields: HarvestFields & { isChanged: boolean } = {
    draft,
    change: (field, value) => {
      setDraft((before) => ({ ...before, [field]: value }))
      forget()
    },
    errorOf: errorsOf(t, problems),
    fixedOf: () => null,
    isChanged,
  }
  const isShown = refusal !== null && inOrder(problemsOf(refusal, draft)).length > 0
  return { fields, form, submit, refusal: isShown ? null : refusal, isSending }
}
