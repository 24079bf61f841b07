import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconSpeakerphone } from '@tabler/icons-react'
import { lazy } from 'react'
import type { Plan } from '#domain/plan.ts'
import { onceOnline } from '#lib/online.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'
import { useAnnounce } from './chat.mutations.ts'
import { LONGEST_MESSAGE } from './message-text.ts'

const MessageDialog = lazy(() => onceOnline(() => import('./MessageDialog.tsx')))

/** Lets the owner write one message to all members. Each member gets it in their chat with the owner. */
export function AnnounceButton({ plan }: { plan: Plan }) {
  const [writing, { open, close }] = useDisclosure()
  const announce = useAnnounce(plan.id, close)
  if (plan.currentMembers < 2) return null
  return (
    <>
      <Button variant="default" leftSection={<IconSpeakerphone size={18} aria-hidden />} onClick={open}>
        {t`Message all members`}
      </Button>
      <LazyDialog opened={writing}>
        {(opened) => (
          <MessageDialog
            opened={opened}
            onClose={close}
            title={t`Message all members`}
            label={t`Message`}
            count={(length) => t`${length} of ${LONGEST_MESSAGE} characters`}
            action={t`Send message`}
            cancelLabel={t`Cancel`}
            change={announce}
          >
            {t`Each member gets this in your chat. Only you see their replies.`}
          </MessageDialog>
        )}
      </LazyDialog>
    </>
  )
}
