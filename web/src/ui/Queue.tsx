import { t } from '@lingui/core/macro'
import { Button, Group, Kbd, Stack, Switch, Table } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconKeyboard } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { local, read, storageKeys, write } from '#lib/storage.ts'
import { Dialog } from './Dialog.tsx'
import classes from './Queue.module.css'

interface QueueProps {
  /** The thing that Enter opens, in words; without it Enter does nothing. */
  opens?: string
  keys: readonly QueueKey[]
  children: ReactNode
}

/** Marks a row of a {@link Queue}, so that the keys can move to it. */
export const queueRow = { 'data-queue-row': true, tabIndex: -1 }

/** Lets a key press a button or link of its row; Enter presses the one whose key is "o". */
export const pressedBy = (key: string) => ({ 'data-pressed-by': key })

const ROW = '[data-queue-row]'

/**
 * A list for staff to work through, with keyboard shortcuts. A key only clicks the button of the row that has the
 * focus, so every dialog still asks for confirmation.
 */
export function Queue({ opens, keys, children }: QueueProps) {
  const list = useRef<HTMLDivElement>(null)
  // The position of the current row: once the row is decided, it disappears and the next row takes its place.
  const place = useRef(-1)
  const [enabled, setEnabled] = useState(() => read(local, storageKeys.queueShortcuts) !== 'off')
  const [helping, { open: help, close }] = useDisclosure()
  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>(ROW) ?? [])]
  const current = () => rows().find((row) => row.contains(document.activeElement))

  const move = (step: 1 | -1) => {
    const all = rows()
    const at = all.findIndex((row) => row.contains(document.activeElement))
    const wanted = at >= 0 ? at + step : Math.max(place.current, 0)
    place.current = Math.min(Math.max(wanted, 0), all.length - 1)
    all[place.current]?.focus()
  }
  const press = (key: string) => current()?.querySelector<HTMLElement>(`[data-pressed-by="${key}"]`)?.click()
  const findSearch = () =>
    list.current?.closest('main')?.querySelector<HTMLElement>('[role="searchbox"], [type="search"]')

  // Letters typed into a field are text, and keys do nothing behind an open dialog or menu.
  const on = (
    key: string,
    act: () => void,
    applies = () => true,
  ): Parameters<typeof useHotkeys>[0][number] => [
    key,
    (event) => {
      if (!enabled || isBusy(event.target) || !applies()) return
      event.preventDefault()
      act()
    },
    { preventDefault: false },
  ]
  const onRow = () => current() !== undefined
  useHotkeys(
    [
      on('j', () => move(1)),
      on('k', () => move(-1)),
      // Outside a row, the arrow keys scroll.
      on('arrowdown', () => move(1), onRow),
      on('arrowup', () => move(-1), onRow),
      on('o', () => press('o')),
      // On a button or link within the row, Enter presses that button or link.
      on(
        'enter',
        () => press('o'),
        () => current() === document.activeElement,
      ),
      ...keys.map(({ key }) => on(key, () => press(key))),
      // On some keyboard layouts these need Shift.
      ...['?', 'shift+?'].map((key) => on(key, help)),
      ...['/', 'shift+/'].map((key) =>
        on(
          key,
          () => findSearch()?.focus(),
          () => findSearch() !== null,
        ),
      ),
    ],
    [],
  )
  const enable = (wanted: boolean) => {
    setEnabled(wanted)
    write(local, storageKeys.queueShortcuts, wanted ? null : 'off')
  }
  return (
    <div ref={list} className={classes.queue}>
      <Group justify="flex-end" mb="xs" className={classes.hint} visibleFrom="sm">
        <Button
          variant="subtle"
          c="dimmed"
          size="sm"
          leftSection={<IconKeyboard size={18} aria-hidden />}
          onClick={help}
        >
          {enabled ? t`Press ? for shortcuts` : t`Shortcuts are off`}
        </Button>
      </Group>
      {children}
      <QueueKeysDialog
        opened={helping}
        opens={opens}
        keys={keys}
        searches={helping && findSearch() !== null}
        enabled={enabled}
        onEnable={enable}
        onClose={close}
      />
    </div>
  )
}

const TICKED = ['checkbox', 'radio', 'button']

function isBusy(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    (target instanceof HTMLInputElement && !TICKED.includes(target.type)) ||
    target.closest('textarea, select, [role="dialog"], [role="menu"], [role="listbox"]') !== null
  )
}

/** A letter, and its action on the current row. */
interface QueueKey {
  key: string
  does: string
}

interface QueueKeysDialogProps {
  opened: boolean
  opens: string | undefined
  keys: readonly QueueKey[]
  /** True if the screen has a search field. */
  searches: boolean
  enabled: boolean
  onEnable: (enabled: boolean) => void
  onClose: () => void
}

/** The list of a queue's keys, with the switch that turns them off. */
function QueueKeysDialog({ opened, opens, keys, searches, enabled, ...rest }: QueueKeysDialogProps) {
  const lines: [string[], string][] = [
    [['j', '↓'], t`Next row`],
    [['k', '↑'], t`Previous row`],
    ...(opens ? [[[t`Enter`, 'o'], opens] as [string[], string]] : []),
    ...keys.map(({ key, does }): [string[], string] => [[key], does]),
    ...(searches ? [[['/'], t`Search`] as [string[], string]] : []),
    [['?'], t`These shortcuts`],
  ]
  return (
    <Dialog opened={opened} onClose={rest.onClose} title={t`Keyboard shortcuts`}>
      <Stack gap="md">
        <Switch
          label={t`Use shortcuts`}
          description={t`Turn off if single keys interfere with speech input or other tools.`}
          checked={enabled}
          onChange={({ currentTarget }) => rest.onEnable(currentTarget.checked)}
        />
        <Table aria-label={t`Keyboard shortcuts`} verticalSpacing="xs">
          <Table.Tbody>
            {lines.map(([pressed, does]) => (
              <Table.Tr key={does}>
                <Table.Th scope="row" w={120} fw={400}>
                  {pressed.map((key, index) => (
                    <span key={key}>
                      {index > 0 && <> {t`or`} </>}
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
