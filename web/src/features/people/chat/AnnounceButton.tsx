import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconSpeakerphone } from '@tabler/icons-react'
import { lazy } from 'react'
import type { Plan } from '#domain/plan.ts'
import { onceOnline } from '#lib/online.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'

const AnnounceDialog = lazy(() => onceOnline(() => import('./AnnounceDialog.tsx')))

/** Lets the owner write to all members at once, while there are any. */
export function AnnounceButton({ plan }: { plan: Plan }) {
  const [writing, { open, close }] = useDisclosure()
  if (plan.currentMembers < 2) return null
  return (
    <>
      <Button variant="subtle" leftSection={<IconSpeakerphone size={18} aria-hidden />} onClick={open}>
        Write to all
      </Button>
      <LazyDialog opened={writing}>
        {(opened) => <AnnounceDialog planId={plan.id} opened={opened} onClose={close} />}
      </LazyDialog>
    </>
  )
}
