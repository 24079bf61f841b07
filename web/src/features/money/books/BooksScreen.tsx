import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Container, Stack, Table, Text, Title } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { fullDate } from '#domain/dates.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Figure, Figures } from '#ui/Figures.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { LoneLink } from '#ui/links.tsx'
import { Money } from '#ui/Money.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { type Books, booksQuery } from './books.queries.ts'

/** The public page about the money that the site holds and owes. */
export function BooksScreen() {
  const books = useQuery(booksQuery)
  return (
    <Container size="md" py={{ base: 'md', sm: 'xl' }}>
      <PageTitle title={t`Open Books`}>{t`All the money Potluck holds, and whose it is.`}</PageTitle>
      <Loaded of={books} pending={<CardGridSkeleton />} failed={t`Failed to load the books`}>
        {(last) =>
          last ? (
            <LastClosed books={last} />
          ) : (
            <EmptyState
              order={2}
              title={t`No figures yet`}
              action={<LoneLink to="/about">{t`How Potluck works`}</LoneLink>}
            >
              {t`We close the books every night. Come back tomorrow.`}
            </EmptyState>
          )
        }
      </Loaded>
    </Container>
  )
}

function LastClosed({ books }: { books: Books }) {
  return (
    <Stack gap="lg">
      <Checked books={books} />
      <Figures columns={4}>
        <Figure label={t`Held for members`} figure={<Money amount={books.held} />}>
          {books.seats === null
            ? t`paid for access not yet earned, in fewer than ${LIMITS.leastPublishedCount} places`
            : plural(books.seats, {
                one: 'paid for access not yet earned, in # place',
                other: 'paid for access not yet earned, in # places',
              })}
        </Figure>
        <Figure label={t`Owed to owners`} figure={<Money amount={books.owed} />}>
          {books.wallets === null
            ? t`coins in fewer than ${LIMITS.leastPublishedCount} wallets`
            : plural(books.wallets, { one: 'coins in # wallet', other: 'coins in # wallets' })}
        </Figure>
        <Figure label={t`Fees earned`} figure={<Money amount={books.fees} />}>
          {t`since we started`}
        </Figure>
        <Figure label={t`Refunded`} figure={<Money amount={books.given_back} />}>
          {t`to members, since we started`}
        </Figure>
      </Figures>
      <SurfaceCard component="section" aria-labelledby="problems-title">
        <Title order={2} size="h3" id="problems-title" mb="md">
          {t`Problems`}
        </Title>
        <Table aria-labelledby="problems-title" verticalSpacing="sm">
          <Table.Tbody>
            <Count label={t`Problems reported`} count={books.problems} />
            <Count label={t`Fixed by the owner`} count={books.fixed} />
            <Count label={t`Refunded`} count={books.paid_back} />
            <Count label={t`Withdrawn, or decided for the owner`} count={books.unfounded} />
            {books.hours_to_money !== null && (
              <Count label={t`Median hours from report to refund`} count={books.hours_to_money} />
            )}
          </Table.Tbody>
        </Table>
        <Text size="sm" c="dimmed" mt="md">
          {t`Since we started. Members get back what they paid for time without access.`}
        </Text>
      </SurfaceCard>
      <SurfaceCard component="section" aria-labelledby="sum-title">
        <Title order={2} size="h3" id="sum-title" mb="md">
          {t`How it adds up`}
        </Title>
        <Table aria-labelledby="sum-title" verticalSpacing="sm">
          <Table.Tbody>
            <Line label={t`Held for members`} amount={books.held} />
            <Line label={t`Owed to owners`} amount={books.owed} />
            <Line label={t`Refunds on their way`} amount={books.going_back} />
            <Line label={t`Fees earned`} amount={books.fees} />
            <Line label={t`Corrections, provider costs and chargebacks`} amount={books.corrections} />
            <Line label={t`At the bank and the payment provider`} amount={books.outside} />
          </Table.Tbody>
          <Table.Tfoot>
            <Line label={t`Sum`} amount={books.total} strong />
          </Table.Tfoot>
        </Table>
        <Text size="sm" c="dimmed" mt="md">
          {t`What we owe counts up; what we hold for it counts down.`}
        </Text>
      </SurfaceCard>
    </Stack>
  )
}

function Checked({ books }: { books: Books }) {
  const closedAt = `${books.day}T24:00:00Z`
  const about = t`As of ${fullDate(closedAt)}. Checked on ${fullDate(books.checked_at)}.`
  return books.balanced ? (
    <Alert color="herb" title={t`The books balance`} icon={<IconCircleCheck aria-hidden />}>
      {about}
    </Alert>
  ) : (
    <Alert color="beet" title={t`The books do not balance`} icon={<IconAlertTriangle aria-hidden />}>
      <Trans>{about} We’ve told the operator.</Trans>
    </Alert>
  )
}

function Count({ label, count }: { label: string; count: number | null }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" fw="inherit">
        {label}
      </Table.Th>
      <Table.Td ta="end" style={{ whiteSpace: 'nowrap' }}>
        {count ?? t`fewer than ${LIMITS.leastPublishedCount}`}
      </Table.Td>
    </Table.Tr>
  )
}

function Line({ label, amount, strong = false }: { label: string; amount: number; strong?: boolean }) {
  return (
    <Table.Tr fw={strong ? 700 : undefined}>
      <Table.Th scope="row" fw="inherit">
        {label}
      </Table.Th>
      <Table.Td ta="end">
        <Money amount={amount} />
      </Table.Td>
    </Table.Tr>
  )
}
