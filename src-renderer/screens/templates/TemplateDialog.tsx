/** Adds a template: empty, as a copy of another, or from a TOML file. Or renames one. */
import { Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useCallback } from 'react'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { FormEnd } from '../../parts/FormEnd.tsx'
import { useDialogForm } from '../../parts/useDialogForm.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { goTo } from '../../routes/routes.ts'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { Problems } from './TemplateToml.tsx'

/** A template as the dialog begins: with its text it is new, with a name of before it is renamed. */
export interface TemplateDraft {
  name: string
  comments: string
  /** Settings of a new template. */
  toml?: string
  /** The present name of a template that is renamed. */
  before?: string
}

export function TemplateDialog({ template, onClose }: { template: TemplateDraft | null; onClose: () => void }) {
  const t = useWords()
  const title = template?.before === undefined ? t('templates.add') : t('templates.rename')
  return (
    <FormDialog opened={template !== null} onClose={onClose} size={620} title={title}>
      {template && <Form template={template} onClose={onClose} />}
    </FormDialog>
  )
}

function Form({ template, onClose }: { template: TemplateDraft; onClose: () => void }) {
  const t = useWords()
  const { services } = useSession()
  const { before, toml } = template
  const { draft, change, form, control, refusal, isSending } = useDialogForm({
    opened: { name: template.name, comments: template.comments },
    problemsOf: ({ name }) => ({ name: name.trim() === '' ? t('form.needed') : null, comments: null }),
    save: async ({ name: typed, comments }) => {
      const name = typed.trim()
      if (before === undefined) await services.templates.add({ name, comments, toml: toml ?? '' })
      else await services.templates.edit({ name: before, newName: name, comments })
      goTo({ place: 'template', template: name })
    },
    onSaved: onClose,
  })
  return (
    <form {...form} aria-label={t('templates.one')}>
      <Stack>
        <TextInput
          {...control('name')}
          label={t('timings.name')}
          required
          data-autofocus
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <Textarea
          {...control('comments')}
          label={t('harvests.comments')}
          autosize
          minRows={2}
          value={draft.comments}
          onChange={(event) => change({ comments: event.currentTarget.value })}
        />
        {toml !== undefined && toml !== '' && <Checked toml={toml} />}
        <FormEnd refusal={refusal} verb={t('timings.save')} why={isSending ? t('schedule.saving') : null} />
      </Stack>
    </form>
  )
}

/** What is wrong with the text of a new template, before it is saved. */
function Checked({ toml }: { toml: string }) {
  const t = useWords()
  const { services } = useSession()
  const [checked] = useLoaded(useCallback(() => services.templates.check({ toml }), [services, toml]))
  const problems = valueOf(checked)?.problems ?? []
  return problems.length > 0 ? <Problems problems={problems} /> : <Text size="sm">{t('templates.fromText')}</Text>
}
