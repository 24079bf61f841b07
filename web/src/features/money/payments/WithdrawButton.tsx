import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { LIMITS } from '@potluck/supabase/limits'
import { useQuery } from '@tanstack/react-query'
import { formatMoney } from '#domain/money.ts'
import { lastDayToWithdraw, type OwnSeat } from '#domain/seats.ts'
import { ownNameQuery } from '#features/account/profiles/profiles.queries.ts'
import { useUser } from '#lib/session.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import classes from './CostNote.module.css'
import { useWithdraw } from './payments.mutations.ts'

interface WithdrawButtonProps {
  seat: OwnSeat
  onWithdrawn?: () => void
}

/** Withdraws from the contract about a place in two steps, for as long as that is possible; nothing after that. */
export function WithdrawButton({ seat, onWithdrawn }: WithdrawButtonProps) {
  const user = useUser()
  const { data: own } = useQuery(ownNameQuery(user))
  const [asking, { open, close }] = useDisclosure()
  const withdraw = useWithdraw(seat, onWithdrawn)
  const lastDay = lastDayToWithdraw(seat)
  if (!lastDay) return null
  return (
    <>
      <Button
        variant="default"
        w="fit-content"
        onClick={open}
        aria-label={t`Withdraw from contract: ${seat.planName}`}
      >
        {t`Withdraw from contract`}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t`Withdraw from contract`}
        confirmLabel={t`Confirm withdrawal`}
        cancelLabel={t`Keep my place`}
        busy={withdraw.isPending}
        onConfirm={() => withdraw.mutate(undefined, { onSettled: close })}
        onClose={close}
      >
        <Stack gap="sm">
          <dl className={`${classes.panel} ${classes.sum}`}>
            <Line name={t`Your name`}>{own?.name ?? user.name}</Line>
            <Line name={t`Contract`}>{t`A place in ${seat.planName}, shared by ${seat.ownerName}`}</Line>
            <Line name={t`Email`}>{user.email}</Line>
          </dl>
          <Text inherit>{whatComesBack(seat)}</Text>
          <Text inherit>
            <Trans>
              You lose access right away. You can withdraw up to and including {lastDay}, without giving a
              reason.
            </Trans>
          </Text>
        </Stack>
      </ConfirmDialog>
    </>
  )
}

const Line = ({ name, children }: { name: string; children: string }) => (
  <div>
    <dt>{name}</dt>
    <dd className={classes.words}>{children}</dd>
  </div>
)

function whatComesBack({ backNow, beginsAtOnceAt, accessGivenAt }: OwnSeat): string {
  if (backNow === null) return t`Your problem stays open. What comes back is held until it is closed.`
  if (backNow === 0) return t`You haven’t paid anything yet, so you pay nothing.`
  const sum = formatMoney(backNow)
  const back = plural(LIMITS.withdrawalRefundTimeHours / 24, {
    one: `${sum} comes back within # day: first to your card, and what you paid in coins as coins.`,
    other: `${sum} comes back within # days: first to your card, and what you paid in coins as coins.`,
  })
  const why =
    beginsAtOnceAt && accessGivenAt
      ? t`You asked us to begin at once, so you pay for the days you had access.`
      : t`That is all you paid.`
  return `${back} ${why}`
}
