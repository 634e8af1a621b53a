/** The progress of a task: amount done, rate, remaining time, and buttons to stop or resume it. */
import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { rateOf, secondsLeft, type ProgressSample } from '../state/pace.ts'
import { useWords } from '../words/words.tsx'
import { useFormats } from './formats.ts'
import { Meter } from './Meter.tsx'

interface LongTaskProps {
  name: string
  badge: ReactNode
  unit: 'copies' | 'files' | 'pages' | 'bytes'
  done: number
  total: number
  running: boolean
  samples: readonly ProgressSample[]
  /** The buttons, such as "Stop" or "Resume". */
  actions: ReactNode
}

export function LongTask({ name, badge, unit, done, total, running, samples, actions }: LongTaskProps) {
  const t = useWords()
  const formats = useFormats()
  const amount = unit === 'bytes' ? formats.bytes : formats.count
  const rate = rateOf(samples)
  const left = secondsLeft(samples, total)
  const parts = [
    t(`task.${unit}Done`, { done: amount(done), total: amount(total) }),
    ...(running && rate !== undefined
      ? [unit === 'bytes' ? formats.bytesPerSecond(rate) : formats.perSecond(rate)]
      : []),
    ...(running && left !== undefined ? [t('task.left', { time: formats.duration(left) })] : []),
  ]
  return (
    <div className="card">
      <Group justify="space-between" wrap="nowrap" gap="md" mb={4}>
        {badge}
        <Group gap="xs">{actions}</Group>
      </Group>
      <Meter name={name} done={done} total={total || 1} text={parts.join(' · ')} />
      {!running && total === 0 && <Text size="sm">{t('task.nothing')}</Text>}
    </div>
  )
}
