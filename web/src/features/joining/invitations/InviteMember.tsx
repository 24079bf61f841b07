import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import type { Plan } from '#domain/plan.ts'
import { isFull } from '#domain/slots.ts'
import { useBrowserEvent } from '#lib/events.ts'
import { onceOnline } from '#lib/online.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'
import { usePreparation } from '../preparation/use-preparation.tsx'
import { openInvitationsQuery } from './invitations.queries.ts'

const InviteMemberDialog = lazy(() => onceOnline(() => import('./InviteMemberDialog.tsx')))

interface InviteMemberProps {
  plan: Plan
  label?: string
}

/** Lets the owner invite a person while the plan has a place that is neither taken nor reserved. */
export function InviteMember({ plan, label = t`Add Member` }: InviteMemberProps) {
  const { prepare, dialog } = usePreparation(plan)
  const [asking, { open, close }] = useDisclosure()
  const kept = useQuery(openInvitationsQuery(plan.id)).data?.length ?? 0
  const full = isFull({ ...plan, currentMembers: plan.currentMembers + kept })
  useBrowserEvent('openAddMemberDialog', (about) => {
    if ((about?.subscriptionId ?? plan.id) === plan.id && !full) prepare(open)
  })
  return (
    <>
      <Button
        variant="light"
        disabled={full}
        leftSection={<IconUserPlus size={18} aria-hidden />}
        onClick={() => prepare(open)}
      >
        {full ? t`Add Member (Max Reached)` : label}
      </Button>
      <LazyDialog opened={asking}>
        {(opened) => <InviteMemberDialog plan={plan} opened={opened} onClose={close} />}
      </LazyDialog>
      {dialog}
    </>
  )
}
