/** How much of something is done or used, as a bar and in words beside it. */
import { Group, Progress, Text } from '@mantine/core'

interface MeterProps {
  name: string
  done: number
  /** Undefined: nobody knows how much there will be; the bar is left out. */
  total: number | undefined
  text: string
}

export function Meter({ name, done, total, text }: MeterProps) {
  const percent = total ? Math.min(100, (100 * done) / total) : 0
  return (
    <div className="meter">
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <Text size="sm">{name}</Text>
        <Text size="sm" c="dimmed" className="tabular">
          {text}
        </Text>
      </Group>
      {total !== undefined && <Progress value={percent} aria-label={name} size="md" mt={4} />}
    </div>
  )
}
