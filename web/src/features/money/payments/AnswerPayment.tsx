import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Suspense } from 'react'
import { formatMoney } from '#domain/money.ts'
import type { Payment } from '#domain/payments.ts'
import { useMainButton } from '#ui/leads.ts'
import { DenyDialog } from './lazy-dialogs.ts'
import { usePaymentStep } from './payments.mutations.ts'

interface AnswerPaymentProps {
  payment: Pick<Payment, 'id' | 'memberName' | 'amount' | 'currency'>
  onAnswered?: () => void
}

/** The owner's two buttons to answer a payment claim: received, or not. */
export function AnswerPayment({ payment, onAnswered }: AnswerPaymentProps) {
  const [denying, deny] = useDisclosure()
  const tell = usePaymentStep(() => {
    deny.close()
    onAnswered?.()
  })
  const main = useMainButton('light')
  const about = t`${formatMoney(payment.amount, payment.currency)} from ${payment.memberName}`
  return (
    <>
      {/* Busy until the claim is gone from the screen: a second answer would be refused. */}
      <Button
        variant={main}
        aria-label={t`Received ${about}`}
        loading={tell.isPending || tell.isSuccess}
        onClick={() => tell.mutate({ payment, step: 'confirm' })}
      >
        {t`Received`}
      </Button>
      <Button
        variant="default"
        aria-label={t`Not received: ${about}`}
        disabled={tell.isPending || tell.isSuccess}
        onClick={deny.open}
      >
        {t`Not received`}
      </Button>
      {denying && (
        <Suspense>
          <DenyDialog
            name={payment.memberName}
            amount={payment.amount}
            currency={payment.currency}
            busy={tell.isPending}
            onConfirm={(note) => tell.mutate({ payment, step: 'deny', note })}
            onClose={deny.close}
          />
        </Suspense>
      )}
    </>
  )
}
