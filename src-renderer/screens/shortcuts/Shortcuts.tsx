/** All keys of the application, over any screen. */
import { Group, Modal, Stack, Table, Title } from '@mantine/core'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { shortcutGroups, type Shortcut } from './shortcutGroups.ts'

export function Shortcuts({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useWords()
  const { shell } = useSession()
  const isShown = ({ only }: Shortcut) => only === undefined || (only === 'browser') === (shell.page === null)
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('shortcuts')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack gap="lg">
        {shortcutGroups.map(({ group, shortcuts }) => (
          <section key={group} aria-label={t(`shortcuts.group.${group}`)}>
            <Title order={3} size="h5" mb={4}>
              {t(`shortcuts.group.${group}`)}
            </Title>
            <Table verticalSpacing={4} layout="fixed">
              <Table.Tbody>
                {shortcuts.filter(isShown).map(({ keys, word }) => (
                  <Table.Tr key={word}>
                    <Table.Td>{t(word)}</Table.Td>
                    <Table.Td w={220}>
                      <Group gap="sm">
                        {keys.map((key) => (
                          <kbd key={key}>{key}</kbd>
                        ))}
                      </Group>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </section>
        ))}
      </Stack>
    </Modal>
  )
}
