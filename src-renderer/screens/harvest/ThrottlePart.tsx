/** The part of the harvest form that limits the rate of requests, in general and for single hosts. */
import { Button, Group, NumberInput, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { Plus, Trash2 } from 'lucide-react'
import { FieldError } from '../../parts/FieldError.tsx'
import { FoldedPart } from '../../parts/FoldedPart.tsx'
import { IconAction } from '../../parts/IconAction.tsx'
import { useWords } from '../../words/words.tsx'
import type { ErrorOf } from './problemWords.ts'
import { emptyRule, type ThrottleDraft, type ThrottleRuleDraft } from './throttleDraft.ts'

interface ThrottlePartProps {
  draft: ThrottleDraft
  errorOf: ErrorOf
  onChange: (draft: ThrottleDraft) => void
}

const rests = ['delayFactor', 'delayMsMax'] as const
const limits = ['fetchesPerMinute', 'connections', 'kilobytesPerSecond'] as const

export function ThrottlePart({ draft, errorOf, onChange }: ThrottlePartProps) {
  const t = useWords()
  const { rules } = draft
  const withRules = (changed: ThrottleRuleDraft[]) => onChange({ ...draft, rules: changed })
  return (
    <FoldedPart title={t('throttle.legend')} text={t('throttle.text')}>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          {rests.map((field) => (
            <NumberInput
              key={field}
              data-field={`throttle.${field}`}
              label={t(`throttle.${field}`)}
              description={t(`throttle.${field}.hint`)}
              placeholder={t('form.asSet')}
              value={draft[field]}
              onChange={(value) => onChange({ ...draft, [field]: value })}
              hideControls
              {...errorOf(`throttle.${field}`)}
            />
          ))}
        </SimpleGrid>
        {rules.map((rule, row) => {
          const change = (changes: Partial<ThrottleRuleDraft>) =>
            withRules(rules.map((each) => (each.id === rule.id ? { ...each, ...changes } : each)))
          return (
            <fieldset key={rule.id} aria-label={t('throttle.rule', { number: row + 1 })} className="card">
              <Group align="end" wrap="nowrap" mb="sm">
                <TextInput
                  data-field={`throttle.${row}.match`}
                  label={t('throttle.match')}
                  description={t('throttle.match.hint')}
                  value={rule.match}
                  onChange={(event) => change({ match: event.currentTarget.value })}
                  required
                  flex={1}
                  spellCheck={false}
                  classNames={{ input: 'mono' }}
                  {...errorOf(`throttle.${row}.match`)}
                />
                <IconAction
                  icon={Trash2}
                  name={t('throttle.remove', { number: row + 1 })}
                  onClick={() => withRules(rules.filter(({ id }) => id !== rule.id))}
                />
              </Group>
              <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
                {limits.map((field) => (
                  <NumberInput
                    key={field}
                    data-field={`throttle.${row}.${field}`}
                    label={t(`throttle.${field}`)}
                    placeholder={t('form.noLimit')}
                    value={rule[field]}
                    onChange={(value) => change({ [field]: value })}
                    hideControls
                    {...errorOf(`throttle.${row}.${field}`)}
                  />
                ))}
              </SimpleGrid>
            </fieldset>
          )
        })}
        <FieldError {...errorOf('throttle.rules')} />
        <Button
          data-field="throttle.rules"
          variant="default"
          w="fit-content"
          leftSection={<Plus size={16} aria-hidden />}
          onClick={() => withRules([...rules, emptyRule(Math.max(-1, ...rules.map(({ id }) => id)) + 1)])}
        >
          {t('throttle.add')}
        </Button>
      </Stack>
    </FoldedPart>
  )
}
