import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Plan } from '#domain/plan.ts'
import type { OwnSeat } from '#domain/seats.ts'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { BeginAtOnce } from './BeginAtOnce.tsx'
import { useAnswerTerms } from './payments.mutations.ts'
import { proposalsQuery } from './terms.queries.ts'
import { sameTerms, termsText } from './terms-text.ts'

/** The terms an owner proposes to a member, with a button for each answer; renders nothing without a proposal. */
export function TermsNotice({ plan, seat }: { plan: Plan; seat: OwnSeat }) {
  const { data: proposals } = useQuery(proposalsQuery(plan.id))
  const answer = useAnswerTerms()
  const [beginsAtOnce, setBeginsAtOnce] = useState(false)
  const open = proposals?.find(({ seatId, accepted }) => seatId === seat.id && accepted === null)
  // The proposal lapses once the owner has changed the plan's terms again.
  if (!open || !sameTerms(open, plan)) return null
  const busy = (accept: boolean) => answer.isPending && answer.variables.accept === accept
  // Moving from direct payment to the site makes a new contract with the site.
  const needsWish = open.settlement === 'potluck' && seat.settlement === 'direct'
  const say = (accept: boolean) => () => answer.mutate({ id: open.id, accept, beginsAtOnce })
  return (
    <SurfaceCard component="section" aria-labelledby="proposed-title">
      <Stack gap="sm">
        <Title order={2} size="h3" id="proposed-title">
          {t`New terms proposed`}
        </Title>
        <Text>
          <Trans>
            {seat.ownerName} proposes {termsText(open, plan)}, from your next month. You now pay{' '}
            {termsText(seat, plan)}.
          </Trans>
        </Text>
        <Text size="sm" c="dimmed">
          <Trans>
            If you don’t accept, nothing changes, but {seat.ownerName} can end your place when your paid month
            ends.
          </Trans>
        </Text>
        {needsWish && <BeginAtOnce checked={beginsAtOnce} onChange={setBeginsAtOnce} />}
        <Group gap="sm">
          <Button
            loading={busy(true)}
            disabled={busy(false) || (needsWish && !beginsAtOnce)}
            onClick={say(true)}
          >
            {t`Accept new terms`}
          </Button>
          <Button variant="default" loading={busy(false)} disabled={busy(true)} onClick={say(false)}>
            {t`Keep old terms`}
          </Button>
        </Group>
      </Stack>
    </SurfaceCard>
  )
}
