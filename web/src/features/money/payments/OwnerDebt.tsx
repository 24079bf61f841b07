import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { formatMoney, toCents } from '#domain/money.ts'
import { claimOf, type Payment } from '#domain/payments.ts'
import { LinkButton } from '#ui/links.tsx'
import { DenyDialog } from './lazy-dialogs.ts'
import { paymentTexts } from './payments.messages.ts'
import { usePaymentStep, useSettleOwed } from './payments.mutations.ts'
import { wishQuery } from './wishes.ts'

/**
 * Shows a member what an owner owes them for time without access to one place. The member gives payment details, or
 * answers the owner's claim to have repaid the debt. `debts` are the payments to repay; renders nothing if there are
 * none.
 */
export function OwnerDebt({ debts }: { debts: readonly Payment[] }) {
  // A plan that was handed over has had several owners.
  return [...new Set(debts.map(({ ownerId }) => ownerId))].map((id) => {
    const owed = debts.filter(({ ownerId }) => ownerId === id)
    return owed[0] && <Owed key={id} debts={owed} first={owed[0]} />
  })
}

function Owed({
  debts,
  first: { seatId, ownerId, ownerName, memberId, currency },
}: {
  debts: readonly Payment[]
  first: Payment
}) {
  const settle = useSettleOwed(seatId, ownerId)
  const [denying, deny] = useDisclosure()
  const tell = usePaymentStep(deny.close)
  const { data: wish } = useQuery(wishQuery(memberId))
  const total = debts.reduce((cents, { owedBack }) => cents + toCents(owedBack), 0) / 100
  const claimed = debts.find((debt) => claimOf(debt, 'repayment')?.status === 'open')
  const disputed = debts
    .map((debt) => claimOf(debt, 'repayment'))
    .find((claim) => claim?.status === 'disputed')
  const claim = claimed && claimOf(claimed, 'repayment')
  const amount = formatMoney(claim?.amount ?? 0, currency)
  return (
    <Stack gap="xs">
      <Text style={{ overflowWrap: 'anywhere' }}>
        <Trans>
          <Text span fw={600}>
            {ownerName} owes you {formatMoney(total, currency)}
          </Text>{' '}
          for time without access.
        </Trans>{' '}
        {claim && t`They say they’ve paid back ${amount}.`}{' '}
        {claim?.answerBy && paymentTexts.countsBy(claim.answerBy)}
        {disputed?.answerBy && paymentTexts.decidesBy(disputed.answerBy)}
      </Text>
      <Group gap="sm">
        {wish === null && !claim && (
          <LinkButton to="/account-settings/money" hash="paid">
            {t`Say where to pay it`}
          </LinkButton>
        )}
        <Button
          variant={claim ? 'filled' : 'default'}
          loading={settle.isPending}
          disabled={tell.isPending}
          onClick={() => settle.mutate()}
        >
          {claim?.amount === total ? t`It arrived` : t`Mark as paid back`}
        </Button>
        {claim && (
          <Button variant="default" disabled={settle.isPending || tell.isPending} onClick={deny.open}>
            {t`Not received`}
          </Button>
        )}
      </Group>
      {denying && claimed && claim && (
        <Suspense>
          <DenyDialog
            name={ownerName}
            amount={claim.amount}
            currency={currency}
            busy={tell.isPending}
            onConfirm={(note) => tell.mutate({ payment: claimed, step: 'deny-repayment', note })}
            onClose={deny.close}
          />
        </Suspense>
      )}
    </Stack>
  )
}
