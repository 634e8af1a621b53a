/** The part of the harvest form for politeness: delay and connections per host, and robots.txt. For a folder, the number of files that are
 *  read at once. */
import { Alert, Group, NumberInput, Radio, SimpleGrid, type NumberInputProps } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import { FixedFields } from '../../parts/FixedFields.tsx'
import { FoldedPart } from '../../parts/FoldedPart.tsx'
import { useWords } from '../../words/words.tsx'
import type { ErrorOf } from './problemWords.ts'
import type { HarvestDraft } from './harvestDraft.ts'

interface PolitenessPartProps {
  robots: HarvestDraft['robots']
  isLocal: boolean
  errorOf: ErrorOf
  /** The reason why the robots.txt rule cannot be changed now; null where it can. */
  fixed: string | null
  /** Properties of a number field. */
  number: (field: 'delayMs' | 'connectionsPerHost' | 'workers') => NumberInputProps
  onRobots: (robots: HarvestDraft['robots']) => void
}

export function PolitenessPart({ robots, isLocal, errorOf, fixed, number, onRobots }: PolitenessPartProps) {
  const t = useWords()
  const field = (name: 'delayMs' | 'connectionsPerHost' | 'workers') => (
    <NumberInput {...number(name)} allowDecimal={false} />
  )
  if (isLocal) {
    return (
      <FoldedPart title={t('form.pace')} text={t('form.pace.text')}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <NumberInput
            {...number('connectionsPerHost')}
            label={t('form.filesAtOnce')}
            description={null}
            placeholder={t('form.asUsual')}
            allowDecimal={false}
          />
        </SimpleGrid>
      </FoldedPart>
    )
  }
  return (
    <FoldedPart title={t('form.politeness')} text={t('form.politeness.text')}>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md" mb="md">
        {field('delayMs')}
        {field('connectionsPerHost')}
        {field('workers')}
      </SimpleGrid>
      <FixedFields why={fixed}>
        <Radio.Group
          data-field="robots"
          {...errorOf('robots')}
          name="robots"
          label={t('form.robots')}
          value={robots}
          onChange={(value) => onRobots(value === 'ignore' ? 'ignore' : 'obey')}
        >
          <Group gap="lg" mt={6}>
            <Radio value="obey" label={t('form.robots.obey')} />
            <Radio value="ignore" label={t('form.robots.ignore')} />
          </Group>
        </Radio.Group>
      </FixedFields>
      {robots === 'ignore' && (
        <Alert mt="xs" color="yellow" icon={<TriangleAlert aria-hidden />} role="status">
          {t('form.robots.warning')}
        </Alert>
      )}
    </FoldedPart>
  )
}
