/** The part of the harvest form that limits hops by link type. */
import { Checkbox, NumberInput, SimpleGrid, Stack, Text } from '@mantine/core'
import { hopModes, linkTypes } from '../../../src-main/contract/shapes/choices.ts'
import { FixedFields } from '../../parts/FixedFields.tsx'
import { FoldedPart } from '../../parts/FoldedPart.tsx'
import { useWords } from '../../words/words.tsx'
import { ChoiceField } from './ChoiceField.tsx'
import type { ErrorOf } from './problemWords.ts'
import type { HopsDraft } from './hopsDraft.ts'

interface HopsPartProps {
  draft: HopsDraft
  errorOf: ErrorOf
  /** The reason why it cannot be changed now; null where it can. */
  fixed: string | null
  onChange: (draft: HopsDraft) => void
}

export function HopsPart({ draft, errorOf, fixed, onChange }: HopsPartProps) {
  const t = useWords()
  return (
    <FoldedPart title={t('hops.legend')} text={t('hops.text')}>
      <FixedFields why={fixed}>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {t('hops.meaning')}
          </Text>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
            {linkTypes.map((type) => (
              <NumberInput
                key={type}
                data-field={`hops.${type}`}
                label={t(`hops.${type}`)}
                description={t(`hops.${type}.hint`)}
                placeholder={t('form.noLimit')}
                value={draft[type]}
                onChange={(most) => onChange({ ...draft, [type]: most })}
                hideControls
                allowDecimal={false}
                {...errorOf(`hops.${type}`)}
              />
            ))}
          </SimpleGrid>
          <Checkbox
            label={t('hops.kept')}
            description={t('hops.kept.hint')}
            checked={draft.kept}
            onChange={(event) => onChange({ ...draft, kept: event.currentTarget.checked })}
          />
          <ChoiceField
            field="hops.mode"
            label={t('hops.mode')}
            values={hopModes}
            value={draft.mode}
            wordOf={(mode) => `hops.mode.${mode}`}
            errorOf={errorOf}
            onChange={(mode) => onChange({ ...draft, mode })}
          />
        </Stack>
      </FixedFields>
    </FoldedPart>
  )
}
