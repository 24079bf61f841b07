import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Stack, Text } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import type { ReactNode } from 'react'
import { paysMonthly } from '#domain/fees.ts'
import { planName } from '#domain/plan-name.ts'
import type { Offer } from '#features/plans/browse/market.queries.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { LinkButton } from '#ui/links.tsx'
import { Mascot } from '#ui/Mascot.tsx'
import { Money } from '#ui/Money.tsx'
import classes from './RequestSentDialog.module.css'

interface RequestSentDialogProps {
  /** The plan just requested; null keeps the dialog closed. */
  plan: Offer | null
  onClose: () => void
}

/** Confirms that a join request was sent, with the plan and its monthly cost. */
export function RequestSentDialog({ plan, onClose }: RequestSentDialogProps) {
  return (
    <Dialog opened={plan !== null} onClose={onClose} title={t`Subscription Request Sent`}>
      {plan && (
        <Stack gap="md">
          <div className={classes.picture}>
            <Mascot mood="excited" size={104} />
          </div>
          <Text ta="center">
            <Trans>
              {plan.ownerName} has {LIMITS.requestLifetimeHours} hours to answer. We’ll let you know.
            </Trans>
          </Text>
          <dl className={classes.details}>
            <Detail label={t`Plan`}>
              {plan.provider} {planName(plan.name)}
            </Detail>
            <Detail label={t`Shared by`}>{plan.ownerName}</Detail>
            <Detail
              label={plan.settlement === 'potluck' ? t`Monthly cost, fee included` : t`Monthly cost, no fee`}
            >
              <Money amount={paysMonthly(plan)} currency={plan.currency} fw={700} />
            </Detail>
          </dl>
          <LinkButton to="/my-subscriptions" search={{ tab: 'subscribed' }} fullWidth>
            {t`Go to My Subscriptions`}
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
