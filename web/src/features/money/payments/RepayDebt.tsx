import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { formatMoney } from '#domain/money.ts'
import { claimOf, type Payment, wasDenied } from '#domain/payments.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { HowToPay } from './HowToPay.tsx'
import { HowPaidDialog } from './lazy-dialogs.ts'
import { paymentTexts } from './payments.messages.ts'
import { usePaymentStep } from './payments.mutations.ts'
import { wishQuery } from './wishes.ts'

/** An owner's debt to a member for one payment: the member's payment details, and a button to say it is repaid. */
export function RepayDebt({ debt }: { debt: Payment }) {
  const { memberId, memberName, planName, owedBack, currency, reference } = debt
  const [asking, ask] = useDisclosure()
  const tell = usePaymentStep(ask.close)
  const wishes = useQuery(wishQuery(memberId))
  const claim = claimOf(debt, 'repayment')
  const isWaiting = claim?.status === 'open' || claim?.status === 'disputed'
  return (
    <Stack gap="sm" align="flex-start">
      <Text style={{ overflowWrap: 'anywhere' }}>
        <Trans>
          <Text span fw={600}>
            You owe {memberName} {formatMoney(owedBack, currency)}
          </Text>{' '}
          for time without access to {planName}.
        </Trans>
      </Text>
      {claim?.status === 'open' && claim.answerBy && (
        <Text role="status">
          <Trans>
            You said you paid it back <RelativeDate date={claim.madeAt} />.
          </Trans>{' '}
          {paymentTexts.countsBy(claim.answerBy)}
        </Text>
      )}
      {claim?.status === 'disputed' && claim.answerBy && (
        <Text role="status">{paymentTexts.decidesBy(claim.answerBy)}</Text>
      )}
      {claim?.status === 'denied' && (
        <Alert
          w="100%"
          color="honey"
          icon={<IconAlertTriangle aria-hidden />}
          title={t`${memberName} hasn’t received it`}
        >
          <Text size="sm" dir="auto">
            {claim.denial}
          </Text>
        </Alert>
      )}
      {!isWaiting && (
        <>
          <Loaded of={wishes} rows={1} failed={paymentTexts.wishesFailed}>
            {(wish) =>
              wish ? (
                <HowToPay wish={wish} amount={owedBack} currency={currency} reference={reference} />
              ) : (
                <Text c="dimmed">{t`We’ve asked ${memberName} where to pay it.`}</Text>
              )
            }
          </Loaded>
          <Button
            loading={tell.isPending}
            onClick={() =>
              wasDenied(debt, 'repayment') ? ask.open() : tell.mutate({ payment: debt, step: 'repay' })
            }
          >
            {t`I’ve paid it back`}
          </Button>
        </>
      )}
      {asking && (
        <Suspense>
          <HowPaidDialog
            name={memberName}
            busy={tell.isPending}
            onConfirm={(how) => tell.mutate({ payment: debt, step: 'repay', how })}
            onClose={ask.close}
          />
        </Suspense>
      )}
    </Stack>
  )
}
