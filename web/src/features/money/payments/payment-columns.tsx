import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Group, Stack, Text } from '@mantine/core'
import { fullDay, shortDay } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import { paymentWords, type Side } from '#domain/payment-words.ts'
import { OPEN, type Payment, paymentStateOf } from '#domain/payments.ts'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import type { Column } from '#ui/DataTable.tsx'
import { LoneLink } from '#ui/links.tsx'
import { Money } from '#ui/Money.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { InvoiceLinks } from './InvoiceLinks.tsx'
import { PaymentAction, paymentAction } from './PaymentAction.tsx'
import { PaymentStateBadge } from './PaymentStateBadge.tsx'
import { shortPeriod } from './period-text.ts'

interface PaymentColumns {
  /** True for an owner, who sees members and their own share; false for a member, who sees plans and full amounts. */
  isOwner: boolean
  /** True if all payments are for one plan, which the page already names. */
  onePlan: boolean
  /** In ms. */
  now: number
  /** Ids of payments whose "I’ve paid" still waits for a connection. */
  said: readonly string[]
  /** The id of the payment whose button is the page's main button, if any. */
  main?: string | undefined
}

export const paymentColumns = ({ isOwner, onePlan, now, said, main }: PaymentColumns): Column<Payment>[] => [
  {
    label: isOwner ? t`Member` : t`Plan`,
    as: 'title',
    mark: ({ memberName, memberAvatar, planName }) =>
      isOwner ? (
        <PersonAvatar name={memberName} src={memberAvatar} size={40} />
      ) : (
        <ProviderLogo provider={planName} size="line" />
      ),
    brief: ({ memberName, planName }) => (isOwner ? memberName : planName),
    cell: ({ planName, memberPage, memberName }) => (
      <div>
        <Text fw={600}>{isOwner ? <PersonLink userId={memberPage} name={memberName} /> : planName}</Text>
        {isOwner && !onePlan && (
          <Text size="sm" c="dimmed">
            {planName}
          </Text>
        )}
      </div>
    ),
  },
  { label: t`Period`, cell: (payment) => <Line>{shortPeriod(payment) || t`Not begun`}</Line> },
  {
    label: t`Due`,
    as: 'detail',
    brief: (payment) => whenText(payment, isOwner ? 'owner' : 'member', now),
    cell: ({ dueAt }) => <Line>{shortDay(dueAt)}</Line>,
  },
  {
    label: isOwner ? t`Yours` : t`Amount`,
    as: 'amount',
    number: true,
    cell: ({ amount, share, currency }) => (
      <Money amount={isOwner ? share : amount} currency={currency} fw={600} />
    ),
  },
  {
    label: t`State`,
    as: 'state',
    // No badge for an open payment, whose state the line already says.
    brief: (payment) =>
      !isOpen(payment) && (
        <>
          <PaymentStateBadge payment={payment} />
          <Back payment={payment} isOwner={isOwner} />
        </>
      ),
    cell: (payment) => (
      <Group gap={6} component="span">
        {paymentStateOf(payment, now) === 'waiting' ? (
          <Text span size="sm" c="dimmed">
            {paymentWords(payment, isOwner ? 'owner' : 'member', now)}
          </Text>
        ) : (
          <PaymentStateBadge payment={payment} />
        )}
        <Back payment={payment} isOwner={isOwner} />
      </Group>
    ),
  },
  {
    label: t`Receipt`,
    cell: ({ id: paymentId, receiptNumber, invoices }) =>
      receiptNumber && (
        <Stack gap={2} align="flex-start">
          <LoneLink to="/payments/$paymentId" params={{ paymentId }}>
            <Line>{receiptNumber}</Line>
          </LoneLink>
          <InvoiceLinks invoices={invoices} />
        </Stack>
      ),
  },
  {
    label: t`To do`,
    as: 'action',
    cell: (payment) => {
      if (payment.status === 'due' && said.includes(payment.id))
        return <Line>{t`Waiting for a connection`}</Line>
      const action = paymentAction(payment, isOwner, now)
      return (
        action && <PaymentAction payment={payment} action={action} now={now} isMain={payment.id === main} />
      )
    },
  },
]

const Back = ({ payment, isOwner }: { payment: Payment; isOwner: boolean }) =>
  backOf(payment, isOwner) > 0 && (
    <Text span display="block" size="sm" c="dimmed">
      <Trans>{formatMoney(backOf(payment, isOwner), payment.currency)} back</Trans>
    </Text>
  )

/** The sum that went back to the member, in EUR; for an owner, without the part that the site's guarantee paid. */
const backOf = ({ returned, fromGuarantee, owedBack, repaidAt }: Payment, isOwner: boolean) =>
  (isOwner ? returned - fromGuarantee : returned) + (repaidAt ? owedBack : 0)

/** Text that does not wrap. */
const Line = ({ children }: { children: string }) => <span style={{ whiteSpace: 'nowrap' }}>{children}</span>

const isOpen = ({ status }: Payment) => OPEN.some((open) => open === status)

/** The state of an open payment, or the date of a closed one. */
const whenText = (payment: Payment, side: Side, now: number): string =>
  isOpen(payment) ? paymentWords(payment, side, now) : fullDay(payment.paidAt ?? payment.dueAt)
