import { t } from '@lingui/core/macro'
import { ActionIcon, Indicator, Popover } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, useRef } from 'react'
import { cappedCount } from './CountBadge.tsx'

interface BadgePopoverProps {
  icon: ReactNode
  label: string
  /** No badge at 0. */
  count: number
  /** The count in words, for screen readers. */
  counted?: (count: number) => string
  children: (close: () => void) => ReactNode
}

const unread = (count: number) => t`${count} unread`

/** A button of the top bar with a count, and the list that it opens. */
export function BadgePopover({ icon, label, count, counted = unread, children }: BadgePopoverProps) {
  const [opened, popover] = useDisclosure(false)
  const button = useRef<HTMLButtonElement>(null)
  const leave = () => {
    // A dialog that opens next returns the focus to the element focused now. That must be the button: the chosen item
    // disappears with the list.
    button.current?.focus()
    popover.close()
  }
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
      <Indicator label={cappedCount(count)} size={18} offset={8} color="clay" disabled={count === 0}>
        <Popover.Target>
          <ActionIcon
            ref={button}
            onClick={popover.toggle}
            aria-label={count === 0 ? label : `${label}, ${counted(count)}`}
          >
            {icon}
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p={0} style={{ overflow: 'hidden' }}>
        {children(leave)}
      </Popover.Dropdown>
    </Popover>
  )
}
