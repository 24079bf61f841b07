import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { formatMoney } from '#domain/money.ts'
import type { Payment } from '#domain/payments.ts'
import { lazyPart } from '#lib/online.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'
import { usePaymentStep } from './payments.mutations.ts'

const DenyDialog = lazyPart(async () => (await import('./DenyDialog.tsx')).DenyDialog)

export type AnsweredPayment = Pick<Payment, 'id' | 'memberName' | 'amount'>

interface AnswerPaymentProps {
  payment: AnsweredPayment
  /** It is the first thing to do where it stands. */
  leads?: boolean
  onAnswered?: () => void
}

/** The owner's answer to a member who says that they have paid, wherever that is read. */
export function AnswerPayment({ payment, leads = true, onAnswered }: AnswerPaymentProps) {
  const tell = usePaymentStep(onAnswered)
  const [denying, deny] = useDisclosure()
  const about = t`${formatMoney(payment.amount)} from ${payment.memberName}`
  return (
    <>
      {/* Busy until it is gone: a second answer would be refused. */}
      <Button
        variant={leads ? 'filled' : 'light'}
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
      <LazyDialog opened={denying}>
        {(opened) => (
          <DenyDialog payment={payment} opened={opened} onClose={deny.close} onAnswered={onAnswered} />
        )}
      </LazyDialog>
    </>
  )
}
