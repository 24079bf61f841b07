import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from '#ui/Dialog.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { usePhone } from '#ui/use-phone.ts'
import { ChatConnection } from './ChatConnection.tsx'
import classes from './ChatDialog.module.css'
import type { ChatPartner } from './chat.queries.ts'

interface ChatDialogProps {
  /** Null closes the dialog. */
  partner: ChatPartner | null
  partnerId: string
  userId: string
  /** What there is to know about the other person. */
  about: ReactNode
  /** Takes the place of the input where nothing can be written. */
  closed: ReactNode
  onClose: () => void
  /** Above the messages: what else can be done about the plan. */
  aside?: (partner: ChatPartner) => ReactNode
}

/** The chat between a plan's owner and one member; fills the screen on a phone. */
export function ChatDialog({ partner, partnerId, userId, about, closed, onClose, aside }: ChatDialogProps) {
  const phone = usePhone()
  return (
    <Dialog
      opened={partner !== null}
      onClose={onClose}
      fullScreen={phone}
      size={520}
      padding={0}
      closeButtonProps={{ 'aria-label': 'Close chat', size: 44 }}
      classNames={{
        content: classes.content,
        header: classes.header,
        body: classes.body,
        title: classes.title,
      }}
      data-phone={phone || undefined}
      title={
        partner && (
          <Group gap="sm" wrap="nowrap">
            <PersonAvatar name={partner.name} src={partner.avatarUrl} size={40} />
            <Stack gap={0} miw={0}>
              <Text inherit truncate>
                <PersonLink userId={partnerId} name={partner.name} onFollow={onClose} />
              </Text>
              <Text size="sm" c="dimmed" ff="text" fw={400} truncate>
                {partner.planName}
              </Text>
            </Stack>
            {about}
          </Group>
        )
      }
    >
      {partner && aside?.(partner)}
      {partner && (
        <ChatConnection parties={partner.parties} userId={userId} name={partner.name} closed={closed} />
      )}
    </Dialog>
  )
}
