import { Card, Stack, Title } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import { PayoutFiles } from '#features/payouts/PayoutFiles.tsx'
import { PayoutStatistics } from '#features/payouts/PayoutStatistics.tsx'
import { PayoutTable } from '#features/payouts/PayoutTable.tsx'
import { usePayoutsLive } from '#features/payouts/payouts.live.ts'
import { CoinsByDay } from '#features/treasury/CoinsByDay.tsx'
import { useTreasuryLive } from '#features/treasury/treasury.live.ts'
import { useUser } from '#lib/session.ts'
import { PageTitle } from '#ui/PageTitle.tsx'

export const Route = createFileRoute('/_shell/_signed-in/_staff/admin/withdrawals')({
  component: Withdrawals,
})

function Withdrawals() {
  const { id: userId } = useUser()
  usePayoutsLive()
  useTreasuryLive()
  return (
    <>
      <PageTitle title="Withdrawals">Coins people want paid out; 1 coin is 1 euro.</PageTitle>
      <Stack gap="lg">
        <PayoutStatistics />
        <CoinsByDay label="Paid out in 30 days" of={['withdrawn']} />
        <Card component="section">
          <Title order={2} mb="md">
            Withdrawal Requests
          </Title>
          <PayoutTable userId={userId} />
        </Card>
        <Card component="section">
          <Title order={2} mb="md">
            Payment files
          </Title>
          <PayoutFiles />
        </Card>
      </Stack>
    </>
  )
}
