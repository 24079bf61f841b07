import { t } from '@lingui/core/macro'
import { Container, Stack } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { monthOf } from '#domain/months.ts'
import { MonthStatement } from '#features/money/wallet/MonthStatement.tsx'
import { useWalletLive } from '#features/money/wallet/wallet.live.ts'
import { YearStatement } from '#features/money/wallet/YearStatement.tsx'
import { given } from '#lib/search.ts'
import { useUser } from '#lib/session.ts'
import { BackLink } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'

const searchSchema = z.object({
  month: given(z.string().check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/))),
  year: given(z.number().check(z.int(), z.gte(2000), z.lte(2200))),
})

/** The wallet's statements by month and by year. */
export const Route = createFileRoute('/_shell/_signed-in/my-savings_/statement')({
  staticData: { signInNotice: { title: t`Please sign in to view your savings.` } },
  validateSearch: searchSchema,
  component: StatementPage,
})

function StatementPage() {
  const { id: userId } = useUser()
  const { month = monthOf(new Date()), year = new Date().getFullYear() } = Route.useSearch()
  const navigate = Route.useNavigate()
  useWalletLive(userId)
  const go = (change: { month?: string; year?: number }) =>
    void navigate({ search: (now) => ({ ...now, ...change }), resetScroll: false })
  return (
    <Container py={{ base: 'md', sm: 'lg' }}>
      <BackLink to="/my-savings">{t`Back to My Savings`}</BackLink>
      <PageTitle
        title={t`Statement`}
      >{t`Everything that moved in your wallet, where 1 coin is 1 euro, and each year of your payments`}</PageTitle>
      <Stack gap="lg">
        <MonthStatement userId={userId} month={month} onMonth={(wanted) => go({ month: wanted })} />
        <YearStatement userId={userId} year={year} onYear={(wanted) => go({ year: wanted })} />
      </Stack>
    </Container>
  )
}
