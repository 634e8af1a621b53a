/** The form of a configuration of a domain: template, limits, seed lists, logins and further fields. */
import { MultiSelect, NumberInput, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { useCallback, useMemo } from 'react'
import type { DomainConfiguration, DomainDetails } from '../../../src-main/contract/services/domains.ts'
import { FoldedPart } from '../../parts/FoldedPart.tsx'
import { FormEnd } from '../../parts/FormEnd.tsx'
import { BytesInput } from '../../parts/LimitInput.tsx'
import { useDialogForm } from '../../parts/useDialogForm.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { allRows } from '../../state/allRows.ts'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords, type Translate } from '../../words/words.tsx'
import { LoginAreaList } from '../harvest/LoginPart.tsx'
import type { LoginAreaDraft } from '../harvest/loginDraft.ts'
import { errorsOf, problemWords } from '../harvest/problemWords.ts'
import { areaDraftsOf, areasFrom } from './configurationLogin.ts'
import { FieldValueInputs, typedValues } from './FieldValueInputs.tsx'

interface ConfigurationFormProps {
  details: DomainDetails
  configuration: DomainConfiguration
  onSaved: () => void
}

export function ConfigurationForm({ details, configuration, onSaved }: ConfigurationFormProps) {
  const t = useWords()
  const { services } = useSession()
  const isNew = configuration.name === ''
  const { draft, change, form, control, refusal, isSending } = useDialogForm({
    opened: { ...configuration, loginAreas: areaDraftsOf(configuration.loginAreas) },
    problemsOf: ({ name, seedLists, loginAreas }) => ({
      name: name.trim() === '' ? t('form.needed') : isNew && isKnown(details, name) ? t('domains.configuration.exists') : null, // prettier-ignore
      template: null,
      seedLists: seedLists.length === 0 ? t('form.needed') : null,
      objectsMax: null,
      bytesMax: null,
      fields: null,
      loginAreas: problemText(t, loginAreas),
    }),
    save: (typed) =>
      services.domains.setConfiguration({
        domain: details.domain,
        configuration: {
          ...typed,
          name: typed.name.trim(),
          fields: typedValues(typed.fields),
          loginAreas: areasOf(typed),
        },
      }),
    onSaved,
  })
  // Errors of single fields are shown once the form was submitted, as those of its other controls.
  const isRefused = control('loginAreas').error !== undefined
  const made = areasFrom(draft.loginAreas)
  const errorOf = errorsOf(t, isRefused && 'problem' in made ? { login: made.problem } : {})
  return (
    <form {...form} aria-label={t('domains.configuration')}>
      <Stack>
        <MainFields draft={draft} change={change} control={control} isNew={isNew} />
        <MultiSelect
          {...control('seedLists')}
          label={t('domains.seedLists')}
          data={details.seedLists.map(({ name }) => name)}
          value={draft.seedLists}
          onChange={(seedLists) => change({ seedLists })}
        />
        <FoldedPart title={t('login.legend')} text={t('login.text')}>
          <Stack gap="md">
            <LoginAreaList
              areas={draft.loginAreas}
              errorOf={errorOf}
              onChange={(loginAreas) => change({ loginAreas })}
            />
          </Stack>
        </FoldedPart>
        <FieldValueInputs subject="configuration" values={draft.fields} onChange={(fields) => change({ fields })} />
        <Textarea
          label={t('harvests.comments')}
          autosize
          minRows={2}
          value={draft.comments}
          onChange={(event) => change({ comments: event.currentTarget.value })}
        />
        <FormEnd refusal={refusal} verb={t('timings.save')} why={isSending ? t('schedule.saving') : null} />
      </Stack>
    </form>
  )
}

type Field = 'name' | 'template' | 'seedLists' | 'objectsMax' | 'bytesMax' | 'fields' | 'loginAreas'

interface MainFieldsProps {
  draft: Pick<DomainConfiguration, 'name' | 'template' | 'objectsMax' | 'bytesMax'>
  change: (changes: Partial<MainFieldsProps['draft']>) => void
  control: (field: Field) => { 'data-field': Field; error?: string }
  isNew: boolean
}

function MainFields({ draft, change, control, isNew }: MainFieldsProps) {
  const t = useWords()
  const templates = useTemplateNames()
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      <TextInput
        {...control('name')}
        label={t('timings.name')}
        required
        data-autofocus
        disabled={!isNew}
        value={draft.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <Select
        {...control('template')}
        label={t('generated.template')}
        searchable
        allowDeselect={false}
        data={[...new Set([draft.template, ...templates])]}
        value={draft.template}
        onChange={(template) => change({ template: template ?? draft.template })}
      />
      <NumberInput
        {...control('objectsMax')}
        label={t('harvests.objectsMax')}
        placeholder={t('harvests.unlimited')}
        min={0}
        allowDecimal={false}
        hideControls
        value={draft.objectsMax ?? ''}
        onChange={(value) => change({ objectsMax: typeof value === 'number' ? value : null })}
      />
      <BytesInput
        {...control('bytesMax')}
        label={t('harvests.bytesMax')}
        placeholder={t('harvests.unlimited')}
        value={draft.bytesMax}
        onChange={(bytesMax) => change({ bytesMax })}
      />
    </SimpleGrid>
  )
}

function areasOf({ loginAreas }: { loginAreas: LoginAreaDraft[] }): DomainConfiguration['loginAreas'] {
  const made = areasFrom(loginAreas)
  return 'areas' in made ? made.areas : null
}

function problemText(t: Translate, drafts: LoginAreaDraft[]): string | null {
  const made = areasFrom(drafts)
  return 'problem' in made ? problemWords(t, made.problem) : null
}

function isKnown({ configurations }: DomainDetails, name: string): boolean {
  return configurations.some((each) => each.name === name.trim())
}

/** Templates that can be chosen; more than that are hard to find in a list. */
const templatesMax = 10_000

/** Names of all templates; empty until they are loaded. */
export function useTemplateNames(): string[] {
  const { services } = useSession()
  const ask = useCallback(
    () => allRows((page) => services.templates.list(page), { perPage: 1_000, rowsMax: templatesMax }),
    [services],
  )
  const [templates] = useLoaded(ask)
  return useMemo(() => (valueOf(templates)?.rows ?? []).map(({ name }) => name), [templates])
}
