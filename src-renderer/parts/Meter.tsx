/** A progress bar with its text. */
import { Group, Progress, Text } from '@mantine/core'

interface MeterProps {
  name: string
  done: number
  /** Undefined when the total is unknown; no bar is shown then. */
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
