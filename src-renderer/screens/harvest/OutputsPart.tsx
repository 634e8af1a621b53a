/** The part of the harvest form for outputs: where documents are delivered after they were captured. */
import { Anchor, Checkbox, NumberInput, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { FoldedPart } from '../../parts/FoldedPart.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { useFollowedList } from '../../state/followedList.ts'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { withOutput, type OutputDraft } from './outputsDraft.ts'
import type { ErrorOf } from './problemWords.ts'

interface OutputsPartProps {
  drafts: readonly OutputDraft[]
  errorOf: ErrorOf
  onChange: (drafts: OutputDraft[]) => void
}

export function OutputsPart({ drafts, errorOf, onChange }: OutputsPartProps) {
  const t = useWords()
  const { services } = useSession()
  const rows = valueOf(useFollowedList(services.outputs).rows) ?? []
  const known = rows.map(({ name, description }) => ({ name, description }))
  // One that a definition names may be lost with the database.
  const lost = drafts.filter(({ output }) => !rows.some(({ name }) => isSame(name, output)))
  const listed = [...known, ...lost.map(({ output }) => ({ name: output, description: t('form.outputs.lost') }))]
  return (
    <FoldedPart title={t('form.outputs')} text={t('form.outputs.text')}>
      <Stack gap="md" data-field="outputs">
        {listed.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('form.outputs.none')} <Anchor href={hrefOf({ place: 'settings' })}>{t('form.outputs.settings')}</Anchor>
          </Text>
        )}
        {listed.map(({ name, description }) => {
          const at = drafts.findIndex(({ output }) => isSame(output, name))
          const draft = drafts[at]
          return (
            <Stack key={name} gap="xs">
              <Checkbox
                label={name}
                description={description}
                checked={draft !== undefined}
                onChange={(event) => onChange(withOutput(drafts, draft?.output ?? name, event.currentTarget.checked))}
              />
              {draft && (
                <Specification
                  {...{ draft, at, errorOf }}
                  onChange={(changed) => onChange(drafts.map((each) => (each === draft ? changed : each)))}
                />
              )}
            </Stack>
          )
        })}
      </Stack>
    </FoldedPart>
  )
}

/** Names are compared as the engine does. */
function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

interface SpecificationProps {
  draft: OutputDraft
  /** Its place among the outputs of the harvest. */
  at: number
  errorOf: ErrorOf
  onChange: (draft: OutputDraft) => void
}

function Specification({ draft, at, errorOf, onChange }: SpecificationProps) {
  const t = useWords()
  const props = (field: 'mediaTypes' | 'bytesMax' | 'fields') => ({
    'data-field': `outputs.${at}.${field}`,
    label: t(`form.outputs.${field}`),
    description: t(`form.outputs.${field}.hint`),
    ...errorOf(`outputs.${at}.${field}`),
  })
  return (
    <Stack gap="sm" pl="lg" role="group" aria-label={draft.output}>
      <TextInput
        {...props('mediaTypes')}
        value={draft.mediaTypes}
        onChange={(event) => onChange({ ...draft, mediaTypes: event.currentTarget.value })}
      />
      <NumberInput
        {...props('bytesMax')}
        value={draft.bytesMax}
        onChange={(bytesMax) => onChange({ ...draft, bytesMax })}
        placeholder={t('form.noLimit')}
        hideControls
      />
      <Textarea
        {...props('fields')}
        value={draft.fields}
        onChange={(event) => onChange({ ...draft, fields: event.currentTarget.value })}
        autosize
        classNames={{ input: 'mono' }}
      />
    </Stack>
  )
}
