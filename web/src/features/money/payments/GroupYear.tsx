import { t } from '@lingui/core/macro'
import { Badge, Button, Group, Select, Stack, Text, Title } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listOf } from '#domain/lists.ts'
import { formatMoney } from '#domain/money.ts'
import { monthAsHeading, monthOf } from '#domain/months.ts'
import { type PaymentWord, paymentLabel, paymentWord } from '#domain/payment-words.ts'
import { isReminded, type Payment, paymentStateOf } from '#domain/payments.ts'
import { placeLink } from '#domain/place-link.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { ShareLink } from '#ui/ShareLink.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { useNow } from '#ui/use-now.ts'
import classes from './GroupYear.module.css'
import { paymentTexts } from './payments.messages.ts'
import { useRemindAll } from './payments.mutations.ts'
import { planYearQuery } from './payments.queries.ts'
import { WhoPays } from './WhoPays.tsx'

interface GroupYearProps {
  planId: string
  ownerId: string
}

/** A plan's year at a glance: who has paid what in each month, what each has paid so far, and one press to remind all. */
export function GroupYear({ planId, ownerId }: GroupYearProps) {
  const now = useNow()
  const latest = new Date(now).getFullYear()
  const [year, setYear] = useState(latest)
  const payments = useQuery(planYearQuery(planId, ownerId, year))
  return (
    <SurfaceCard component="section" aria-labelledby="group-year" mb="lg">
      <Stack gap="md">
        <Group justify="space-between" align="flex-end">
          <Title order={2} size="h3" id="group-year">
            {t`The year ${year}`}
          </Title>
          <Select
            aria-label={t`Year`}
            data={[latest, latest - 1, latest - 2].map(String)}
            value={String(year)}
            allowDeselect={false}
            w={110}
            className={classes.tools}
            onChange={(chosen) => chosen && setYear(Number(chosen))}
          />
        </Group>
        {year === latest && <WhoPays planId={planId} ownerId={ownerId} />}
        <Loaded of={payments} rows={3} failed={paymentTexts.failed}>
          {(all) =>
            all.length === 0 ? (
              <Text c="dimmed">{t`Nothing is due in ${year}.`}</Text>
            ) : (
              <>
                <RemindAll planId={planId} payments={all} now={now} />
                <Months payments={all} now={now} />
                <Sums payments={all} />
                <Button
                  variant="default"
                  w="fit-content"
                  className={classes.tools}
                  leftSection={<IconPrinter size={18} aria-hidden />}
                  onClick={() => window.print()}
                >
                  {t`Print`}
                </Button>
              </>
            )
          }
        </Loaded>
      </Stack>
    </SurfaceCard>
  )
}

const LOOKS: Record<PaymentWord, { color: string; sign: string }> = {
  due: { color: 'honey', sign: '•' },
  late: { color: 'beet', sign: '!' },
  sent: { color: 'blue', sign: '→' },
  paid: { color: 'herb', sign: '✓' },
  cancelled: { color: 'gray', sign: '–' },
}

function Months({ payments, now }: { payments: readonly Payment[]; now: number }) {
  // A payment that was denied is due later, and stays in the month of its period.
  const monthFor = ({ startsAt, dueAt }: Payment) => monthOf(new Date(startsAt ?? dueAt))
  const months = [...new Set(payments.map(monthFor))]
  return (
    <dl className={classes.months}>
      {months.map((month) => (
        <div key={month}>
          <dt>{monthAsHeading(month)}</dt>
          {payments
            .filter((payment) => monthFor(payment) === month)
            .map((payment) => {
              const state = paymentStateOf(payment, now)
              const { color, sign } = LOOKS[paymentWord(state)]
              return (
                <dd key={payment.id}>
                  <Badge
                    size="lg"
                    variant="light"
                    color={color}
                    tt="none"
                    classNames={{ label: classes.label ?? '' }}
                  >
                    <span aria-hidden>{sign} </span>
                    <bdi>{payment.memberName}</bdi> {formatMoney(payment.share, payment.currency)},{' '}
                    {paymentLabel(state)}
                  </Badge>
                </dd>
              )
            })}
        </div>
      ))}
    </dl>
  )
}

/** What each person has paid in the year, in each currency. */
function Sums({ payments }: { payments: readonly Payment[] }) {
  const people = new Map<string, Map<string, number>>()
  for (const { memberName, currency, share, owedBack, paidAt } of payments) {
    if (paidAt === null) continue
    const sums = people.get(memberName) ?? new Map<string, number>()
    people.set(
      memberName,
      sums.set(currency, (sums.get(currency) ?? 0) + Math.round((share - owedBack) * 100)),
    )
  }
  if (people.size === 0) return null
  return (
    <Text>
      {t`Paid so far:`}{' '}
      {listOf(
        [...people].map(
          ([name, sums]) =>
            `${name} ${listOf([...sums].map(([currency, cents]) => formatMoney(cents / 100, currency)))}`,
        ),
      )}
      .
    </Text>
  )
}

interface RemindAllProps {
  planId: string
  payments: readonly Payment[]
  now: number
}

function RemindAll({ planId, payments, now }: RemindAllProps) {
  const remind = useRemindAll(planId)
  const isMissing = payments.some(
    (payment) =>
      payment.settlement === 'direct' &&
      payment.status === 'due' &&
      payment.payable &&
      Date.parse(payment.dueAt) <= now &&
      !isReminded(payment, now),
  )
  const memberOf = (id: string) => payments.find((one) => one.id === id)?.memberId
  const forGuests = (remind.data ?? []).flatMap(({ payment_id: id, secret }) => {
    const payment = payments.find((one) => one.id === id)
    return payment && secret ? [{ payment, secret }] : []
  })
  const others = (remind.data ?? []).some(
    ({ payment_id: id, secret }) =>
      !secret && !forGuests.some(({ payment }) => payment.memberId === memberOf(id)),
  )
  return (
    <>
      {isMissing && (
        <Button
          w="fit-content"
          className={classes.tools}
          loading={remind.isPending}
          onClick={() => remind.mutate()}
        >
          {t`Remind all`}
        </Button>
      )}
      <Dialog opened={forGuests.length > 0} onClose={remind.reset} title={t`Pass these reminders on`}>
        <Stack gap="lg">
          <Text>
            {t`These people have no account.`} {others && t`The others have been told.`}
          </Text>
          {forGuests.map(({ payment, secret }) => (
            <div key={payment.id}>
              <Text fw={600}>
                <bdi>{payment.memberName}</bdi>
              </Text>
              <ShareLink link={placeLink(secret)} title={paymentTexts.reminderFor(payment)} />
            </div>
          ))}
        </Stack>
      </Dialog>
    </>
  )
}
