import { t } from '@lingui/core/macro'
import { Badge, Group, Text, UnstyledButton } from '@mantine/core'
import {
  IconAlertTriangleFilled,
  IconCircleCheckFilled,
  IconCircleXFilled,
  IconInfoCircleFilled,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import rows from '#ui/popover-row.module.css'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import classes from './NotificationRow.module.css'
import { leadsTo, type UserNotification } from './notification.ts'

const icons = {
  success: IconCircleCheckFilled,
  warning: IconAlertTriangleFilled,
  error: IconCircleXFilled,
  info: IconInfoCircleFilled,
}

interface NotificationRowProps {
  notification: UserNotification
  onRead: () => void
  onLeave: () => void
}

/**
 * One notification. Choosing it marks it read and opens the page about its subject, if the reader may see that page.
 */
export function NotificationRow({ notification, onRead, onLeave }: NotificationRowProps) {
  const { kind, title, message, read, createdAt } = notification
  const navigate = useNavigate()
  const Icon = icons[kind]

  const choose = () => {
    if (!read) onRead()
    const href = leadsTo(notification)
    if (!href) return
    onLeave()
    void navigate({ href })
  }

  return (
    <UnstyledButton className={rows.row} data-unread={!read || undefined} onClick={choose}>
      <Icon size={20} className={classes.icon} data-kind={kind} aria-hidden />
      <span className={rows.text}>
        <Group component="span" gap="xs" wrap="nowrap" justify="space-between">
          <Text component="span" fw={600} size="sm">
            {title}
          </Text>
          {!read && (
            <Badge component="span" size="sm" color="clay">
              {t({ message: 'New', context: 'notification' })}
            </Badge>
          )}
        </Group>
        <Text component="span" size="sm" display="block">
          {message}
        </Text>
        <RelativeDate date={createdAt} size="sm" c="dimmed" />
      </span>
    </UnstyledButton>
  )
}
