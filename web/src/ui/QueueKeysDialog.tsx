import { Kbd, Stack, Switch, Table } from '@mantine/core'
import { Dialog } from './Dialog.tsx'

/** A letter, and what it does with the current row. */
export interface QueueKey {
  key: string
  does: string
}

interface QueueKeysDialogProps {
  opened: boolean
  opens: string | undefined
  keys: readonly QueueKey[]
  /** The screen has a field to search with. */
  searches: boolean
  enabled: boolean
  onEnable: (enabled: boolean) => void
  onClose: () => void
}

/** What each key of a queue does, and the switch that turns them off. */
export function QueueKeysDialog({ opened, opens, keys, searches, enabled, ...rest }: QueueKeysDialogProps) {
  const lines: [string[], string][] = [
    [['j', '↓'], 'Next row'],
    [['k', '↑'], 'Row before'],
    ...(opens ? [[['Enter', 'o'], opens] as [string[], string]] : []),
    ...keys.map(({ key, does }): [string[], string] => [[key], does]),
    ...(searches ? [[['/'], 'Search'] as [string[], string]] : []),
    [['?'], 'These shortcuts'],
  ]
  return (
    <Dialog opened={opened} onClose={rest.onClose} title="Keyboard shortcuts">
      <Stack gap="md">
        <Switch
          label="Use shortcuts"
          description="Single keys can get in the way of speech input or of other tools. This browser remembers your choice."
          checked={enabled}
          onChange={({ currentTarget }) => rest.onEnable(currentTarget.checked)}
        />
        <Table aria-label="Keyboard shortcuts" verticalSpacing="xs">
          <Table.Tbody>
            {lines.map(([pressed, does]) => (
              <Table.Tr key={does}>
                <Table.Th scope="row" w={120} fw={400}>
                  {pressed.map((key, index) => (
                    <span key={key}>
                      {index > 0 && ' or '}
                      <Kbd>{key}</Kbd>
                    </span>
                  ))}
                </Table.Th>
                <Table.Td>{does}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Stack>
    </Dialog>
  )
}
