import { Trans } from '@lingui/react/macro'
import { Group, Text } from '@mantine/core'
import { formatMoney } from '#domain/money.ts'
import { claimOf, type Payment } from '#domain/payments.ts'
import { PersonLink } from '#ui/PersonLink.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { AnswerPayment } from './AnswerPayment.tsx'
import { paymentTexts } from './payments.messages.ts'

interface ConfirmPaymentProps {
  payment: Payment
  /** True to show the plan's name, for pages that do not show it themselves. */
  named?: boolean
}

/** A member's payment claim, with the owner's buttons to answer it. */
export function ConfirmPayment({ payment, named = false }: ConfirmPaymentProps) {
  const answerBy = claimOf(payment, 'payment')?.answerBy
  const { id, planName, memberPage, memberName, amount, currency, reference, claimedAt } = payment
  return (
    <SectionCard
      titleId={`confirm-${id}`}
      title={
        <Trans>
          Has {formatMoney(amount, currency)} from <PersonLink userId={memberPage} name={memberName} />{' '}
          arrived?
        </Trans>
      }
      gap="sm"
    >
      <Text component="div" c="dimmed">
        {named && `${planName}. `}
        {claimedAt && (
          <>
            <Trans>
              Sent <RelativeDate date={claimedAt} />.
            </Trans>{' '}
          </>
        )}
        <Trans>
          Look for <span style={{ whiteSpace: 'nowrap' }}>{reference}</span> in your bank account.
        </Trans>{' '}
        {answerBy && paymentTexts.countsBy(answerBy)}
      </Text>
      <Group gap="sm">
        <AnswerPayment payment={payment} />
      </Group>
    </SectionCard>
  )
}
