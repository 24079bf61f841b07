import { Stack, Text } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import type { ReactNode } from 'react'
import { paysMonthly } from '#domain/fees.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { LinkButton } from '#ui/links.tsx'
import { Mascot } from '#ui/Mascot.tsx'
import { Money } from '#ui/Money.tsx'
import type { Offer } from './market.queries.ts'
import classes from './RequestSentDialog.module.css'

interface RequestSentDialogProps {
  /** The plan just asked for; null keeps the dialog closed. */
  plan: Offer | null
  onClose: () => void
}

/** Confirms a request: the plan, and what it would cost a month. */
export function RequestSentDialog({ plan, onClose }: RequestSentDialogProps) {
  return (
    <Dialog opened={plan !== null} onClose={onClose} title="Subscription Request Sent">
      {plan && (
        <Stack gap="md">
          <div className={classes.picture}>
            <Mascot mood="excited" size={104} />
          </div>
          <Text ta="center">
            {plan.ownerName} has {LIMITS.requestLifetimeHours} hours to answer. We’ll let you know.
          </Text>
          <dl className={classes.details}>
            <Detail label="Plan">
              {plan.provider} {plan.name}
            </Detail>
            <Detail label="Shared by">{plan.ownerName}</Detail>
            <Detail
              label={plan.settlement === 'potluck' ? 'Monthly cost, fee included' : 'Monthly cost, no fee'}
            >
              <Money amount={paysMonthly(plan)} currency={plan.currency} fw={700} />
            </Detail>
          </dl>
          <LinkButton to="/my-subscriptions" search={{ tab: 'subscribed' }} fullWidth>
            Go to My Subscriptions
          </LinkButton>
        </Stack>
      )}
    </Dialog>
  )
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.detail}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
