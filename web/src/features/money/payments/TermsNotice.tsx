import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Plan } from '#domain/plan.ts'
import type { OwnSeat } from '#domain/seats.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { useMainButton } from '#ui/leads.ts'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { Agreement } from './Agreement.tsx'
import { paymentTexts } from './payments.messages.ts'
import { useAnswerTerms } from './payments.mutations.ts'
import { termsQuoteQuery } from './seats.queries.ts'
import { type Proposal, proposalsQuery } from './terms.queries.ts'
import { carriesText, openProposal, termsText } from './terms-text.ts'

interface TermsNoticeProps {
  plan: Plan
  seat: OwnSeat
}

/** The terms an owner proposes to a member, with a button for each answer; renders nothing without a proposal. */
export function TermsNotice({ plan, seat }: TermsNoticeProps) {
  const { data: proposals } = useQuery(proposalsQuery(plan.id))
  const open = openProposal(proposals, plan, seat)
  return open ? <OpenProposal {...{ plan, seat, open }} /> : null
}

function OpenProposal({ plan, seat, open }: TermsNoticeProps & { open: Proposal }) {
  const quote = useQuery(termsQuoteQuery(open.id))
  const answer = useAnswerTerms()
  const main = useMainButton()
  const [beginsAtOnce, setBeginsAtOnce] = useState(false)
  const busy = (accept: boolean) => answer.isPending && answer.variables.accept === accept
  // Payment through the site needs a new contract, which requires the wish that access begins immediately.
  const needsWish = open.settlement === 'potluck' && seat.settlement === 'direct'
  const say = (accept: boolean) => answer.mutate({ id: open.id, accept, beginsAtOnce })
  const agree = (event: FormEvent) => {
    event.preventDefault()
    say(true)
  }
  return (
    <SurfaceCard component="section" aria-labelledby="proposed-title">
      <Stack gap="sm" component="form" onSubmit={agree}>
        <Title order={2} size="h3" id="proposed-title">
          {t`New terms proposed`}
        </Title>
        <Text>
          <Trans>
            {seat.ownerName} proposes new terms. You now pay {termsText(seat, plan)}. If you don’t accept,
            nothing changes, but {seat.ownerName} can end your place when your paid month ends.
          </Trans>
        </Text>
        <Loaded of={quote} pending={<RowsSkeleton rows={3} />} failed={paymentTexts.quoteFailed}>
          {(cost) => (
            <>
              {cost.carries.length > 0 && <Text fw={600}>{carriesText(cost.carries)}</Text>}
              <Agreement
                duty="accept"
                planName={seat.planName}
                ownerName={seat.ownerName}
                quote={cost}
                wish={needsWish ? { checked: beginsAtOnce, onChange: setBeginsAtOnce } : null}
                button={{ variant: main, loading: busy(true), disabled: busy(false) }}
              />
            </>
          )}
        </Loaded>
        <Button variant="default" loading={busy(false)} disabled={busy(true)} onClick={() => say(false)}>
          {t`Keep old terms`}
        </Button>
      </Stack>
    </SurfaceCard>
  )
}
