import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { LIMITS } from '@potluck/supabase/limits'
import { useState } from 'react'
import { fullDate } from '#domain/dates.ts'
import type { PlanSeat } from '#domain/seats.ts'
import { lazyPart } from '#lib/online.ts'
import { TimeLeft } from '#ui/ExpiryBadge.tsx'
import { LazyDialog } from '#ui/LazyDialog.tsx'
import { useMainButton } from '#ui/leads.ts'
import { PersonLink } from '#ui/PersonLink.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { useInvitationSent } from './access.mutations.ts'

const StoreAccessDialog = lazyPart(async () => (await import('./StoreAccessDialog.tsx')).StoreAccessDialog)

/** The owner's task to give access to a member who has paid, with the time left. */
export function GiveAccessTask({ planId, seat }: { planId: string; seat: PlanSeat }) {
  const { id, memberName, accessDueAt, settlement } = seat
  const [isSent, { open, close }] = useDisclosure()
  const [storing, store] = useDisclosure()
  const main = useMainButton()
  return (
    <SectionCard
      titleId={`access-${id}`}
      title={
        <Trans>
          Give access to <PersonLink userId={seat.memberId} name={memberName} />
        </Trans>
      }
      aside={accessDueAt && <TimeLeft until={accessDueAt} />}
      gap="sm"
    >
      <Text style={{ overflowWrap: 'anywhere' }}>
        {t`${memberName} has paid.`}{' '}
        {accessDueAt &&
          (settlement === 'direct'
            ? t`Without access by ${{ date: fullDate(accessDueAt) }}, you owe them a full refund and the place is free again.`
            : t`Without access by ${{ date: fullDate(accessDueAt) }}, they get a full refund and the place is free again.`)}
      </Text>
      {isSent ? (
        <InvitationSent seat={seat} onClose={close} />
      ) : (
        <Group gap="sm">
          <Button variant={main} onClick={store.open}>{t`Add access`}</Button>
          <Button variant="default" onClick={open}>
            <Trans>I’ve invited {memberName}</Trans>
          </Button>
        </Group>
      )}
      <LazyDialog opened={storing}>
        {(opened) => <StoreAccessDialog planId={planId} version={0} opened={opened} onClose={store.close} />}
      </LazyDialog>
    </SectionCard>
  )
}

function InvitationSent({ seat, onClose }: { seat: PlanSeat; onClose: () => void }) {
  const [address, setAddress] = useState('')
  const give = useInvitationSent(seat, onClose)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (address.trim()) give.mutate(address)
      }}
    >
      <Stack gap="sm">
        <Text fw={600}>{t`Invitation sent`}</Text>
        <TextInput
          label={t`Which email did you invite?`}
          description={t`We tell ${seat.memberName} where to look.`}
          placeholder="name@example.com"
          maxLength={LIMITS.longestInvitedAddress}
          withAsterisk
          value={address}
          onChange={({ currentTarget }) => setAddress(currentTarget.value)}
          autoFocus
        />
        <Group gap="sm">
          <Button type="submit" loading={give.isPending} disabled={!address.trim()}>
            <Trans>Tell {seat.memberName}</Trans>
          </Button>
          <Button variant="default" disabled={give.isPending} onClick={onClose}>
            {t`Cancel`}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
