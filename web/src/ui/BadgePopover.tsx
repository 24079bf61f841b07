import { t } from '@lingui/core/macro'
import { ActionIcon, Group, Indicator, Popover, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, useRef } from 'react'
import { cappedCount } from './CountBadge.tsx'
import { Dialog } from './Dialog.tsx'
import { usePhone } from './use-phone.ts'

interface BadgePopoverProps {
  icon: ReactNode
  /** The name of the button, and the title of the list. */
  label: string
  /** No badge at 0. */
  count: number
  /** The count in words, for screen readers. */
  counted?: (count: number) => string
  /** A button for the whole list. */
  action?: ReactNode
  children: (close: () => void) => ReactNode
}

const unread = (count: number) => t`${count} unread`

/** A button of the top bar with a count, and the list that it opens: a popover, on a phone a sheet. */
export function BadgePopover({ icon, label, count, counted = unread, action, children }: BadgePopoverProps) {
  const phone = usePhone()
  const [opened, popover] = useDisclosure(false)
  const button = useRef<HTMLButtonElement>(null)
  const leave = () => {
    // A dialog that opens next returns the focus to the element focused now. That must be the button: the chosen item
    // disappears with the list.
    button.current?.focus()
    popover.close()
  }
  const target = (
    <ActionIcon
      ref={button}
      onClick={popover.toggle}
      aria-label={count === 0 ? label : `${label}, ${counted(count)}`}
    >
      {icon}
    </ActionIcon>
  )
  const badge = { label: cappedCount(count), size: 18, offset: 8, color: 'clay', disabled: count === 0 }
  if (phone)
    return (
      <>
        <Indicator {...badge}>{target}</Indicator>
        <Dialog sheet opened={opened} onClose={popover.close} title={label} styles={{ body: { padding: 0 } }}>
          {action && (
            <Group justify="flex-end" px="md">
              {action}
            </Group>
          )}
          {children(leave)}
        </Dialog>
      </>
    )
  return (
    <Popover
      opened={opened}
      onChange={popover.toggle}
      position="bottom-end"
      width="min(380px, calc(100vw - 24px))"
      withinPortal={false}
      trapFocus
      returnFocus
    >
      <Indicator {...badge}>
        <Popover.Target>{target}</Popover.Target>
      </Indicator>
      <Popover.Dropdown p={0} style={{ overflow: 'hidden' }}>
        <Group justify="space-between" gap="0 xs" px="md" py={8} mih={56}>
          <Title order={2} size="h4">
            {label}
          </Title>
          {action}
        </Group>
        {children(leave)}
      </Popover.Dropdown>
    </Popover>
  )
}
